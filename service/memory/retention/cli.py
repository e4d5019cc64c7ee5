"""`tasklore retain`: compacts and removes the runs whose retention has passed."""

from collections.abc import Iterator
from typing import Annotated

import typer

from service.cli import output
from service.cli.state import State
from service.graph.open import opened
from service.memory.retention import Due, Retained, due
from service.memory.retention import retain as take
from service.memory.retention.settings import ages_of

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would go, and change nothing.")]


def retain(context: typer.Context, dry_run: DryRun = False) -> None:
    """Compact and remove the runs whose retention has passed, in small batches.

    It can be interrupted; called again, it goes on from there. docs/retention.md says what stays.

    Example: tasklore retain --dry-run
    """
    state: State = context.obj
    if dry_run:
        rows = [row for one in output.run_async(_due(state)) for row in _due_rows(one, as_json=state.json)]
    else:
        rows = list(_rows(output.run_async(_take(state))))
    output.show_rows(rows, empty="Nothing is due.")


async def _due(state: State) -> list[Due]:
    with output.progressing() as progress:
        async with opened(state.settings, progress) as database:
            return await due(database, ages_of(state.settings))


async def _take(state: State) -> Retained:
    with output.progressing() as progress:
        async with opened(state.settings, progress) as database:
            return await take(database, ages_of(state.settings), progress=progress)


def _due_rows(one: Due, *, as_json: bool) -> Iterator[dict[str, object]]:
    def row(kind: str, count: int, samples: list[str]) -> dict[str, object]:
        shown: object = samples if as_json else ", ".join(samples)
        return {"class": one.retention_class.value, "kind": kind, "count": count, "samples": shown}

    if one.runs:
        yield row("runs", one.runs, one.samples)
    for kind, count in one.parts.items():
        yield row(kind, count, [])
    if one.held:
        yield row("runs kept by a hold or an active matter", one.held, one.held_samples)


def _rows(done: Retained) -> Iterator[dict[str, object]]:
    for kept, counts in done.counts.items():
        for kind, count in sorted(counts.items()):
            yield {"class": kept.value, "kind": kind, "count": count}
