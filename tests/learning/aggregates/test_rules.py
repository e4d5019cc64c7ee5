"""Laws of what signals add up to, without a database."""

import random
from itertools import count
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.learning.words import DesignSignalKind as Kind
from graph_schema.library.words import CrossModelApplicability as Applies
from service.learning.aggregates.rules import Counted, Thresholds, add_up, surfaced, wilson
from service.learning.lane.sums import drafts_of_sums
from tests.laws import law

_NUMBERS = count()
THRESHOLDS = Thresholds()


def seen(
    kind: Kind = Kind.template_selected, *, run: int = 0, task: int = 0, audience: str = "internal|", **more: Any
) -> Counted:
    told: dict[str, Any] = {"on": "tpl_1", "name": "Draft", "label": "Template", **more}
    return Counted(f"sig_{next(_NUMBERS)}", kind, audience, run_id=f"run_{run}", task_id=f"task_{task}", **told)


def many(number: int, tasks: int = 3, **more: Any) -> list[Counted]:
    return [seen(run=one, task=one % tasks, **more) for one in range(number)]


KINDS = st.sampled_from((Kind.template_selected, Kind.template_rejected, Kind.capability_unused))
SIGNALS = st.lists(
    st.builds(
        seen,
        KINDS,
        run=st.integers(0, 30),
        task=st.integers(0, 5),
        audience=st.sampled_from(("internal|", "internal|m1")),
        model_class=st.sampled_from(("cheap_local", "expensive_frontier")),
    ),
    max_size=60,
)


@given(SIGNALS, st.randoms(use_true_random=False))
@law(30)
def test_the_same_signals_in_any_order_come_to_the_same(signals: list[Counted], mix: random.Random) -> None:
    mixed = [*signals, *signals[:5]]
    mix.shuffle(mixed)
    assert add_up(mixed) == add_up(signals)


@given(SIGNALS)
@law(30)
def test_taking_a_matters_signals_away_changes_nothing_for_others(signals: list[Counted]) -> None:
    def open_to_all(found: list[Counted]) -> list[object]:
        return [one for one in add_up(found) if one.audience == "internal|"]

    assert open_to_all(signals) == open_to_all([one for one in signals if one.audience == "internal|"])


@given(SIGNALS)
@law(30)
def test_below_the_thresholds_nothing_is_told(signals: list[Counted]) -> None:
    for one, _ in surfaced(add_up(signals), THRESHOLDS):
        assert one.occasions >= THRESHOLDS.runs
        assert one.tasks >= THRESHOLDS.tasks
        assert one.interval[0] >= THRESHOLDS.confidence
        assert 1 - one.share <= THRESHOLDS.regressions


@given(st.integers(0, 200), st.integers(0, 200))
@law(40)
def test_an_interval_holds_the_share_and_narrows_with_evidence(good: int, bad: int) -> None:
    low, high = wilson(good, good + bad)
    assert 0 <= low <= high <= 1
    if good + bad:
        assert low <= good / (good + bad) + 1e-3
        assert high >= good / (good + bad) - 1e-3
        more = wilson(10 * good, 10 * (good + bad))
        assert more[1] - more[0] <= high - low


def test_each_threshold_holds_something_back() -> None:
    assert [one.question.name for one, _ in surfaced(add_up(many(10)), THRESHOLDS)] == ["chosen"]
    assert not surfaced(add_up(many(9)), THRESHOLDS)
    assert not surfaced(add_up(many(12, tasks=2)), THRESHOLDS)
    against = [seen(Kind.template_rejected, run=50 + one, task=one) for one in range(3)]
    assert not surfaced(add_up([*many(12), *against]), THRESHOLDS)


def test_designs_count_as_well_as_runs_and_each_output_by_itself() -> None:
    def wanted(number: int, output: str) -> Counted:
        told: dict[str, Any] = {"on": "tpl_1", "name": "Menu", "label": "Template", "subject": output}
        kind, where = Kind.output_preference_confirmed, f"dsn_{output}{number}"
        return Counted(f"sig_{next(_NUMBERS)}", kind, "internal|", occasion=where, task_id=f"task_{number % 3}", **told)

    signals = [*(wanted(one, "allergen table") for one in range(12)), *(wanted(one, "wine list") for one in range(4))]
    [(one, _)] = surfaced(add_up(signals), THRESHOLDS)
    assert (one.subject, one.occasions, one.runs, one.tasks) == ("allergen table", 12, 0, 3)
    [draft] = drafts_of_sums(add_up(signals), THRESHOLDS)
    [step] = draft.given.steps
    assert (draft.rule, step.field, step.value) == ("sum_of_output 1", "default_output_archetypes", ["allergen table"])


def test_what_is_surely_so_is_proposed_for_its_card_and_what_is_surely_not_as_a_limit() -> None:
    menu: dict[str, Any] = {"context_class": "menu/draft/kitchen"}
    wine: dict[str, Any] = {"context_class": "wine/draft/kitchen", "kind": Kind.template_rejected}
    good, bad = many(14, **menu), many(14, **wine)
    drafts = drafts_of_sums(add_up([*good, *bad]), THRESHOLDS)
    said = {str(one.given.steps[0].field): one.given.steps[0].value for one in drafts}
    assert said == {
        "known_strengths": ["People choose it (seen in menu/draft/kitchen)."],
        "known_limitations": ["People do not choose it (seen in wine/draft/kitchen)."],
    }
    assert {len(one.given.supported_by) for one in drafts} == {14}
    assert drafts_of_sums(add_up(many(9, **menu)), THRESHOLDS) == []


@given(SIGNALS, st.randoms(use_true_random=False))
@law(30)
def test_sums_in_any_order_propose_the_same_and_a_matters_signals_nothing_for_others(
    signals: list[Counted], mix: random.Random
) -> None:
    few = Thresholds(2, 1, 0.3, 0.5)
    drafts = drafts_of_sums(add_up(signals), few)
    mixed = [*signals, *signals[:5]]
    mix.shuffle(mixed)
    assert drafts_of_sums(add_up(mixed), few) == drafts
    left = [one for one in signals if one.audience == "internal|"]
    assert drafts_of_sums(add_up(left), few) == [one for one in drafts if one.audience == "internal|"]


def test_what_one_class_of_model_did_says_nothing_of_another_until_it_was_seen() -> None:
    small = many(12, model_class="cheap_local")
    [(_, alone)] = surfaced(add_up(small), THRESHOLDS)
    assert alone is Applies.requires_validation
    both = surfaced(add_up([*small, *many(12, model_class="expensive_frontier")]), THRESHOLDS)
    assert {holds for _, holds in both} == {Applies.cross_model_applicable}
    bad = [seen(Kind.template_rejected, run=one, task=one % 3, model_class="medium") for one in range(12)]
    [(one, holds)] = surfaced(add_up([*small, *bad]), THRESHOLDS)
    assert (one.model_class, holds) == ("cheap_local", Applies.model_class_specific)
    assert surfaced(add_up(many(12)), THRESHOLDS)[0][1] is Applies.requires_validation
