"""`tasklore run show`, `tasklore run list`: what runs did and where they are."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, as_json, asking, nothing_found
from service.client import asked, maybe, reference

run = typer.Typer(name="run", help="Show runs.", no_args_is_help=True, rich_markup_mode=None)


@dataclass(frozen=True, slots=True)
class Header:
    title: str
    status: str
    started_at: datetime | None
    completed_at: datetime | None
    duration_ms: float | None
    cost_usd: float | None
    failure_summary: str | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Status:
    one_line_status: str
    next_work_summary: str
    waiting_reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Done:
    known_steps: int
    ended_steps: int


@dataclass(frozen=True, slots=True)
class RunStep:
    module_key: str
    module_label: str
    activation_seq: int
    status: str
    duration_ms: float | None
    cost_usd: float | None
    output_summary: tuple[str, ...]
    waiting_reason: str | None
    error_message: str | None


@dataclass(frozen=True, slots=True)
class Steps:
    total: int
    rows: tuple[RunStep, ...]


@dataclass(frozen=True, slots=True)
class Output:
    artifact_id: str
    name: str
    summary: str | None
    storage_ref: str | None


@dataclass(frozen=True, slots=True)
class Delivery:
    status: str
    artifact_name: str | None
    destination_summary: str | None
    delivered_to: tuple[str, ...]
    delivered_at: datetime | None


@dataclass(frozen=True, slots=True)
class Deliverables:
    final_outputs: tuple[Output, ...]
    intermediate_outputs: tuple[Output, ...]
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True)
class Anomaly:
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Anomalies:
    items: tuple[Anomaly, ...]


@dataclass(frozen=True, slots=True)
class RunShown:
    id: str
    header: Header
    status: Status
    progress: Done
    steps: Steps
    deliverables: Deliverables
    anomalies: Anomalies


@dataclass(frozen=True, slots=True)
class Listed:
    id: str
    name: str | None
    status: str | None
    source_key: str | None
    started_at: datetime | None
    total_cost_usd: float | None


@dataclass(frozen=True, slots=True)
class History:
    nodes: tuple[Listed, ...]
    explanation: str | None


@run.command("show")
def show_run(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Id of the run, or source:key.")],
    *,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Show where a run is: its steps, outputs, deliveries and problems. Exits with 4 when there is none.

    Example: tasklore run show sample:run-marex-exhibits
    """
    with asking(context, url, key_file) as client:
        named = {name: ("ID" if name == "id" else "String", value) for name, value in reference(run).items()}
        found = client.send(maybe(asked("run", named, RunShown)))
    if found is None:
        raise nothing_found(f"There is no run {run} that you may see.")
    if output.wants_json():
        as_json(found)
    else:
        _show(found)


@run.command("list")
def list_runs(
    context: typer.Context,
    *,
    status: Annotated[list[str], typer.Option(help="Only with this status, such as failed. Repeat for more.")] = [],  # noqa: B006
    task: Annotated[str | None, typer.Option(help="Only of this task: its id, or source:key.")] = None,
    errors: Annotated[bool, typer.Option("--errors", help="Only those in which something went wrong.")] = False,
    first: Annotated[int, typer.Option("--first", "-n", min=1, max=200, help="How many are shown.")] = 20,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """List runs, the latest first. Exits with 4 when there is none.

    Example: tasklore run list --status failed --first 5
    """
    with asking(context, url, key_file) as client:
        chosen: dict[str, Any] = {
            "statuses": status or None,
            "tasks": [reference(task)] if task else None,
            "withErrors": True if errors else None,
        }
        given = {name: one for name, one in chosen.items() if one is not None}
        arguments = {"filter": ("TaskHistoryFilter", given or None), "first": ("Int!", first)}
        found = client.send(asked("taskHistory", arguments, History))
    if output.wants_json():
        as_json(found)
    elif found.nodes:
        rows = [
            (
                one.name or one.source_key,
                pretty.state(one.status or "-"),
                pretty.moment(one.started_at),
                _cost(one.total_cost_usd),
                one.id,
            )
            for one in found.nodes
        ]
        pretty.show(pretty.table(("name", "status", "started", "cost", "id"), rows))
    if not found.nodes:
        raise nothing_found(found.explanation or "There are no runs.")


def _show(found: RunShown) -> None:
    header, done = found.header, found.progress
    pretty.show(
        pretty.facts(
            (
                ("run", header.title),
                ("status", pretty.state(header.status)),
                ("", found.status.one_line_status),
                ("next", found.status.next_work_summary),
                ("steps", pretty.bar(done.ended_steps / done.known_steps if done.known_steps else None)),
                ("started", pretty.moment(header.started_at)),
                ("took", pretty.lasting(header.duration_ms)),
                ("cost", _cost(header.cost_usd)),
                ("failure", header.failure_summary),
                ("id", found.id),
            )
        )
    )
    pretty.show(pretty.heading("Steps"), _steps(found.steps))
    _show_outputs(found.deliverables)
    if found.anomalies.items:
        rows = [(one.code, one.message) for one in found.anomalies.items]
        pretty.show(pretty.heading("Problems"), pretty.table(("code", "what"), rows))


def _steps(steps: Steps) -> pretty.RenderableType:
    longest = max((one.duration_ms or 0 for one in steps.rows), default=0) or 1
    rows = [
        (
            one.module_label if one.activation_seq == 1 else f"{one.module_label} (#{one.activation_seq})",
            pretty.state(one.status),
            pretty.length((one.duration_ms or 0) / longest),
            pretty.lasting(one.duration_ms),
            one.error_message or one.waiting_reason or " ".join(one.output_summary),
        )
        for one in steps.rows
    ]
    return pretty.table(("step", "status", "time", "", "said"), rows)


def _show_outputs(made: Deliverables) -> None:
    outputs = [(one.name, one.summary, one.storage_ref, one.artifact_id) for one in made.final_outputs]
    if outputs:
        pretty.show(pretty.heading("Outputs"), pretty.table(("name", "summary", "kept at", "id"), outputs))
    sent = [
        (
            one.artifact_name,
            pretty.state(one.status),
            ", ".join(one.delivered_to) or one.destination_summary,
            pretty.moment(one.delivered_at),
        )
        for one in made.deliveries
    ]
    if sent:
        pretty.show(pretty.heading("Deliveries"), pretty.table(("what", "status", "to", "when"), sent))


def _cost(dollars: float | None) -> str | None:
    return None if dollars is None else f"${dollars:.2f}"
