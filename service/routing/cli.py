"""`tasklore route`: what a request becomes, a direct answer or a task, and why."""

from dataclasses import dataclass
from typing import Annotated

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, as_json, asking
from service.client import Notice, asked


@dataclass(frozen=True, slots=True)
class Evidence:
    kind: str
    words: str | None
    why: str | None


@dataclass(frozen=True, slots=True)
class Signal:
    signal: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Veto:
    veto: str
    rules_out: tuple[str, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Meant:
    id: str
    kind: str
    name: str
    because: str


@dataclass(frozen=True, slots=True)
class Lost:
    mode: str
    because: str


@dataclass(frozen=True, slots=True)
class Chip:
    label: str
    operation: str


@dataclass(frozen=True, slots=True)
class Decision:
    selected_mode: str
    task_opportunity_level: str
    task_fit_score: float
    direct_answer_fit_score: float
    because: str
    say: str | None
    operation: str | None
    context_class: str
    positive_task_signals: tuple[Signal, ...]
    task_veto_signals: tuple[Veto, ...]
    tasks: tuple[Meant, ...]
    runs: tuple[Meant, ...]
    outputs: tuple[Meant, ...]
    matched_task_templates: tuple[Meant, ...]
    losing_modes: tuple[Lost, ...]
    chips: tuple[Chip, ...]
    missing: tuple[Notice, ...]


def route(
    context: typer.Context,
    request: Annotated[str, typer.Argument(help="What the user said.")],
    *,
    turns: Annotated[int | None, typer.Option(min=0, help="How many turns the conversation has had.")] = None,
    losers: Annotated[bool, typer.Option("--losers", help="Also why the other modes lost.")] = False,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Decide what a request becomes: a direct answer, a saved task, a new one. Nothing is started or kept.

    Example: tasklore route "Every Monday, check the docket and send me what is new"
    """
    given = {"text": request, "conversationTurns": turns}
    with asking(context, url, key_file) as client:
        found = client.send(asked("taskMode", {"request": ("TaskModeRequest!", given)}, Decision))
    if output.wants_json():
        as_json(found)
        return
    _show(found)
    if losers:
        rows = [(one.mode, one.because) for one in found.losing_modes]
        pretty.show(pretty.heading("Lost"), pretty.table(("mode", "because"), rows))


def _show(found: Decision) -> None:
    pretty.show(
        pretty.facts(
            (
                ("mode", found.selected_mode),
                ("level", found.task_opportunity_level),
                ("task", pretty.bar(found.task_fit_score)),
                ("direct answer", pretty.bar(found.direct_answer_fit_score)),
                ("because", found.because),
                ("say", found.say),
                ("operation", found.operation),
                ("class of context", found.context_class),
            )
        )
    )
    signals = [pretty.tree(one.signal, map(_words, one.evidence)) for one in found.positive_task_signals]
    vetoes = [
        pretty.tree(f"{one.veto} (rules out {', '.join(one.rules_out)})", map(_words, one.evidence))
        for one in found.task_veto_signals
    ]
    for title, trees in (("Speaks for a task", signals), ("Speaks against", vetoes)):
        if trees:
            pretty.show(pretty.heading(title), *trees)
    meant = (*found.tasks, *found.runs, *found.outputs, *found.matched_task_templates)
    if meant:
        rows = [(one.name, one.kind, one.because, one.id) for one in meant]
        pretty.show(pretty.heading("Meant"), pretty.table(("name", "kind", "because", "id"), rows))
    if found.chips:
        pretty.show(pretty.heading("Offered"), *(f"{one.label} ({one.operation})" for one in found.chips))
    for one in found.missing:
        pretty.show(f"{one.code}: {one.message}")


def _words(one: Evidence) -> str:
    said = f" “{one.words}”" if one.words else ""
    return f"{one.kind}{said}{f': {one.why}' if one.why else ''}"
