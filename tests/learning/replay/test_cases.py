"""Laws of cases: what a change would have done, told apart from what has drifted."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.proposal_words import CaseKind, CaseResult
from service.access.audience import Access
from service.learning.replay.cases import Case, Lane, count, told
from tests.laws import law

KEYS = st.sampled_from(["a", "b", "c"])
VERDICTS = st.dictionaries(KEYS, st.sampled_from([True, False, None]), min_size=3, max_size=3)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """People's word is about what came out, so the same outcome is right or wrong in every lane."""
    right = draw(VERDICTS)
    lanes = [Lane(key, key, right[key]) for key in draw(st.lists(KEYS, min_size=4, max_size=4))]
    replayable = draw(st.booleans())
    return Case(
        kind=CaseKind.match,
        id="match_1",
        name="-",
        at="-",
        access=Access(),
        recorded=lanes[0],
        today=lanes[1] if replayable else None,
        candidate=lanes[2] if replayable else None,
        control=lanes[3] if replayable else None,
    )


@law(200)
@given(st.lists(cases(), max_size=8))
def test_the_empty_change_repairs_and_spoils_nothing(found: list[Case]) -> None:
    empty = count([replace(one, candidate=one.today) for one in found])
    assert set(empty.results) <= {CaseResult.same, CaseResult.could_not_be_replayed}
    assert empty.drifted == count(found).drifted


@law(200)
@given(cases())
def test_a_change_is_credited_with_what_differs_from_today_alone(case: Case) -> None:
    again = replace(case, recorded=Lane("z", "z", case.recorded.right))
    assert again.result == case.result
    if case.today is not None and case.candidate is not None:
        assert (case.result is CaseResult.repaired) == (case.today.right is False and case.candidate.right is True)
        assert (case.result is CaseResult.regressed) == (case.today.right is True and case.candidate.right is False)
        assert again.drift


@law(100)
@given(st.lists(cases(), max_size=8), st.randoms())
def test_every_case_is_counted_once_whatever_the_order(found: list[Case], dice: object) -> None:
    del dice
    counted = count(found)
    assert sum(counted.results.values()) == counted.looked_at == len(found)
    assert count([*reversed(found)]) == counted
    assert told(counted, truncated=False)
