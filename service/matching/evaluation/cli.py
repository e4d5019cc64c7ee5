"""`tasklore evaluate`: how good matching is on labelled requests, through the service's own commands and queries."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graph_schema.model.fields import LIST_LENGTH
from service.cli import output
from service.cli.state import State
from service.matching.evaluation.evaluate import MOST_REQUESTS, PHRASES, read, read_texts, together

if TYPE_CHECKING:
    from service.matching.evaluation.trial import Comparison

evaluate = typer.Typer(
    help="Judge the service on labelled data.", no_args_is_help=True, rich_markup_mode=None, add_completion=False
)


@evaluate.callback()
def _group() -> None:  # pyright: ignore[reportUnusedFunction] - so that `matching` stays a command of a group
    """Judge the service on labelled data."""


@evaluate.command()
def matching(
    context: typer.Context,
    *,
    dataset: Annotated[
        list[Path],
        typer.Argument(
            help="Intents, described assets with requests, or requests, as JSON lines; several files are one library.",
            exists=True,
        ),
    ],
    workflows: Annotated[
        Path | None, typer.Option(help="The folder of the workflows that the requests are for.", exists=True)
    ] = None,
    far: Annotated[Path | None, typer.Option(help="Another set, whose requests fit nothing here.", exists=True)] = None,
    phrases: Annotated[
        int, typer.Option(help="How many training texts a template gets.", min=0, max=LIST_LENGTH)
    ] = PHRASES,
    most: Annotated[int, typer.Option(help="How many requests are taken from each set.", min=1)] = MOST_REQUESTS,
) -> None:
    """Load the set as templates, ask with its requests, and print how good the answers are beside BM25.

    Intents are lines with split (train or test), intent and text. Described assets are lines with tool, name and
    description, and lines with request and fits, the tools that are right. Requests for workflows are lines with
    request and fits, the names of their files without the ending. Several files are loaded as one library, and told of
    by kind, too.

    The graph must be empty, and is empty afterwards: name one by TASKLORE_HOME or TASKLORE_NEO4J_URI.

    Example: TASKLORE_HOME=/tmp/evaluation tasklore evaluate matching banking77.jsonl --far hwu64.jsonl
    """
    found = output.run_async(_judge(context.obj, dataset, workflows, far, phrases=phrases, most=most))
    if context.obj.json:
        output.show(asdict(found))
    else:
        typer.echo("\n".join(found.lines()))


async def _judge(
    state: State, datasets: Sequence[Path], workflows: Path | None, far: Path | None, *, phrases: int, most: int
) -> "Comparison":
    # These bring in the database and the model.
    from service.matching.evaluation.cli_workflows import import_workflows, known_workflows  # noqa: PLC0415
    from service.matching.evaluation.trial import judged_in  # noqa: PLC0415
    from service.runtime.alone import opened_alone  # noqa: PLC0415

    imported = known_workflows(workflows) if workflows else None
    known = together([read(one, imported) for one in datasets], most)
    outside = read_texts(far) if far else None
    with output.progressing() as progress:
        async with opened_alone(state.settings, progress) as services:
            return await judged_in(
                services, known, outside, phrases=phrases, most=most, progress=progress, taken=import_workflows
            )
