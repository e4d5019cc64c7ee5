"""Laws of the lane: the same signals, in any order, teach the same; a matter's signals teach nobody else."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.words import DesignSignalKind
from service.learning.lane.rules import KINDS, RULES, Seen, drafts
from tests.laws import law

KIND_OF = st.sampled_from(sorted(KINDS))
SEEN = st.builds(
    Seen,
    st.integers(0, 40).map(lambda number: f"sig_{number:02}"),
    KIND_OF,
    st.sampled_from(["open", "matter a", "matter b"]),
    st.fixed_dictionaries(
        {"Template": st.sampled_from(["tpl_1", "tpl_2"])}, optional={"Capability": st.sampled_from(["cap_1", "cap_2"])}
    ),
    st.sampled_from([None, "issue matrix", "memo"]),
    st.sampled_from([None, "complaint audit", "appraise the pleading", "check  the brief"]),
    st.sampled_from([None, "complaint/review/legal"]),
)
SIGNALS = st.lists(SEEN, max_size=24, unique_by=lambda one: one.id)


@law(200)
@given(SIGNALS, st.randoms(), st.integers(2, 4))
def test_any_order_and_every_repetition_give_the_same_proposals(signals: list[Seen], dice: Any, often: int) -> None:
    again = dice.sample(signals, len(signals)) + signals[:3]
    assert drafts(again, often) == drafts(signals, often)


@law(200)
@given(SIGNALS, st.integers(2, 4))
def test_taking_the_signals_of_a_matter_away_changes_nothing_for_others(signals: list[Seen], often: int) -> None:
    left = [one for one in signals if one.audience != "matter a"]
    assert drafts(left, often) == [one for one in drafts(signals, often) if one.audience != "matter a"]


@law(200)
@given(SIGNALS, st.integers(2, 4))
def test_what_is_proposed_rests_on_enough_that_agrees_and_on_one_circle(signals: list[Seen], often: int) -> None:
    known = {one.id: one for one in signals}
    for draft in drafts(signals, often):
        rule = next(one for one in RULES if one.name == draft.rule)
        support = [known[str(ref.id)] for ref in draft.given.supported_by]
        contrary = [known[str(ref.id)] for ref in draft.given.countered_by]
        assert len(support) >= often
        assert len(support) > len(contrary)
        assert {one.audience for one in (*support, *contrary)} == {draft.audience}
        assert {one.kind for one in support} <= rule.speaks_for
        assert {one.on["Template"] for one in support} == {draft.given.target.id}


def test_every_rule_has_a_name_of_its_own_and_a_version() -> None:
    names = [one.name for one in RULES]
    assert len({*names}) == len(names)
    assert all(name.rpartition(" ")[2].isdigit() for name in names)
    assert {*DesignSignalKind} > KINDS
