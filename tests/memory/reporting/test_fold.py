"""The fold itself, without a database: the same records whatever the order."""

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.memory.words import IntakeLevel
from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, Viewer
from service.memory.reporting import intake
from service.memory.reporting.effects import BY_ID, effects_of
from service.memory.reporting.events import latest_at, understood
from service.memory.reporting.fold import fold
from service.memory.reporting.node import Node, read_marks, write_marks
from service.memory.reporting.policy import Rules, RunPolicy, settled
from service.memory.reporting.world import RunState, World
from tests.laws import law
from tests.memory.stories import POLICY, RUN, Event, Story, step, whole_run

VIEWER = Viewer("p", "p", frozenset(KeyScope), DataClass.local_only, frozenset(), True, ())
LATEST = latest_at(datetime(2026, 2, 1, tzinfo=UTC))
HANDLE = ("Run", RUN["source"], RUN["key"])
CHANGING = frozenset({"id", "run_id", "created_at", "updated_at"})


def folded(events: list[Event]) -> tuple[Any, Any]:
    """All records and links that come of these events."""
    rules = Rules(settled(RunPolicy.model_validate(events[0]["policy"])))
    world = World(REGISTRY, VIEWER, "2026-02-01T00:00:00.000Z")
    world.runs[HANDLE] = RunState(HANDLE, "run_1", rules)
    read = [understood(place, event, LATEST) for place, event in enumerate(events)]
    fold(world, [(event, effects_of(REGISTRY, rules, HANDLE, event)) for event in read])
    names = {node.id: handle for handle, node in world.nodes.items() if handle[0] != BY_ID}
    records = {
        names[node.id]: {name: one for name, one in node.row().items() if name not in CHANGING}
        for node in world.nodes.values()
    }
    return records, {(names[tail], kind, names[head]): one for (tail, kind, head), one in world.links.items()}


def record(events: list[Event], *handle: Any) -> Any:
    return folded(events)[0][(handle[0], *HANDLE[1:], *handle[1:]) if len(handle) > 1 else HANDLE]


@given(seed=st.integers(0, 10**9))
@law(25)
def test_any_order_and_repetition_folds_to_the_same(seed: int) -> None:
    events = whole_run()
    draw = random.Random(seed)  # noqa: S311 - an order, not a secret
    shuffled = [*events, *draw.choices(events, k=10)]
    draw.shuffle(shuffled)
    assert folded(shuffled) == folded(events)


def test_an_end_before_its_start_loses_nothing() -> None:
    story = Story().tell("activation_started", **step("m"), name="Read").tell("activation_completed", **step("m"))
    found = record(story.events[::-1], "Activation", "m", 1)
    assert (found["status"], found["name"], found["duration_ms"], found["stub"]) == ("success", "Read", 1000, False)


def test_a_run_waits_when_nothing_runs_and_something_waits() -> None:
    story = Story().tell("run_started").tell("activation_started", **step("a"))
    story.tell("activation_waiting", **step("b"), waiting_reason="Asked")
    assert record(story.events)["status"] == "running"
    assert record(story.tell("activation_completed", **step("a")).events)["status"] == "waiting"
    assert record(story.tell("activation_resumed", **step("b")).events)["status"] == "running"
    assert record(story.tell("run_cancelled").events)["status"] == "cancelled"


def test_the_first_start_and_the_last_end_stand() -> None:
    story = Story().tell("run_started").tell("run_failed", failure_code="x").tell("run_started").tell("run_completed")
    found = record(story.events)
    assert (found["started_at"], found["completed_at"]) == (
        story.events[0]["occurred_at"],
        story.events[3]["occurred_at"],
    )
    assert (found["status"], found["failure_code"]) == ("completed", "x")


@pytest.mark.parametrize(
    ("told", "stands", "conflicts"),
    [
        (["pending", "failed", "delivered a"], "delivered a", []),
        (["draft_only", "delivered a"], "delivered a", []),
        (["failed", "delivered a", "delivered a"], "delivered a", []),
        (["delivered a", "pending"], "delivered a", []),
        (["delivered a", "delivered b"], "delivered b", ["delivered a"]),
        (["delivered a", "failed", "delivered a"], "delivered a", []),
        (["delivered a", "failed"], "failed", ["delivered a"]),
        (["blocked_by_policy", "failed"], "failed", []),
    ],
)
def test_one_side_effect_is_one_delivery_with_a_life(told: list[str], stands: str, conflicts: list[str]) -> None:
    story = Story()
    for status, _, to in (one.partition(" ") for one in told):
        more = {"delivered_to": [to]} if to else {}
        story.tell("delivery", idempotency_key="k", delivery_kind="email", status=status, **more, **step("m"))
    for events in (story.events, story.events[::-1]):
        found = record(events, "Delivery", "k")
        assert " ".join([found["status"], *found.get("delivered_to", ())]) == stands
        assert (found.get("conflicting", False), found.get("conflicts", [])) == (bool(conflicts), conflicts)
        assert ("delivered_at" in found) is stands.startswith("delivered")


