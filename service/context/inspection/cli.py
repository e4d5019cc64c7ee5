"""`tasklore why`: why a module was, or was not, given a record."""

from dataclasses import dataclass
from typing import Annotated

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, as_json, asking
from service.client import asked, reference


@dataclass(frozen=True, slots=True)
class Gate:
    stage: str
    code: str
    message: str
    would_have_needed: str


@dataclass(frozen=True, slots=True)
class Why:
    packet_id: str
    record_id: str
    name: str
    outcome: str
    sentence: str
    stage: str | None
    code: str | None
    score: float | None
    threshold: float | None
    evidence: tuple[str, ...]
    also_failed: tuple[Gate, ...]
    would_have_needed: tuple[str, ...]


def why(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Id of the run, or source:key.")],
    module: Annotated[str, typer.Argument(help="The module, as the executor calls it.")],
    record: Annotated[str, typer.Argument(help="Id of the record, or source:key.")],
    *,
    activation: Annotated[int, typer.Option(min=1, help="Which activation of it.")] = 1,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Say why a record was, or was not, given to a module of a run, and what it would have needed.

    Example: tasklore why sample:run-marex-filing-alert evaluate sample:marex
    """
    with asking(context, url, key_file) as client:
        arguments = {
            "run": ("RecordRefInput!", reference(run)),
            "moduleKey": ("String!", module),
            "activationSeq": ("Int!", activation),
            "record": ("RecordRefInput!", reference(record)),
        }
        found = client.send(asked("whyExcluded", arguments, Why))
    if output.wants_json():
        as_json(found)
        return
    pretty.show(
        found.sentence,
        pretty.facts(
            (
                ("outcome", found.outcome),
                ("code", found.code),
                ("stage", found.stage),
                ("score", None if found.score is None else pretty.bar(found.score)),
                ("threshold", None if found.threshold is None else pretty.bar(found.threshold)),
            )
        ),
    )
    if found.evidence:
        pretty.show(pretty.tree("Evidence", found.evidence))
    if found.also_failed:
        pretty.show(pretty.tree("It also fails", [f"{one.code}: {one.message}" for one in found.also_failed]))
    if found.would_have_needed:
        pretty.show(pretty.tree("It would have needed", found.would_have_needed))
