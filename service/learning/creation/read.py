"""Reading what is kept of tasks that were made: their receipts, and the way back to the request."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.learning.design_words import CreationMode
from graph_schema.memory.words import RunStatus
from graph_schema.model.fields import Timestamp
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.creation import cypher
from service.learning.creation.rules import why_not
from service.memory.addresses import graph_page, run_page
from service.routing.decision.answer import TaskChip
from service.views import Id, Linked

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedTaskTrace:
    """The way from a task back to what was asked for and decided."""

    originating_user_request_ref: Annotated[str | None, "Where the request is kept."]
    task_mode_decision_id: Annotated[Id | None, "Id of the decision."]
    design_session_id: Annotated[Id | None, "Id of the design session."]
    resulting_task_id: Annotated[Id, "Id of the task."]
    resulting_task_template_ids: Annotated[tuple[Id, ...], "Ids of the templates that it is made from."]
    semantic_request_summary: Annotated[str, "What was asked for, in short."]
    why_task_mode_was_selected: Annotated[str, "Why it became a saved task."]
    user_visible_description: Annotated[str, "What the user is told that it does."]
    invocation_directive_candidate_id: Annotated[Id | None, "Id of a directive that similar requests could follow."]
    linked_goal_ids: Annotated[tuple[Id, ...], "Ids of its goals."]
    linked_entity_ids: Annotated[tuple[Id, ...], "Ids of people, documents and others that it is about."]
    linked_work_context_ids: Annotated[tuple[Id, ...], "Ids of its matters and projects."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedTaskReceipt:
    """What the user sees of a task that was made, and what can be done with it."""

    receipt_id: Annotated[Id, "Id of the receipt."]
    task_id: Annotated[Id, "Id of the task."]
    run_id: Annotated[Id | None, "Id of the run that it was made for."]
    creation_mode: Annotated[CreationMode, "How it came about."]
    visible_to_user: Annotated[bool, "Always true."]
    reason_for_task_mode: Annotated[str, "Why it became a saved task."]
    graph_inspector_url: Annotated[
        str, "Where its graph is shown: in the user's workspace, else on the service's own page."
    ]
    run_inspector_url: Annotated[str | None, "Where its run is shown, in the same way; null when it was made for none."]
    can_cancel: Annotated[bool, "Whether it can be put away, or a run of it is going on that can be stopped."]
    can_pause: Annotated[bool, "Whether a schedule or a trigger runs it, which can be switched off."]
    can_edit: Annotated[bool, "Whether its graph can be changed."]
    can_convert_to_template: Annotated[bool, "Whether it has a graph and no template yet."]
    task_memory_ref: Annotated[str | None, "Where its memory is kept."]
    created_at: Annotated[Timestamp, "When it was made."]
    runnable: Annotated[bool, "Whether it may run now."]
    not_runnable_because: Annotated[str | None, "Why it may not."]
    risky_side_effects: Annotated[tuple[str, ...], "Side effects that a person has to look at first."]
    reviewed_by: Annotated[str | None, "The person who has looked at it."]
    say: Annotated[str, "What the user could be told."]
    controls: Annotated[tuple[TaskChip, ...], "Buttons that could be shown. There is none that does nothing."]
    trace: Annotated[CreatedTaskTrace, "The way back to the request."]
    task: ClassVar = Linked("task_id", "The task itself.", "Task")


class TaskReceipts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, task: RecordRef) -> tuple[TrackedTaskReceipt, ...]:
        """The receipts of a task, latest first; none of one that a person made without them."""
        task.check("task", "Task")
        row = await self._database.read_one(cypher.TRACKED, id=task.id, audiences=viewer.audiences) if task.id else None
        if row is None:
            raise RecordMissing(task, "task")
        return tuple(_receipt(row, one) for one in row["receipts"])


def _receipt(row: Values, one: Values) -> TrackedTaskReceipt:
    task, runs = row["task"], one["runs"]
    away = task["lifecycle_state"] == "archived"
    going = any(each["status"] in _GOING for each in runs)
    refused = why_not(one, task["lifecycle_state"])
    shown = {
        "can_cancel": not away or going,
        "can_pause": bool(task.get("scheduled") or task.get("trigger_enabled")) and not away,
        "can_edit": not away,
        "can_convert_to_template": row["has_graph"] and not row["templates"] and not away,
    }
    return TrackedTaskReceipt(
        receipt_id=one["id"],
        task_id=task["id"],
        run_id=runs[0]["id"] if runs else None,
        creation_mode=CreationMode(one["creation_mode"]),
        visible_to_user=True,
        reason_for_task_mode=one["reason_for_task_mode"],
        graph_inspector_url=one.get("graph_inspector_url") or graph_page(task["id"]),
        run_inspector_url=one.get("run_inspector_url") or (run_page(runs[0]["id"]) if runs else None),
        **shown,
        task_memory_ref=one.get("task_memory_ref"),
        created_at=one["created_at"],
        runnable=refused is None,
        not_runnable_because=refused,
        risky_side_effects=tuple(one["risky_side_effects"]),
        reviewed_by=one.get("reviewed_by"),
        say=f"{one['user_visible_description']} {refused or 'It may run.'}",
        controls=tuple(_controls(task, shown, refused)),
        trace=_trace(row, one),
    )


_GOING = (RunStatus.pending, RunStatus.running, RunStatus.waiting)


def _controls(task: Values, shown: Mapping[str, bool], refused: str | None) -> Iterator[TaskChip]:
    record = {"id": task["id"]}
    yield TaskChip("View task", "tasks", {"filter": {"id": {"eq": task["id"]}}})
    if shown["can_edit"]:
        yield TaskChip("Edit steps", "saveGraph", {"of": record})
    if refused is not None and shown["can_edit"]:
        yield TaskChip("Accept", "setLifecycle", {"record": record, "state": "active"})
    if shown["can_pause"]:
        yield TaskChip("Pause", "saveTask", {"input": {"id": task["id"], "scheduled": False, "triggerEnabled": False}})
    if shown["can_convert_to_template"]:
        yield TaskChip("Make reusable", "saveTask", {"input": {"id": task["id"], "reusable": True}})
    if shown["can_cancel"]:
        yield TaskChip("Disable", "archiveRecord", {"record": record})


def _trace(row: Values, one: Values) -> CreatedTaskTrace:
    return CreatedTaskTrace(
        originating_user_request_ref=one.get("originating_user_request_ref"),
        task_mode_decision_id=one["decision"],
        design_session_id=one["session"],
        resulting_task_id=row["task"]["id"],
        resulting_task_template_ids=tuple(row["templates"]),
        semantic_request_summary=one["semantic_request_summary"],
        why_task_mode_was_selected=one["reason_for_task_mode"],
        user_visible_description=one["user_visible_description"],
        invocation_directive_candidate_id=one["directive"],
        linked_goal_ids=_ids(one["about"], ("Goal",)),
        linked_entity_ids=tuple(
            each["id"] for each in one["about"] if each["kind"] == "Entity" and each["of"] not in _CONTEXTS
        ),
        linked_work_context_ids=tuple(each["id"] for each in one["about"] if each["of"] in _CONTEXTS),
    )


_CONTEXTS = ("matter", "project")


def _ids(about: Sequence[Values], kinds: Sequence[str]) -> tuple[str, ...]:
    return tuple(one["id"] for one in about if one["kind"] in kinds)
