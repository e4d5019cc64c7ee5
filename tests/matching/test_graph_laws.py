"""Laws of matching on the real server: what is hidden or unrelated changes nothing, and the same gives the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.matching.answer import MatchAnswer
from tests.laws import law
from tests.matching.world import Shelf, untimed

pytestmark = pytest.mark.slow

TEXTS = ("Draft a complaint", "Audit the complaint", "Book a table", "Set an alarm", "Pay the invoice", "Watch dockets")
QUESTIONS = ("review the complaint", "wake me at seven", "pay what we owe", "quarks and gluons")
SETTINGS = law(3)


async def emptied(shelf: Shelf) -> None:
    await shelf.database.run_alone("MATCH (n:Record) DETACH DELETE n")


def scores(answer: MatchAnswer) -> dict[str, object]:
    """All of each candidate but its name in the sentences about others."""
    return {one.id: one for one in answer.weighed}


@SETTINGS
@given(
    visible=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3, unique=True),
    hidden=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3),
    question=st.sampled_from(QUESTIONS),
)
async def test_what_is_hidden_changes_nothing(
    shelf: Shelf, visible: list[str], hidden: list[str], question: str
) -> None:
    await emptied(shelf)
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    for text in visible:
        await shelf.add(text, (text.lower(),))
    await shelf.embed()
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    alone = untimed(await shelf.answer(question, outsider))
    for text in (*hidden, question):
        await shelf.add(text, (text.lower(), question), matter_ids=[matter])
    await shelf.embed()
    assert untimed(await shelf.answer(question, await shelf.viewer(principal_id="prin_other", matters=[]))) == alone


@SETTINGS
@given(question=st.sampled_from(QUESTIONS), more=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3))
async def test_another_template_changes_no_score_of_the_first(shelf: Shelf, question: str, more: list[str]) -> None:
    await emptied(shelf)
    for text in TEXTS[:3]:
        await shelf.add(text, (text.lower(),))
    await shelf.embed()
    before = await shelf.answer(question)
    assert untimed(await shelf.answer(question)).recommended == before.recommended
    for text in more:
        await shelf.add(f"{text} anew", (f"{text} again",))
    await shelf.embed()
    after = scores(await shelf.answer(question))
    assert {one: after[one] for one in scores(before)} == scores(before)


async def test_in_a_large_library_the_indexes_find_what_the_whole_would(shelf: Shelf) -> None:
    """More than are weighed whole, most of them hidden from one viewer: the answer is that of the visible alone."""
    await emptied(shelf)
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    for text in TEXTS:
        await shelf.add(text, (text.lower(),))
    await shelf.embed()
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    alone = untimed(await shelf.answer("review the complaint", outsider))
    for number in range(70):
        await shelf.add(f"Review complaint {number}", (f"review the complaint {number}",), matter_ids=[matter])
    await shelf.embed()
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    assert untimed(await shelf.answer("review the complaint", outsider)) == alone
    insider = await shelf.answer("review the complaint", await shelf.viewer())
    assert insider.recommended[0].name.startswith("Review complaint")
    assert len(insider.weighed) < 70
