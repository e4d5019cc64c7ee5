"""`python -m service.matching.evaluation.cli_fit`: fits the constants of matching, prints figures, writes them."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from service.matching.calibration import FILE
from service.matching.evaluation.cli_workflows import known_workflows
from service.matching.evaluation.evaluate import read, read_texts
from service.matching.evaluation.fit import SHAPES, Fitting, constants
from service.matching.evaluation.reliability import plot
from service.matching.ranker import NAME, VERSION


def main(
    first: Annotated[Path, typer.Argument(help="A set of intents, as JSON lines.")],
    second: Annotated[Path, typer.Argument(help="Another one.")],
    *,
    described: Annotated[Path, typer.Option(help="A set of described assets with requests, as JSON lines.")],
    requests: Annotated[Path, typer.Option(help="Requests for workflows, as JSON lines.")],
    workflows: Annotated[Path, typer.Option(help="The folder of these workflows.")],
    chat: Annotated[Path, typer.Option(help="Texts that ask for no saved task, as JSON lines.")],
    write: Annotated[bool, typer.Option(help="Write the constants that matching uses.")] = False,
    vectors: Annotated[Path | None, typer.Option(help="A folder to keep vectors in.")] = None,
    pictures: Annotated[Path | None, typer.Option(help="A folder for the reliability plot of each model.")] = None,
) -> None:
    models: dict[str, Any] = {}
    sets, outside = (read(first), read(second)), read_texts(chat)
    others = (read(described), read(requests, known_workflows(workflows)))
    for together in SHAPES:
        fitting = Fitting(together, sets, outside, vectors)
        kept = constants(fitting.fitted(others))
        models[fitting.key] = kept | {"figures": fitting.figures}
        typer.echo(f"{fitting.key}\n{_printed(fitting.figures)}")
        if pictures:
            drawing = plot(fitting.series)
            (pictures / f"matching-{fitting.key.replace('_', '-').replace('+', '-and-')}.svg").write_text(
                drawing, encoding="utf-8"
            )
    if write:
        result = {"ranker": NAME, "version": VERSION, "models": models}
        (Path(__file__).parents[1] / FILE).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def _printed(across: dict[str, Any]) -> str:
    lines: list[str] = []
    for told_on, by_count in across.items():
        for count, found in by_count.items():
            values = " ".join(f"{name}={value}" for name, value in found.items())
            lines.append(f"  {told_on} phrases={count:>2s} {values}")
    return "\n".join(lines)


if __name__ == "__main__":
    typer.run(main)
