"""`tasklore query`: any GraphQL document, asked from the terminal."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli import output
from service.cli.asking import Exit, KeyFile, Url, asking
from service.errors import TaskloreError


class VariableUnreadable(TaskloreError):
    code = "variable_unreadable"
    exit_code = Exit.misused

    def __init__(self, given: str) -> None:
        super().__init__(f"{given!r} is no variable.", field="--var", remedy="Write it as name=value.")


def query(
    context: typer.Context,
    document: Annotated[str, typer.Argument(help="The document; @FILE reads it from a file, - from standard input.")],
    *,
    var: Annotated[
        list[str],
        typer.Option("--var", help="A variable as name=value; JSON where it is some, else text. Repeat for more."),
    ] = [],  # noqa: B006
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Ask the API any GraphQL document and print the data of its answer as JSON.

    Example: tasklore query 'query ($n: Int!) { goals(first: $n) { nodes { name } } }' --var n=3
    """
    variables = dict(_variable(one) for one in var)
    with asking(context, url, key_file) as client:
        found = client.query(_text(document), variables)
    output.show_json(found)


def _text(document: str) -> str:
    if document == "-":
        return sys.stdin.read()
    return Path(document[1:]).read_text() if document.startswith("@") else document


def _variable(given: str) -> tuple[str, Any]:
    name, equals, value = given.partition("=")
    if not equals or not name:
        raise VariableUnreadable(given)
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
