"""Laws of what is learned from responses: plain functions, no graph."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.routing.words import InvocationSignalKind, SuggestionKind, SuggestionResponse, Verdict
from service import clock
from service.routing.feedback.responses import READINGS, UPDATES, reading
from service.routing.feedback.rules import Limits, Standing, Tally, counted, may_suggest, standing
from tests.laws import law

NO, YES = Verdict.refusal, Verdict.acceptance
START = datetime(2026, 1, 1, tzinfo=UTC)
LIMITS = Limits()

Told = tuple[int, Verdict, int]
"""In which circle of readers, what, and how many days after the one before."""
histories = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(Verdict), st.integers(0, 20)), min_size=0, max_size=14
)


def circles(history: Sequence[Told]) -> list[Tally]:
    found = [Tally(), Tally(), Tally()]
    at = START
    for circle, verdict, days in history:
        at += timedelta(days=days, minutes=1)
        found[circle] = counted(found[circle], verdict, clock.stamp(at), LIMITS)
    return found


def told(*history: Verdict, days: int = 1) -> Standing:
    return standing(circles([(0, one, days) for one in history]), LIMITS)


def height(found: Standing) -> int:
    """How far a suggestion gets: less when muted, more when boosted."""
    return found.boosted - found.muted


def test_three_refusals_without_an_acceptance_between_mute() -> None:
    assert not told(NO, NO).muted
    assert told(NO, NO, NO).muted
    assert not told(NO, NO, YES, NO, NO).muted
    assert not told(NO, NO, NO, days=16).muted
    assert told(NO, NO, NO, days=14).muted


def test_a_mute_holds_until_acceptances_outweigh_it() -> None:
    assert told(NO, NO, NO, YES).muted
    assert not told(NO, NO, NO, YES, YES).muted
    assert not told(NO, NO, NO, NO, YES, YES).muted
    assert told(NO, NO, NO, NO, NO, YES, YES).muted
    assert told(NO, NO, NO, NO, NO, YES, YES).weight == 1
    assert told(NO, NO, NO, days=12).muted
    assert told(NO, NO, NO, YES, NO, NO, YES).muted


def test_three_acceptances_without_a_refusal_between_boost_and_one_refusal_ends_it() -> None:
    assert told(YES, YES, YES).boosted
    assert not told(YES, YES).boosted
    assert not told(YES, YES, YES, NO).boosted
    assert not told(YES, YES, YES, days=16).boosted


def test_circles_that_each_know_too_little_are_put_together() -> None:
    apart: list[Told] = [(0, NO, 1), (1, NO, 1), (2, NO, 1)]
    assert standing(circles(apart), LIMITS).muted
    assert not standing(circles(apart)[:2], LIMITS).muted
    assert not standing(circles([*apart[:2], (2, YES, 1), (2, NO, 1)]), LIMITS).muted
    assert not standing(circles([(0, NO, 1), (0, NO, 1), (0, NO, 1), (1, YES, 1), (1, YES, 1)]), LIMITS).muted


@law(200)
@given(histories, st.randoms())
def test_what_holds_does_not_depend_on_the_order_in_which_it_was_told(history: list[Told], chance: Random) -> None:
    at, timed = START, list[tuple[int, Verdict, str]]()
    for circle, verdict, days in history:
        at += timedelta(days=days, minutes=1)
        timed.append((circle, verdict, clock.stamp(at)))

    def found(order: Sequence[tuple[int, Verdict, str]]) -> Standing:
        tallies = [Tally(), Tally(), Tally()]
        for circle, verdict, stamp in order:
            tallies[circle] = counted(tallies[circle], verdict, stamp, LIMITS)
        return standing(tallies, LIMITS)

    assert found(chance.sample(timed, len(timed))) == found(timed)


@law(200)
@given(histories)
def test_a_mute_has_something_left_to_outweigh(history: list[Told]) -> None:
    found = standing(circles(history), LIMITS)
    assert found.muted is (found.weight > 0)


@law(200)
@given(histories, st.integers(0, 14), st.integers(0, 2), st.lists(st.booleans(), min_size=3, max_size=3))
def test_one_more_refusal_never_helps_a_suggestion(
    history: list[Told], place: int, circle: int, seen: list[bool]
) -> None:
    more = [*history[:place], (circle, NO, 0), *history[place:]]

    def visible(tallies: list[Tally]) -> list[Tally]:
        return [one for one, sees in zip(tallies, seen, strict=True) if sees]

    before, after = (standing(visible(circles(one)), LIMITS) for one in (history, more))
    assert height(after) <= height(before)


@law(50)
@given(histories)
def test_what_is_counted_is_all_that_was_told(history: list[Told]) -> None:
    found = standing(circles(history), LIMITS)
    assert found.refusals == sum(one is NO for _, one, _ in history)
    assert found.acceptances == sum(one is YES for _, one, _ in history)
    assert not (found.muted and found.boosted)


def test_a_day_has_room_for_one_suggestion_of_a_class_and_three_in_all() -> None:
    assert may_suggest(0, 2, LIMITS)
    assert not may_suggest(1, 1, LIMITS)
    assert not may_suggest(0, 3, LIMITS)


def test_every_response_to_every_kind_of_suggestion_is_read() -> None:
    for kind in SuggestionKind:
        for said in SuggestionResponse:
            found = reading(kind, said)
            assert found.verdict is None or found.signal is not None, (kind, said)
    refusals = {said for by in READINGS.values() for said, one in by.items() if one.verdict is NO}
    assert SuggestionResponse.ignored not in refusals
    assert {*UPDATES} == {*InvocationSignalKind}
