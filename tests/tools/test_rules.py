"""The rules of health, corrections and recommendations: plain functions, held against plain recounts."""

import random
from collections import Counter
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as some

from graph_schema.tools.words import RecommendationKind, ToolErrorClass, ToolStanding, ToolWorld, UtilityTrend
from service.access.audience import Access
from service.tools.health.facts import Call, Corrected
from service.tools.health.rules import health_of, utility_rate
from service.tools.limits import Limits, ReaskLimits
from service.tools.recommendations.rules import advise
from service.tools.reports.corrections import Asked, corrections
from service.tools.vocabulary import vocabulary_of
from tests.laws import law
from tests.tools.calls import ACCESSES, NOW, T, asks, call, calls, facts

LIMITS = Limits()
FEW = Limits(outcomes=12)


@law(60)
@given(calls(), some.randoms())
def test_any_order_of_the_same_calls_gives_the_same_health_and_advice(found: list[Call], chance: random.Random) -> None:
    other = [*found]
    chance.shuffle(other)
    assert health_of(facts(*found), NOW, FEW) == health_of(facts(*other), NOW, FEW)
    assert [str(one) for one in advise(facts(*found), {}, NOW, FEW)] == [
        str(one) for one in advise(facts(*other), {}, NOW, FEW)
    ]


@law(60)
@given(calls())
def test_health_is_what_a_plain_recount_says(found: list[Call]) -> None:
    health = health_of(facts(*found), NOW, FEW)
    window = [one for one in found if NOW - timedelta(days=14) < one.at <= NOW]
    window = sorted(window, key=lambda one: (one.at, one.key))[-12:]
    assert health.outcomes == len(window)
    assert health.successes == sum(one.outcome is T.success for one in window)
    assert health.wrong_tool_boundary_recent == sum(one.outcome is T.wrong_tool_boundary for one in window)
    assert health.low_utility_recent == sum(one.outcome is T.low_utility for one in window)
    assert health.user_corrections_recent == sum(bool(one.corrections) for one in window)
    errors = Counter(one.error_class for one in window if one.outcome is T.execution_error)
    assert {one.error_class: one.count for one in health.errors} == {**errors}
    axes = Counter(axis for one in window for axis in one.axes)
    assert {one.axis: one.count for one in health.boundary_axes} == {**axes}
    referred = health.wrong_tool_boundary_recent
    assert health.cohesion_warning == (referred >= 3 and len(axes) >= 2 and referred >= len(window) / 5)
    assert sum(one.outcomes for one in health.methods) == len(window)
    assert all(0 < one.rate < 1 and one.count <= one.of for one in (health.failure_rate, health.referral_rate))


@law(60)
@given(calls())
def test_what_is_recommended_to_a_circle_rests_on_what_the_circle_sees(found: list[Call]) -> None:
    for one in advise(facts(*found), {}, NOW, LIMITS):
        assert all(one.access.covers(each.access) for each in (*one.support, *one.counter))
        assert all(one.access.covers(each.access) for call in one.support for each in call.corrections)
        seen = [each.within(one.access) for each in found if one.access.covers(each.access)]
        assert one in advise(facts(*seen), {}, NOW, LIMITS)


def test_a_success_does_not_wipe_out_what_was_before() -> None:
    flaky = [call(one, T.execution_error if one % 2 else T.success, hours=one) for one in range(10)]
    health = health_of(facts(*flaky), NOW, LIMITS)
    assert (health.standing, health.failure_rate.count, health.failure_rate.of) == (ToolStanding.failing, 5, 10)
    assert health.repair_priority > 0
    assert health.regeneration_priority == 0


def test_what_the_world_does_to_a_tool_is_not_its_own_fault() -> None:
    down = [call(one, T.execution_error, error_class=ToolErrorClass.environment) for one in range(9)]
    health = health_of(facts(*down), NOW, LIMITS)
    assert (health.standing, health.repair_priority) == (ToolStanding.reliable, 0)
    assert [(one.error_class, one.count) for one in health.errors] == [(ToolErrorClass.environment, 9)]


def test_repeated_low_utility_demotes_and_asking_again_alone_does_not() -> None:
    good = [call(one) for one in range(4)]
    weak = [call(10 + one, T.low_utility) for one in range(3)]
    assert health_of(facts(*good, *weak[:2]), NOW, LIMITS).standing is ToolStanding.reliable
    demoted = health_of(facts(*good, *weak), NOW, LIMITS)
    assert (demoted.standing, demoted.low_utility_rate.rate) == (ToolStanding.demoted, 0.4444)
    assert demoted.regeneration_priority > 0
    asked_again = [call(20 + one, corrections=(Corrected(f"u{one}"),)) for one in range(5)]
    assert health_of(facts(*asked_again), NOW, LIMITS).standing is ToolStanding.reliable
    assert health_of(facts(*asked_again[:2], weak[0]), NOW, LIMITS).standing is ToolStanding.demoted


def test_a_correction_weighs_three_times_an_opinion() -> None:
    corrected = utility_rate([call(1, corrections=(Corrected("u"),))], LIMITS)
    thought = utility_rate([call(1, T.low_utility)], LIMITS)
    assert (corrected.count, corrected.of) == (3, 4)
    assert (thought.count, thought.of) == (1, 1)


