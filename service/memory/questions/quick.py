"""What a module's panel shows of a run: how its last activation went, and what it put out."""

from dataclasses import dataclass
from typing import Any

from graph_schema.run_words import StepStatus
from service.memory.fold import ENDED
from service.memory.questions.answers import Missing
from service.memory.questions.rules import NOT_RUN

MOST_OUTPUTS = 20


@dataclass(frozen=True, slots=True)
class PrimaryOutput:
    artifact_id: str
    display_name: str
    artifact_kind: str | None
    open_url: str | None


@dataclass(frozen=True, slots=True)
class QuickAccess:
    run_id: str
    task_key: str | None
    module_key: str
    activation_seq: int | None
    status: str
    last_started_at: str | None
    last_completed_at: str | None
    duration_ms: int | None
    cost_usd: float | None
    primary_outputs: tuple[PrimaryOutput, ...]
    inspector_url: str | None
    live_inspector_available: bool
    missing: tuple[Missing, ...]


def quick_access(row: dict[str, Any], module_key: str, activation_seq: int | None) -> QuickAccess:
    run: dict[str, Any] = row["run"]
    step: dict[str, Any] = row["step"] or {}
    outputs = tuple(_output(one) for one in step.get("outputs", ()))
    return QuickAccess(
        run_id=run["id"],
        task_key=run["task_key"],
        module_key=module_key,
        activation_seq=step.get("activation_seq", activation_seq),
        status=step.get("status", NOT_RUN),
        last_started_at=step.get("started_at"),
        last_completed_at=step.get("completed_at"),
        duration_ms=step.get("duration_ms"),
        cost_usd=step.get("cost_usd"),
        primary_outputs=outputs,
        inspector_url=step.get("detail_ref") or run["raw_run_ref"],
        live_inspector_available=run["status"] not in ENDED,
        missing=tuple(_missing(run, step, outputs)),
    )


def _output(one: dict[str, Any]) -> PrimaryOutput:
    return PrimaryOutput(one["id"], one["name"], one["artifact_kind"], one["open_url"] or one["storage_ref"])


def _missing(run: dict[str, Any], step: dict[str, Any], outputs: tuple[PrimaryOutput, ...]) -> list[Missing]:
    if not step and run["status"] in ENDED:
        message = "The run has ended and no activation of the module was reported."
        return [Missing("validation.module_run_quick_access_missing", message)]
    lost = [one.display_name for one in outputs if one.open_url is None]
    found = [Missing("warning.module_output_link_missing", f"{name} has no address to open.") for name in lost]
    if step.get("status") == StepStatus.success and not outputs:
        found.append(Missing("warning.module_output_link_missing", "It succeeded, and no output of it was reported."))
    return found
