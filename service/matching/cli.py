"""`tasklore match`: which asset of the library fits a request, and why not the others."""

from enum import StrEnum
from typing import Annotated

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, as_json, asking, nothing_found
from service.client import Candidate, Match


class Kind(StrEnum):
    template = "template"
    preset = "preset"
    pattern = "pattern"
    case = "case"
    blueprint = "blueprint"
    segment = "segment"


def match(
    context: typer.Context,
    request: Annotated[str, typer.Argument(help="What is wanted, in somebody's words.")],
    *,
    kind: Annotated[Kind, typer.Option(help="What kind of asset is looked for.")] = Kind.template,
    first: Annotated[int, typer.Option("--first", "-n", min=1, max=50, help="How many are shown.")] = 5,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Find what fits a request, with what speaks for it and why others lost. Exits with 4 when nothing fits.

    Example: tasklore match "a complaint audit for Acme"
    """
    with asking(context, url, key_file) as client:
        found = client.match(request, kind=kind.value, first=first)
    if output.wants_json():
        as_json(found)
    else:
        _show(found)
    if not found.recommended:
        raise nothing_found("")


def _show(found: Match) -> None:
    pretty.show(found.explanation)
    if found.recommended:
        rows = [_row(one) for one in found.recommended]
        pretty.show(pretty.heading("Fits"), pretty.table(("name", "confidence", "do", "id"), rows))
        for one in found.recommended:
            if one.apart:
                pretty.show(f"{one.name} ({one.id}): it {'; it '.join(one.apart)}.")
            if one.copies:
                pretty.show(f"{one.name}: nearly the same are {', '.join(each.id for each in one.copies)}.")
        pretty.show(pretty.heading(f"Why {found.recommended[0].name}"), _parts(found.recommended[0]))
    if found.losers:
        rows = [(*_row(one.candidate)[:2], one.message) for one in found.losers]
        pretty.show(pretty.heading("Lost"), pretty.table(("name", "confidence", "because"), rows))
    for one in found.warnings:
        pretty.show(f"{one.code}: {one.message}")


def _row(one: Candidate) -> tuple[pretty.RenderableType, ...]:
    return one.name, pretty.bar(one.confidence), one.recommended_action, one.id


def _parts(one: Candidate) -> pretty.RenderableType:
    known = [part for part in one.parts if part.score is not None]
    return pretty.table(
        ("part", "score", "evidence"), [(part.name, pretty.bar(part.score, 10), part.evidence) for part in known]
    )