def test_trend_standing_without_calls_and_referring_too_often() -> None:
    older = [call(one, hours=200 - one) for one in range(6)]
    newer = [call(50 + one, T.low_utility, hours=50 - one) for one in range(6)]
    assert health_of(facts(*older, *newer), NOW, LIMITS).utility_trend is UtilityTrend.falling
    better = [call(80 + one, hours=20 - one) for one in range(6)]
    assert health_of(facts(*newer, *better), NOW, LIMITS).utility_trend is UtilityTrend.rising
    assert health_of(facts(*older), NOW, LIMITS).utility_trend is UtilityTrend.unknown
    assert health_of(facts(days=3), NOW, LIMITS).standing is ToolStanding.unknown
    assert health_of(facts(days=100), NOW, LIMITS).standing is ToolStanding.unused
    escaping = [call(one, T.wrong_tool_boundary) for one in range(5)]
    assert health_of(facts(*escaping), NOW, LIMITS).referral_overused
    assert not health_of(facts(*escaping[:3], *older), NOW, LIMITS).referral_overused


def test_each_kind_of_advice_has_its_ground() -> None:
    weak = [call(one, T.low_utility, method="scrape") for one in range(4)]
    good = [call(20 + one, method="fetch") for one in range(3)]
    kinds = {one.kind: one for one in advise(facts(*weak, *good), {}, NOW, LIMITS)}
    assert {*kinds} == {RecommendationKind.tighten_acceptance, RecommendationKind.deprecate_method}
    assert {one.method for one in kinds.values()} == {"scrape"}
    assert all(one.thresholds and one.rationale and len(one.support) == 4 for one in kinds.values())
    fading = [call(one, hours=300 - one, method="scrape") for one in range(14)]
    fading += [
        call(60 + one, T.low_utility if one > 10 else T.success, hours=60 - one, method="scrape") for one in range(14)
    ]
    [tighten] = advise(facts(*fading), {}, NOW, LIMITS)
    assert (tighten.kind, tighten.method, "falling" in str(tighten.thresholds)) == (
        RecommendationKind.tighten_acceptance,
        "scrape",
        True,
    )
    sums = [one.kind for one in advise(facts(*weak), {"scrape": ToolWorld.deterministic}, NOW, LIMITS)]
    assert sums == []
    referred = [call(40 + one, T.wrong_tool_boundary) for one in range(3)]
    [split] = advise(facts(*referred, *good), {}, NOW, LIMITS)
    assert (split.kind, split.axes, len(split.support), len(split.counter)) == (
        RecommendationKind.split_boundary,
        ("extraction", "transport"),
        3,
        3,
    )


def test_what_a_wider_circle_is_told_is_not_told_again() -> None:
    seen = [call(one, T.wrong_tool_boundary) for one in range(3)]
    closed = [call(10 + one, T.wrong_tool_boundary, access=ACCESSES[1]) for one in range(3)]
    assert [one.access for one in advise(facts(*seen, *closed), {}, NOW, LIMITS)] == [ACCESSES[0]]
    assert [one.access for one in advise(facts(*closed), {}, NOW, LIMITS)] == [ACCESSES[1]]


@law(80)
@given(asks(), some.randoms())
def test_any_order_of_asks_gives_the_same_corrections_and_what_is_hidden_changes_none(
    found: list[Asked], chance: random.Random
) -> None:
    limits = ReaskLimits()
    known = corrections(found, limits)
    other = [*found]
    chance.shuffle(other)
    assert corrections(other, limits) == known
    for one in known.values():
        assert one.later.session == one.earlier.session
        assert timedelta(0) <= one.later.at - one.earlier.at <= limits.window
        assert one.later.shape == one.earlier.shape
        assert one.likeness >= limits.likeness
    for circle in ACCESSES:
        seen = corrections([one for one in found if circle.covers(one.access)], limits)
        assert seen == {key: one for key, one in known.items() if circle.covers(one.later.access)}


def test_phrases_count_only_where_they_are_switched_on() -> None:
    words = vocabulary_of()
    said = tuple(words.corrections("This is wrong, try again"))
    assert said == ("said_wrong", "said_again")
    first = Asked("a", "a", "s", NOW, frozenset({"fetch"}), "list", True, Access())
    later = Asked("b", "b", "s", NOW + timedelta(minutes=1), frozenset({"sum"}), "list", True, Access(), said)
    assert corrections([first, later], ReaskLimits()) == {}
    [one] = corrections([first, later], ReaskLimits(phrases=True)).values()
    assert (one.earlier, one.by_phrase) == (first, said)


def test_axes_are_normalised_and_errors_told_apart() -> None:
    words = vocabulary_of()
    assert words.axes_of(["HTTP", " fetch ", "html_extraction", "Tea"]) == ["extraction", "tea", "transport"]
    told = {"TimeoutError": "environment", "403": "authorisation", "ValueError": "input", "KeyError": "tool"}
    told |= dict.fromkeys(("ETIMEDOUT", "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "quota_exceeded"), "environment")
    assert {code: words.error_class(code).value for code in told} == told
    assert words.error_class("E-77") is ToolErrorClass.unknown
    assert words.error_class(None, "connection refused") is ToolErrorClass.environment
