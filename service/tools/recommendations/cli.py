"""`tasklore evaluate tools`: what is recommended about tools, from all that was reported of them."""

from dataclasses import asdict
from typing import Annotated

import typer

from service.cli import output
from service.cli.state import State
from service.tools.recommendations.commands import ToolAdvice

evaluate = typer.Typer(rich_markup_mode=None, add_completion=False)


@evaluate.command()
def tools(
    context: typer.Context,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be recommended, and keep nothing.")
    ] = False,
) -> None:
    """Look at the recent calls of all tools, and recommend what to do about those that stand badly.

    It changes no tool: a recommendation is accepted or rejected by a person, or lapses.

    Example: tasklore evaluate tools --dry-run
    """
    found = output.run_async(_evaluated(context.obj, dry_run=dry_run))
    if context.obj.json:
        output.show({"dry_run": dry_run, "recommendations": [asdict(one) for one in found]})
        return
    for one in found:
        called = f"{one.tool_name}.{one.method_key}" if one.method_key else one.tool_name
        typer.echo(f"{one.recommendation_kind.value}: {called}\n  {one.rationale}")
        typer.echo(
            f"  {one.evidence_count} calls speak for it, {one.counter_count} against; {'; '.join(one.thresholds)}"
        )
    kept = "nothing was kept" if dry_run else "kept; a person decides on them"
    typer.echo(f"{len(found)} recommendations, {kept}.")


async def _evaluated(state: State, *, dry_run: bool) -> list[ToolAdvice]:
    # These bring in the database.
    from service.graph.open import opened  # noqa: PLC0415
    from service.runtime.compose import services_alone  # noqa: PLC0415
    from service.tools.recommendations import Evaluations  # noqa: PLC0415
    from service.tools.recommendations.operator import operator_of  # noqa: PLC0415

    with output.progressing() as progress:
        async with opened(state.settings, progress) as database:
            evaluations = services_alone(database, settings=state.settings)[Evaluations]
            viewer = await operator_of(database)
            if dry_run:
                return await evaluations.preview(viewer)
            return (await evaluations.evaluate(viewer))[1]
