"""`tasklore retain`: compacts and removes the runs whose retention has passed, and removes what else is old."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from service.cli import output
from service.cli.state import State
from service.graph.open import opened
from service.memory.retention import AgedDue, Due, due, due_aged, retain_aged
from service.memory.retention import retain as take
from service.memory.retention.settings import ages_of
from service.runtime.compose import aged

Row = dict[str, object]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would go, and change nothing.")]


def retain(context: typer.Context, dry_run: DryRun = False) -> None:
    """Compact and remove the runs whose retention has passed, and what else has become old, in small batches.

    It can be interrupted; called again, it goes on from there. docs/retention.md says what stays.

    Example: tasklore retain --dry-run
    """
    state: State = context.obj
    rows = output.run_async(_due(state) if dry_run else _take(state))
    output.show_rows(rows, empty="Nothing is due.")


async def _due(state: State) -> list[Row]:
    with output.progressing() as progress:
        async with opened(state.settings, progress) as database:
            runs = await due(database, ages_of(state.settings))
            others = await due_aged(database, aged(), state.settings)
    of_runs = [row for one in runs for row in _due_rows(one, as_json=state.json)]
    return [*of_runs, *(row for one in others for row in _aged_rows(one, as_json=state.json))]


async def _take(state: State) -> list[Row]:
    with output.progressing() as progress:
        async with opened(state.settings, progress) as database:
            runs = await take(database, ages_of(state.settings), progress=progress)
            others = await retain_aged(database, aged(), state.settings, progress=progress)
    counts = {**{kept.value: found for kept, found in runs.counts.items()}, **others}
    return [*_rows(counts)]


def _due_rows(one: Due, *, as_json: bool) -> Iterator[Row]:
    def row(kind: str, count: int, samples: list[str]) -> Row:
        return _row(one.retention_class.value, kind, count, samples, as_json=as_json)

    if one.runs:
        yield row("runs", one.runs, one.samples)
    for kind, count in one.parts.items():
        yield row(kind, count, [])
    if one.held:
        yield row("runs kept by a hold or an active matter", one.held, one.held_samples)


def _aged_rows(one: AgedDue, *, as_json: bool) -> Iterator[Row]:
    if one.due:
        yield _row(one.kind, "records", one.due, one.samples, as_json=as_json)
    if one.held:
        yield _row(one.kind, "records kept by a hold", one.held, [], as_json=as_json)


def _row(kept: str, kind: str, count: int, samples: list[str], *, as_json: bool) -> Row:
    shown: object = samples if as_json else ", ".join(samples)
    return {"class": kept, "kind": kind, "count": count, "samples": shown}


def _rows(counts: Mapping[str, Counter[str]]) -> Iterator[Row]:
    for kept, found in counts.items():
        for kind, count in sorted(found.items()):
            yield {"class": kept, "kind": kind, "count": count}
