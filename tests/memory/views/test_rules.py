"""The rules of the read models, without a database."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.memory.words import (
    ContinuationStatus,
    MemoryMode,
    OutputCapture,
    PromptCapture,
    RetentionClass,
    RunStatus,
    SessionKind,
    StepStatus,
    WriteScope,
)
from service.memory.views import RunFacts, RunIndex, steps
from service.memory.views.aftermath import controls
from service.memory.views.costs import costs
from service.memory.views.facts import Activation, Run, Session, Span
from service.memory.views.order import in_order, loop_rounds
from service.memory.views.table import VIEWS
from service.memory.views.trace import trace
from service.memory.views.words import duration, listed, money
from tests.laws import law

NOW = "2026-01-01T12:00:00.000Z"
RUN = Run(
    id="run_1",
    name="r",
    status=RunStatus.running,
    updated_at=NOW,
    memory_mode=MemoryMode.standard,
    capture_prompts=PromptCapture.redacted,
    capture_outputs=OutputCapture.redacted_summary,
    memory_write_scope=WriteScope.task_run_plus_linked_artifacts,
    retention_class=RetentionClass.standard,
)


def activation(name: str, seq: int = 1, *after: str, **more: Any) -> Activation:
    status = more.pop("status", StepStatus.success)
    key = f"{name}{seq}"
    return Activation(
        id=key, name=f"{name} #{seq}", module_key=name, activation_seq=seq, status=status, triggered=after, **more
    )


def span(key: str, parent: str | None = None, **more: Any) -> Span:
    shared: dict[str, Any] = {"parent_span_key": parent, "parent_id": parent, "activation_id": "m1"}
    return Span(id=key, name=key, span_key=key, status=StepStatus.success, **{**shared, **more})


def index(**lists: Any) -> RunIndex:
    return RunIndex(RunFacts(RUN, **lists), NOW)


def test_order_does_not_depend_on_how_the_steps_came() -> None:
    found = [activation("a", 1, "b1", "c1"), activation("b", 1, "d1"), activation("c", 1, "d1"), activation("d")]
    for given_order in permutations(found):
        assert [one.id for one in in_order(given_order)] == ["a1", "b1", "c1", "d1"]


def test_a_circle_is_entered_where_it_began() -> None:
    found = [activation("a", 1, "b1", started_at=NOW), activation("b", 1, "a1"), activation("c", 1, "c1")]
    assert [one.id for one in in_order(found)] == ["c1", "a1", "b1"]


@st.composite
def flows(draw: st.DrawFn) -> list[Activation]:
    size = draw(st.integers(1, 9))
    modules = [(draw(st.sampled_from("abc")), place) for place in range(size)]
    ids = [f"{name}{seq}" for name, seq in modules]
    links = [draw(st.sets(st.sampled_from(ids), max_size=3)) for _ in modules]
    return [activation(name, seq, *sorted(links[place])) for place, (name, seq) in enumerate(modules)]


@given(flows())
@law(40)
def test_every_step_has_one_place_and_causes_come_first(found: list[Activation]) -> None:
    ordered = [one.id for one in in_order(found)]
    assert sorted(ordered) == sorted(one.id for one in found)
    places = {one: place for place, one in enumerate(ordered)}
    forward = [(one.id, after) for one in found for after in one.triggered if int(one.id[1:]) < int(after[1:])]
    if all(int(one.id[1:]) < int(after[1:]) for one in found for after in one.triggered):
        assert all(places[before] < places[after] for before, after in forward)


@given(flows(), st.randoms())
@law(25)
def test_all_read_models_take_any_flow(found: list[Activation], random: Any) -> None:
    mixed = list(found)
    random.shuffle(mixed)
    for view in VIEWS.values():
        assert view.make(index(activations=tuple(found))) == view.make(index(activations=tuple(mixed)))
    assert steps(index(activations=tuple(found))).found == len(found)


def test_a_fan_out_is_no_loop_and_a_reported_round_stands() -> None:
    fan = [activation("a", 1, "w1", "w2"), activation("w", 1, "z1"), activation("w", 2, "z1"), activation("z")]
    assert loop_rounds(fan) == {}
    loop = [activation("w", 1, "j1"), activation("j", 1, "w2"), activation("w", 2)]
    assert loop_rounds(loop) == {"w1": 1, "w2": 2}
    assert loop_rounds([activation("w", 1, "j1", loop_iteration=7), *loop[1:]]) == {"w1": 7, "w2": 2}


def test_the_outermost_span_that_tells_a_cost_is_believed_unless_the_step_tells_its_own() -> None:
    spans = (
        span("s1", cost_usd=0.5),
        span("s2", "s1", cost_usd=0.3, model_ref="big"),
        span("s3", "s1", cost_usd=0.2, model_ref="small", input_tokens=7),
    )
    told = costs(index(activations=(activation("m"),), spans=spans))
    assert (told.total_usd, [one.cost_usd for one in told.by_module]) == (0.5, [0.5])
    assert [(one.key, one.cost_usd) for one in told.by_model] == [("big", 0.3), ("small", 0.2)]
    own = costs(index(activations=(activation("m", cost_usd=0.9, model_ref="huge"),), spans=spans))
    assert [(one.key, one.cost_usd) for one in own.by_model] == [("huge", 0.4), ("big", 0.3), ("small", 0.2)]
    assert own.added_up_usd == 0.9


def test_a_subagent_has_the_costs_of_all_that_it_did() -> None:
    spans = (
        span("s1", span_kind="subagent_spawn", agent_ref="reader"),
        span("s2", "s1", cost_usd=0.3),
        span("s3", "s2", cost_usd=0.1),
        span("s4", cost_usd=1.0),
    )
    told = costs(index(activations=(activation("m"),), spans=spans))
    assert [(one.key, one.cost_usd, one.count) for one in told.by_subagent] == [("reader", 0.3, 1)]


def test_what_no_step_did_is_counted_once_and_the_run_itself_not_again() -> None:
    loose = {"activation_id": None}
    spans = (span("r", span_kind="task_run", cost_usd=9.0, **loose), span("x", cost_usd=0.5, **loose))
    told = costs(index(activations=(activation("m", cost_usd=1.0),), spans=spans))
    assert [(one.key, one.cost_usd) for one in told.by_module] == [("m", 1.0), (None, 0.5)]
    assert told.total_usd == 1.5


def test_spans_in_a_circle_and_without_parents_are_all_there() -> None:
    spans = (span("a", "b"), span("b", "a"), span("c", "lost"), span("d", "c"))
    told = trace(index(spans=spans))
    assert [(one.span_key, one.depth, one.parent_missing) for one in told.spans] == [
        ("c", 0, True),
        ("d", 1, False),
        ("a", 0, False),
        ("b", 1, False),
    ]


@pytest.mark.parametrize(
    ("kind", "status", "available", "reason"),
    [
        (SessionKind.resumable_openclaw_session, ContinuationStatus.available, True, "available"),
        (SessionKind.resumable_openclaw_session, ContinuationStatus.expired, False, "expired"),
        (SessionKind.spawned_subagent_session, ContinuationStatus.blocked_by_policy, False, "blocked_by_policy"),
        (SessionKind.one_shot_gateway_call, ContinuationStatus.available, False, "one_shot_gateway_call"),
        (SessionKind.archived_session, ContinuationStatus.available, False, "archived_session"),
        (None, ContinuationStatus.available, False, "unavailable"),
        (SessionKind.forked_session, ContinuationStatus.unknown, False, "unknown"),
    ],
)
def test_continuing_is_offered_only_where_the_runtime_says_so(
    kind: SessionKind | None, status: ContinuationStatus, available: bool, reason: str
) -> None:
    sessions = (Session(id="sess_1", name="s", session_key="s", continuation_status=status, session_kind=kind),)
    [control] = controls(index(sessions=sessions))
    assert (control.available, control.reason_code) == (available, reason)
    assert list(controls(index(activations=(activation("m"),)))) == []


def test_words() -> None:
    assert [duration(one) for one in (40, 9_990, 61_000, 3_600_000, 90_061_000)] == [
        "0.04s",
        "9.99s",
        "1m 1s",
        "1h",
        "1d 1h",
    ]
    assert [money(one) for one in (0, 0.0004, 18.371, 1234.5)] == ["$0.00", "$0.0004", "$18.37", "$1,234.50"]
    assert [listed(["a", "b", "c", "d", "e", "f"][:size]) for size in (0, 1, 2, 6)] == [
        "",
        "a",
        "a and b",
        "a, b, c, d and 2 more",
    ]