def test_a_parent_that_comes_later_is_found() -> None:
    story = Story().tell("span", span_key="c", span_kind="retry", status="success", parent_span_key="p")
    records, links = folded(story.events)
    parent = ("Span", *HANDLE[1:], "p")
    assert records[parent]["stub"]
    assert (("Span", *HANDLE[1:], "c"), "CHILD_OF", parent) in links


def test_modules_belong_to_the_task_whenever_it_becomes_known() -> None:
    story = Story().tell("activation_started", **step("m")).tell("run_started", task_key="t", task_name="Task")
    _, links = folded(story.events)
    assert (("Activation", *HANDLE[1:], "m", 1), "OF_MODULE", ("Module", RUN["source"], "t/m")) in links


def test_marks_survive_being_stored() -> None:
    marks = {"name": "2026 5 e, 1 ab", "summary": "2026 5 e, 1 ab", "status": "2027 9 x y z"}
    assert read_marks(write_marks(marks)) == marks
    node = Node("Span", {"id": "span_1", "version": 1, "stamps": write_marks(marks), "name": "n"}, is_new=False)
    node.put({"name": "older"}, "2025 9 a b")
    assert node.properties["name"] == "n"


STANDARD = Rules(settled(RunPolicy.model_validate(POLICY)))


@pytest.mark.parametrize(
    ("event", "level", "rule"),
    [
        ({"module_port_level": "no_capture", "task_level": "doc72_reference"}, "no_capture", "module_port"),
        ({"task_port_level": "doc72_reference", "capture_mode": "never_capture"}, "doc72_reference", "task_port"),
        ({"capture_mode": "add_to_library", "task_level": "run_only"}, "doc73_library_ingestion", "capture_mode"),
        ({"capture_mode": "default", "step_intent_level": "run_only"}, "run_only", "step_intent"),
        ({"output_class_level": "doc25_document_ingestion"}, "doc25_document_ingestion", "output_class"),
        ({"task_level": "doc72_reference"}, "doc72_reference", "task"),
        ({"output_class": "downloaded_document"}, "doc25_document_ingestion", "recommended_default"),
        ({"output_class": "final_output"}, "doc72_summary_reference", "recommended_default"),
        ({"artifact_kind": "judge_result", "output_class": "final_output"}, "run_only", "recommended_default"),
        ({"output_class": "sent_message"}, "run_only", "recommended_default"),
    ],
)
def test_the_first_rule_that_speaks_decides(event: dict[str, Any], level: str, rule: str) -> None:
    found = intake.decide(STANDARD, event)
    assert (found.level, found.rule) == (level, rule)


def test_above_a_level_a_person_is_asked() -> None:
    asked = intake.decide(STANDARD, {"task_level": "doc73_library_ingestion", "review_above_level": "doc72_reference"})
    assert (asked.level, asked.suggested) == (IntakeLevel.run_only, IntakeLevel.doc73_library_ingestion)
    each = intake.decide(STANDARD, {"capture_mode": "ask_each_time"})
    assert (each.level, each.suggested) == (IntakeLevel.run_only, IntakeLevel.doc72_summary_reference)


def test_private_runs_beat_every_rule() -> None:
    for mode, level in (("memory_incognito", "run_only"), ("full_ephemeral_test", "no_capture")):
        rules = Rules(settled(RunPolicy.model_validate({**POLICY, "memory_mode": mode})))
        assert intake.decide(rules, {"module_port_level": "doc73_library_ingestion"}).level == level


def test_the_body_of_a_message_is_kept_only_where_it_is_to_be_found() -> None:
    for level, kept in (("run_only", False), ("doc72_summary_reference", True)):
        story = Story().tell("artifact_produced", artifact_key="a", artifact_kind="email", summary="Dear all",
                             module_port_level=level, sender="w", **step("m"))  # fmt: skip
        found = folded(story.events)[0]["Artifact", RUN["source"], "a"]
        assert (found.get("summary") == "Dear all", found["sender"]) == (kept, "w")
