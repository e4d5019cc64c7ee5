"""Runs that are reported, and asked for through GraphQL."""

from collections.abc import Sequence
from typing import Any, LiteralString

from graph_schema.model.fields import DataClass
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from service.graph.database import Database, Row
from service.memory.views import Runs
from tests.memory.conftest import Executor
from tests.memory.stories import Event, Story, step
from tests.viewers import viewer_of


class Counting:
    """A database that counts the statements it is asked."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.asked: list[str] = []

    async def read_one(self, query: LiteralString, **parameters: Any) -> Row | None:
        self.asked.append(query)
        return await self._database.read_one(query, **parameters)

    async def read_value(self, query: LiteralString, parameters: Row) -> Any:
        self.asked.append(query)
        return await self._database.read_value(query, parameters)


async def report(executor: Executor, events: Sequence[Event]) -> str:
    answers = await executor.report(events)
    assert {one.outcome.value for one in answers} == {"accepted"}, [one.code for one in answers]
    assert answers[0].run_id
    return answers[0].run_id


async def ask(schema: ReadSchema, executor: Executor, query: str, *, database: Any = None, **variables: Any) -> Any:
    viewer = await viewer_of(executor.database, clearance=variables.pop("clearance", DataClass.local_only))
    database = database or executor.database
    context = Context(viewer, database, "req_1", {Runs: Runs(database)})
    answer = await schema.execute(query, variable_values=variables, context_value=context)
    assert not answer.errors, answer.errors
    assert answer.data
    return answer.data


def sequential() -> list[Event]:
    story = Story().tell("run_started", task_key="digest", task_name="Weekly digest", trigger_kind="schedule")
    before: list[Event] = []
    for name in ("collect", "write", "send"):
        story.tell("activation_started", **step(name), triggered_by=before, module_type="agent", model_ref="small")
        story.tell("activation_completed", **step(name), cost_usd=0.25, input_tokens=100, output_tokens=10)
        before = [step(name)]
    return story.tell("run_completed").events


def fanned_out() -> list[Event]:
    """plan, then two readers each with a check of its own, then merge."""
    story = Story().tell("run_started", task_key="fan")
    story.tell("activation_completed", **step("plan"), started_at="2026-01-01T10:00:01.000Z")
    for turn in (1, 2):
        story.tell("activation_started", **step("read", turn), triggered_by=[step("plan")], branch_label=f"b{turn}")
    for turn in (2, 1):
        story.tell("activation_completed", **step("read", turn))
        story.tell("activation_started", **step("check", turn), triggered_by=[step("read", turn)])
        story.tell("activation_completed", **step("check", turn))
    story.tell("activation_started", **step("merge"), triggered_by=[step("check", 1), step("check", 2)])
    return story.events


def looped() -> list[Event]:
    story = Story().tell("run_started", task_key="loop")
    before: list[Event] = []
    for turn in (1, 2, 3):
        for name in ("draft", "judge"):
            story.tell("activation_started", **step(name, turn), triggered_by=before)
            story.tell("activation_completed", **step(name, turn), cost_usd=0.1)
            before = [step(name, turn)]
    story.tell("activation_completed", **step("send"), triggered_by=before, started_at="2026-01-01T10:00:40.000Z")
    return story.tell("run_completed").events


def waiting() -> list[Event]:
    story = Story().tell("run_started", task_key="review", task_name="Review")
    story.tell("activation_started", **step("read"), name="Reading").tell("activation_completed", **step("read"))
    story.tell("activation_waiting", **step("approve"), name="Approval", waiting_reason="A partner reads it")
    story.tell(
        "gate_opened",
        **step("approve"),
        gate_key="g",
        gate_kind="human_review",
        question="May it go out?",
        deadline_at="2026-01-02T10:00:00.000Z",
    )
    return story.events


def failed() -> list[Event]:
    story = Story().tell("run_started", task_key="mailing")
    story.tell("activation_started", **step("write"))
    story.tell("span", span_key="c", span_kind="llm_call", status="error", error_code="rate", **step("write"))
    story.tell("span", span_key="r", span_kind="retry", status="success", parent_span_key="gone", **step("write"))
    story.tell("artifact_produced", artifact_key="letter", artifact_kind="email", name="Letter",
               output_class="final_output", storage_ref="ref://letter", **step("write"))  # fmt: skip
    story.tell("delivery", idempotency_key="m", delivery_kind="email", status="delivered", artifact_key="letter",
               delivered_to=["a@example.com"], **step("write"))  # fmt: skip
    story.tell("delivery", idempotency_key="n", delivery_kind="file_save", status="blocked_by_policy", **step("write"))
    story.tell("snapshot", snapshot_key="d", snapshot_kind="policy", decision="blocked", decision_kind="file_write",
               reason_codes=["no_write"], **step("write"))  # fmt: skip
    story.tell("activation_failed", **step("write"), error_code="timeout", error_message="It took too long")
    return story.tell("run_failed", failure_code="timeout", failure_summary="Writing took too long").events
