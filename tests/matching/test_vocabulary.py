"""Words of a request that have to be known."""

import pytest

from service.matching.errors import CapabilityContradicts, WordUnknown
from service.matching.request import MatchRequest
from service.matching.vocabulary import check_words
from tests.matching.world import Shelf

KNOWN = {"side_effects": ["send_email"], "capabilities": ["Gmail", "google_sheets"]}


def test_known_words_pass_in_any_spelling() -> None:
    check_words(MatchRequest("x", forbidden_side_effects=("send email", "External_Send")), KNOWN)
    check_words(MatchRequest("x", capabilities=("gmail", "Google Sheets"), denied_capabilities=()), KNOWN)


@pytest.mark.parametrize(
    ("field", "word", "nearest"),
    [
        ("forbidden_side_effects", "external_sned", "external_send"),
        ("denied_capabilities", "Gmial", "Gmail"),
        ("capabilities", "google_sheet", "google_sheets"),
    ],
)
def test_a_misspelt_word_is_refused_with_the_known_ones(field: str, word: str, nearest: str) -> None:
    with pytest.raises(WordUnknown) as refused:
        check_words(MatchRequest("x", **{field: (word,)}), KNOWN)  # pyright: ignore[reportArgumentType]
    assert (refused.value.code, refused.value.field) == ("matching_word_unknown", field)
    assert f"Use one that is: {nearest}" in (refused.value.remedy or "")


def test_what_is_available_is_not_denied() -> None:
    with pytest.raises(CapabilityContradicts):
        check_words(MatchRequest("x", capabilities=("Gmail",), denied_capabilities=("gmail",)), KNOWN)


async def test_words_are_known_by_what_the_viewer_sees(shelf: Shelf) -> None:
    await shelf.add("Docket Monitor", side_effect_classes=["page_somebody"], connector_requirements=["PACER"])
    viewer = await shelf.viewer()
    known = MatchRequest("watch", forbidden_side_effects=("page_somebody",), denied_capabilities=("pacer",))
    await shelf.matching.check_words(viewer, known)
    with pytest.raises(WordUnknown):
        await shelf.matching.check_words(viewer, MatchRequest("watch", forbidden_side_effects=("page_sombody",)))


async def test_what_it_may_do_is_forbidden_too_and_said_so(shelf: Shelf) -> None:
    await shelf.add("Sync Contacts", ("sync the contacts",), possible_side_effect_classes=["external_write"])
    await shelf.embed()
    answer = await shelf.answer("sync the contacts", forbidden_side_effects=("external_write",))
    assert not answer.recommended
    assert "It may have the side effect external_write, which is forbidden" in answer.losers[0].message
