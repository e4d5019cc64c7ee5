"""`tasklore learn`: one turn of the lane that turns what was recorded into proposals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from service.access.viewers import Viewers
from service.cli import output
from service.cli.keys import key_of
from service.cli.state import State
from service.learning.lane.learn import Lane, LaneReport
from service.runtime.alone import opened_alone

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be proposed, and keep nothing.")]
Key = Annotated[Path | None, typer.Option(help="File with the key to use; without it, the owner's key of this home.")]


def learn(context: typer.Context, dry_run: DryRun = False, key_file: Key = None) -> None:
    """Draw signals from what was recorded, propose what they agree on, and replay each proposal on the past.

    Nothing but proposals comes of it; of low risk they are applied only where TASKLORE_LEARNING_AUTO_APPLY says so.

    Example: tasklore learn --dry-run
    """
    report = output.run_async(_learn(context.obj, key_file, dry_run=dry_run))
    output.show_rows([*_rows(report, dry_run=dry_run)], empty="Nothing new was learned.")


async def _learn(state: State, key_file: Path | None, *, dry_run: bool) -> LaneReport:
    with output.progressing() as progress:
        async with opened_alone(state.settings, progress) as services:
            viewer = await Viewers(services.ground.database).of_key(key_of(state, key_file))
            return await services[Lane].learn(viewer, dry_run=dry_run)


def _rows(report: LaneReport, *, dry_run: bool) -> Iterator[dict[str, object]]:
    if report.assessed:
        yield {"what": "runs", "count": report.assessed, "outcome": f"{'would be ' * dry_run}assessed"}
    for one in report.drawn:
        outcome = "would be drawn" if dry_run else f"{one.drawn} drawn, {one.refused} kept back"
        yield {"what": f"signals of {one.origin.value}", "count": one.drawn + one.refused, "outcome": outcome}
    if report.correlated:
        yield {"what": "correlations", "count": report.correlated, "outcome": "kept as signals"}
    if report.watched:
        yield {"what": "applied proposals", "count": report.watched, "outcome": "told what became of them"}
    for each in report.learned:
        yield {
            "what": f"{each.rule}: {each.target_id}",
            "count": 1,
            "outcome": " ".join(filter(None, (each.outcome, each.proposal_id, each.risk, each.replay))),
        }
