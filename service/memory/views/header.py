"""The summary at the top of a run (§20C.2)."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import MemoryMode, RetentionClass, RunStatus, StepStatus
from graph_schema.model.fields import Long, Timestamp
from service.memory.views.costs import total_usd
from service.memory.views.deliverables import RunOutput, final_outputs, sent
from service.memory.views.evidence import (
    Evidence,
    costs_missing,
    cut_in_brief,
    evidence,
    steps_missing,
)
from service.memory.views.index import RunIndex
from service.memory.views.words import counted, duration, like, listed, money
from service.views import Id, Of


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCount:
    """How many steps stand so."""

    status: Annotated[StepStatus, "Where they stand."]
    count: Annotated[int, "How many."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHeader:
    """The facts of a run that people look for first."""

    run_id: Annotated[Id, "Id of the run."]
    task_id: Annotated[Id | None, "Id of its task."]
    title: Annotated[str, "What people call it: the task's name, else the run's."]
    status: Annotated[RunStatus, Of("Run")]
    started_at: Annotated[Timestamp | None, Of("Run")]
    completed_at: Annotated[Timestamp | None, Of("Run")]
    duration_ms: Annotated[Long | None, Of("Run")]
    cost_usd: Annotated[float | None, "What it cost, when that is known."]
    module_count: Annotated[int, "Modules that were at work."]
    step_count: Annotated[int, "Activations of them."]
    steps: Annotated[tuple[StepCount, ...], "Activations by where they stand; those that are none are left out."]
    final_outputs: Annotated[tuple[RunOutput, ...], "Its final outputs."]
    delivered: Annotated[tuple[str, ...], "What was delivered where, a sentence each."]
    memory_mode: Annotated[MemoryMode, Of("Run")]
    retention_class: Annotated[RetentionClass, Of("Run")]
    failure_code: Annotated[str | None, Of("Run")]
    failure_summary: Annotated[str | None, Of("Run")]
    lines: Annotated[tuple[str, ...], "The same for people, a line each."]
    evidence: Annotated[Evidence, "What this rests on."]


def header(index: RunIndex) -> RunHeader:
    run = index.run
    finals, cost = final_outputs(index), total_usd(index)
    delivered = tuple(sent(index))
    return like(
        RunHeader,
        run,
        run_id=run.id,
        task_id=index.task.id if index.task else None,
        title=index.title,
        cost_usd=cost,
        module_count=index.tally.modules,
        step_count=index.tally.total,
        steps=step_counts(index),
        final_outputs=finals,
        delivered=delivered,
        lines=tuple(_lines(index, cost, finals, delivered)),
        evidence=evidence(
            index,
            ("activations", "artifacts", "deliveries"),
            steps_missing(index),
            costs_missing(index),
            cut_in_brief(index, "artifacts", "deliveries"),
        ),
    )


def step_counts(index: RunIndex) -> tuple[StepCount, ...]:
    counts = {status: index.tally.of(status) for status in StepStatus}
    return tuple(StepCount(status=status, count=count) for status, count in counts.items() if count)


_SAID = {
    StepStatus.success: "completed",
    StepStatus.error: "failed",
    StepStatus.skipped: "skipped",
    StepStatus.cancelled: "cancelled",
    StepStatus.running: "running",
    StepStatus.waiting: "waiting",
}


def said(index: RunIndex) -> list[str]:
    """`11 completed`, `1 skipped`. Of a step that others only named, no more is known."""
    told = [f"{index.tally.of(status)} {word}" for status, word in _SAID.items() if index.tally.of(status)]
    named = index.tally.pending
    return [*told, f"{named} only named"] if named else told


def _lines(
    index: RunIndex,
    cost: float | None,
    finals: tuple[RunOutput, ...],
    delivered: tuple[str, ...],
) -> list[str]:
    run = index.run
    facts = [run.status.capitalize(), (run.completed_at or run.started_at or "")[:10]]
    facts += [duration(run.duration_ms) if run.duration_ms is not None else "", "" if cost is None else money(cost)]
    modules = counted(index.tally.modules, "module")
    lines = [index.title, " · ".join(one for one in facts if one), " · ".join([modules, *said(index)])]
    if run.failure_code:
        lines.append(f"Failed: {run.failure_summary or run.failure_code}")
    if finals:
        lines.append(f"Final output: {listed([one.name for one in finals])}")
    if delivered:
        lines.append(f"Delivered: {' · '.join(delivered)}")
    return lines
