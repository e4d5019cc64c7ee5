"""`tasklore evaluate routing`: how good routing is on labelled requests, through the service's own query."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from service.cli import output
from service.cli.state import State
from service.routing.evaluation.figures import Figures, figures
from service.routing.evaluation.rows import read

evaluate = typer.Typer(rich_markup_mode=None, add_completion=False)


@evaluate.command()
def routing(
    context: typer.Context,
    *,
    dataset: Annotated[
        Path, typer.Argument(help="Requests as JSON lines with text, facts and modes (those acceptable).", exists=True)
    ],
) -> None:
    """Decide every request of a file, and print how often the mode was acceptable, and what was got wrong.

    It reads the graph that the settings mean, and changes nothing. A local graph that is empty gets the sample world.

    Example: TASKLORE_HOME=/tmp/evaluation tasklore evaluate routing requests.jsonl
    """
    found = output.run_async(_judge(context.obj, dataset))
    if context.obj.json:
        output.show(asdict(found))
    else:
        typer.echo("\n".join(found.lines()))


async def _judge(state: State, dataset: Path) -> Figures:
    # These bring in the database and the model.
    from service.routing.evaluation.trial import judged_in  # noqa: PLC0415
    from service.runtime.alone import opened_alone  # noqa: PLC0415
    from service.seeding import seed_if_empty  # noqa: PLC0415

    rows = read(dataset)
    with output.progressing() as progress:
        async with opened_alone(state.settings, progress) as services:
            if state.settings.is_local and state.settings.sample_world:
                await seed_if_empty(services.ground.database, progress, services)
            progress(f"{len(rows):,} requests")
            return figures(await judged_in(services, rows))
