"""What a module's panel shows of a run: how its last activation went, and what it put out."""

from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.memory.words import StepStatus
from graph_schema.model.fields import Long, Timestamp
from service.memory.addresses import graph_page, run_page
from service.memory.questions.answers import MissingFact
from service.memory.questions.rules import NO_QUICK_ACCESS, NOT_RUN
from service.memory.reporting.fold import ENDED
from service.views import Id

MOST_OUTPUTS = 20


@dataclass(frozen=True, slots=True)
class PrimaryOutput:
    """An output of a module, ready to be opened."""

    artifact_id: Annotated[Id, "Id of the artifact."]
    display_name: Annotated[str, "What people call it."]
    artifact_kind: Annotated[str | None, "What it is."]
    open_url: Annotated[str | None, "Where it can be opened: its delivery, else its content."]


@dataclass(frozen=True, slots=True)
class ModuleQuickAccess:
    """What a module's panel shows of a run."""

    run_id: Annotated[Id, "The run."]
    task_key: Annotated[str | None, "The task, as the executor calls it."]
    module_key: Annotated[str, "The module."]
    activation_seq: Annotated[int | None, "The activation that is shown."]
    status: Annotated[str, "Where it stands; not_run when no activation was reported."]
    last_started_at: Annotated[Timestamp | None, "When it started."]
    last_completed_at: Annotated[Timestamp | None, "When it ended."]
    duration_ms: Annotated[Long | None, "From start to end."]
    cost_usd: Annotated[float | None, "Cost in dollars."]
    primary_outputs: Annotated[tuple[PrimaryOutput, ...], "What it put out."]
    inspector_url: Annotated[
        str | None, "Where the executor keeps the details of the activation, else of the run; null when it did not say."
    ]
    run_inspector_url: Annotated[str, "The page of the service that shows the activation in its run."]
    graph_inspector_url: Annotated[
        str | None, "The page of the service that shows the module in its graph; null when the run names no task."
    ]
    live_inspector_available: Annotated[bool, "Whether the run goes on and can be followed."]
    missing: Annotated[tuple[MissingFact, ...], "What was not there."]


def quick_access(row: dict[str, Any], module_key: str, activation_seq: int | None) -> ModuleQuickAccess:
    run: dict[str, Any] = row["run"]
    step: dict[str, Any] = row["step"] or {}
    outputs = tuple(_output(one) for one in step.get("outputs", ()))
    return ModuleQuickAccess(
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
        run_inspector_url=run_page(run["id"], module_key, step.get("activation_seq", activation_seq)),
        graph_inspector_url=_in_graph(run, module_key),
        live_inspector_available=run["status"] not in ENDED,
        missing=tuple(_missing(run, step, outputs)),
    )


def _in_graph(run: dict[str, Any], module_key: str) -> str | None:
    """By the executor's name for the task, whether its record is seen or not."""
    task = f"{run['source']}:{run['task_key']}" if run["source"] and run["task_key"] else None
    return graph_page(task, run["id"], module_key) if task else None


def _output(one: dict[str, Any]) -> PrimaryOutput:
    return PrimaryOutput(one["id"], one["name"], one["artifact_kind"], one["open_url"] or one["storage_ref"])


def _missing(run: dict[str, Any], step: dict[str, Any], outputs: tuple[PrimaryOutput, ...]) -> list[MissingFact]:
    if not step and run["status"] in ENDED:
        message = "The run has ended and no activation of the module was reported."
        return [MissingFact(NO_QUICK_ACCESS, message)]
    lost = [one.display_name for one in outputs if one.open_url is None]
    found = [MissingFact("warning.module_output_link_missing", f"{name} has no address to open.") for name in lost]
    if step.get("status") == StepStatus.success and not outputs:
        found.append(
            MissingFact(
                "warning.module_output_link_missing", "It succeeded, and no output of it that you can see was reported."
            )
        )
    return found
