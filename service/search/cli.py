"""`tasklore search`: everything that may be seen, by name, words or meaning."""

from dataclasses import dataclass
from typing import Annotated

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, as_json, asking, nothing_found
from service.client import Notice, asked


@dataclass(frozen=True, slots=True)
class Hit:
    id: str
    kind: str
    name: str
    score: float
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    hits: tuple[Hit, ...]
    truncated: bool
    empty_reason: str | None
    explanation: str | None
    warnings: tuple[Notice, ...]


def search(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="A name, words or a sentence.")],
    *,
    kind: Annotated[list[str], typer.Option(help="Only this kind, such as Template or Goal. Repeat for more.")] = [],  # noqa: B006
    first: Annotated[int, typer.Option("--first", "-n", min=1, max=200, help="How many are shown.")] = 10,
    archived: Annotated[bool, typer.Option("--archived", help="Also what is archived.")] = False,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Search everything that you may see. Exits with 4 when nothing is found.

    Example: tasklore search "damages memo" --kind Artifact
    """
    arguments = {
        "text": ("String!", text),
        "kinds": ("[String!]", kind or None),
        "first": ("Int!", first),
        "includeArchived": ("Boolean!", archived),
    }
    with asking(context, url, key_file) as client:
        found = client.send(asked("search", arguments, Found))
    if output.wants_json():
        as_json(found)
    elif found.hits:
        rows = [(one.name, one.kind, pretty.bar(one.score), one.id) for one in found.hits]
        pretty.show(pretty.table(("name", "kind", "score", "id"), rows))
        for warning in found.warnings:
            pretty.show(f"{warning.code}: {warning.message}")
    if not found.hits:
        raise nothing_found(found.explanation or "Nothing was found.")
