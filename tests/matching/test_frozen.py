"""What a match keeps of an asset is all that is weighed of it, and nothing that belongs to others."""

from dataclasses import replace
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from service.matching.answer import MatchAnswer
from service.matching.assets import Asset, Condition, Preference
from service.matching.calibration import calibration_for
from service.matching.decide import decide
from service.matching.frozen import changes, frozen, read_back, written
from service.matching.kept import Question, told_of
from tests.laws import law
from tests.matching.conftest import MODEL, NOW, asset
from tests.matching.test_laws import REQUEST, libraries

FITTED = calibration_for(MODEL)
QUESTION = Question("Template", REQUEST.request, NOW.isoformat(), MODEL)
SECRETS = ("prin_of_somebody", "She wants it short.", "Sibling of the family", "aud_of_a_source")


@st.composite
def known(draw: st.DrawFn) -> list[Asset]:
    """Libraries of which more is known: what people prefer, when it is not to be used, and when it was used."""
    extras = st.fixed_dictionaries(
        {
            "preferences": st.lists(st.builds(Preference, st.just(SECRETS[1]), st.booleans()), max_size=2).map(tuple),
            "non_use": st.sampled_from(((), (Condition("a complaint", 0.3),), (Condition("a contract"),))),
            "last_used_at": st.none() | st.datetimes(datetime(2020, 1, 1), datetime(2026, 11, 1)).map(_aware),  # noqa: DTZ001
            "entity_ids": st.sampled_from(((), ("ent_acme",))),
            "author_id": st.sampled_from(("me", SECRETS[0])),
        }
    )
    others = {"group": (SECRETS[2],), "sources": ((SECRETS[3], "bp_1"),)}
    return [replace(one, **draw(extras), **others) for one in draw(libraries())]


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=NOW.tzinfo)


def numbers(answer: MatchAnswer) -> object:
    return told_of(answer), [one.code for one in answer.losers], answer.recommended_action


@given(known())
@law(40)
def test_what_is_kept_is_weighed_as_the_asset_itself_is(library: list[Asset]) -> None:
    kept = [read_back(written(frozen(REQUEST, one))) for one in library]
    assert kept == [frozen(REQUEST, one) for one in library]
    again = QUESTION.answer([one for one in kept if one])
    assert numbers(again) == numbers(decide(REQUEST, library, FITTED))


@given(known())
@law(25)
def test_nothing_of_others_is_in_what_is_kept(library: list[Asset]) -> None:
    facts = [frozen(REQUEST, one) for one in library]
    told = f"{[written(one) for one in facts]} {QUESTION.answer(facts)}"
    assert not [one for one in SECRETS if one in told]


def test_changes_are_told_fact_by_fact() -> None:
    then = asset(requires=("pacer", "mail"), non_use=(Condition("a contract"),))
    likeness = replace(then.likeness, cosine=0.5)
    now = replace(then, name="Audit", requires=("mail", "pacer"), likeness=likeness, non_use=())
    assert {one.fact: (one.then, one.now) for one in changes(then, now)} == {
        "name": ("tpl_1", "Audit"),
        "cosine": ("0.9", "0.5"),
        "non_use": ('{"cosine":null,"text":"a contract"}', None),
    }
    assert list(changes(then, then)) == []


def test_facts_in_words_that_are_not_known_are_as_if_not_kept() -> None:
    assert read_back(None) is None
    assert read_back('{"id": "tpl_1", "kind": "Template"}') is None
