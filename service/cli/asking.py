"""Commands that ask a running service: where it is, with which key, and what it means when there is no answer."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli import output
from service.cli.keys import key_of
from service.cli.state import State
from service.client import ClientError, KeyMissing, NotAReference, Tasklore, Unreachable
from service.errors import TaskloreError
from service.web.address import base_address

Url = Annotated[
    str | None, typer.Option("--url", help="Address of the service, instead of TASKLORE_URL or that of this machine.")
]
KeyFile = Annotated[
    Path | None, typer.Option(help="File with the key to use, instead of TASKLORE_KEY or the owner's key of this home.")
]


class Exit(IntEnum):
    """What a command's exit code says. docs/terminal.md tells it to whoever writes scripts."""

    done = 0
    refused = 1
    misused = 2
    unreachable = 3
    nothing_found = 4


class NotAnswered(TaskloreError):
    """What a client has to say, as an error of the command line."""

    def __init__(self, error: ClientError) -> None:
        super().__init__(error.message, field=error.field, remedy=error.remedy)
        self.code = error.code
        self.exit_code = _exit_of(error)


def _exit_of(error: ClientError) -> Exit:
    if isinstance(error, Unreachable):
        return Exit.unreachable
    return Exit.misused if isinstance(error, KeyMissing | NotAReference) else Exit.refused


def address_of(state: State, url: str | None) -> str:
    return url or state.settings.url or base_address(state.settings)


@contextmanager
def asking(context: typer.Context, url: str | None, key_file: Path | None) -> Generator[Tasklore]:
    """A client of the service that is meant. What it cannot do ends the command with its message and an exit code."""
    state: State = context.obj
    try:
        with Tasklore(address_of(state, url), key_of(state, key_file)) as client:
            yield client
    except ClientError as error:
        raise NotAnswered(error) from error


def as_json(answer: Any) -> None:
    """An answer as it is, for programs."""
    output.show_json(asdict(answer))


def nothing_found(sentence: str) -> typer.Exit:
    """There was an answer, and it is that there is nothing: scripts can tell it from an error."""
    output.say(sentence)
    return typer.Exit(Exit.nothing_found)
