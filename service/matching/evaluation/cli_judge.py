"""`python -m service.matching.evaluation.cli_judge FILE …`: the figures of matching on sets, without a database."""

from pathlib import Path
from typing import Annotated

import typer

from service.matching.calibration import Models, calibration_for
from service.matching.evaluation.cli_workflows import known_workflows
from service.matching.evaluation.evaluate import MOST_REQUESTS, PHRASES, evaluate, read, read_texts, together, trials
from service.matching.evaluation.figures import by_kind, figures, mean_of
from service.matching.evaluation.judge import builder
from service.matching.evaluation.vectors import VectorStore

MODEL, SECOND = "bge-small-en-v1.5", "all-minilm-l6-v2"


def main(
    dataset: Annotated[list[Path], typer.Argument(help="Labelled requests, as JSON lines; several: one library.")],
    *,
    workflows: Annotated[Path | None, typer.Option(help="The folder of the workflows that requests are for.")] = None,
    far: Annotated[Path | None, typer.Option(help="Another set, whose requests fit nothing here.")] = None,
    model: Annotated[str, typer.Option(help="The embedding model.")] = MODEL,
    second: Annotated[str, typer.Option(help="The second model; empty: none.")] = SECOND,
    phrases: Annotated[int, typer.Option(help="How many training texts a template gets.")] = PHRASES,
    most: Annotated[int, typer.Option(help="How many requests are taken from each set.")] = MOST_REQUESTS,
    vectors: Annotated[Path | None, typer.Option(help="A folder to keep vectors in.")] = None,
) -> None:
    store = VectorStore(model, vectors)
    beside = VectorStore(second, vectors) if second else None
    build = builder(store, calibration_for(Models(store.key, beside.key if beside else None).key), beside)
    imported = known_workflows(workflows) if workflows else None
    known = together([read(one, imported) for one in dataset], most)
    judged = [evaluate(trial, build) for trial in trials(known, read_texts(far) if far else None, phrases, most)]
    typer.echo("\n".join(mean_of([figures(one) for one in judged]).lines()))
    for kind, found_ in by_kind([one for each in judged for one in each]).items():
        typer.echo("\n".join([f"known by {kind}", *found_.lines()]))


if __name__ == "__main__":
    typer.run(main)
