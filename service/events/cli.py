"""`tasklore events follow`: what happens, as it happens."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from service.cli import output, pretty
from service.cli.asking import KeyFile, Url, asking
from service.client import Event

events = typer.Typer(name="events", help="Follow what happens.", no_args_is_help=True, rich_markup_mode=None)


@events.callback()
def _group() -> None:  # pyright: ignore[reportUnusedFunction] - so that `follow` stays a command of a group
    """Follow what happens."""


@events.command("follow")
def follow(
    context: typer.Context,
    *,
    kind: Annotated[
        list[str],
        typer.Option(help="Only this kind, such as goal.updated, or a family such as goal.*. Repeat for more."),
    ] = [],  # noqa: B006
    about: Annotated[str | None, typer.Option(help="Only events about this record: its id, or source:key.")] = None,
    after: Annotated[
        str | None, typer.Option(help="Begin after this cursor, instead of with what happens now.")
    ] = None,
    most: Annotated[int | None, typer.Option("--most", "-n", min=1, help="End after so many.")] = None,
    url: Url = None,
    key_file: KeyFile = None,
) -> None:
    """Show each event as it happens, until Ctrl-C. With --json a line of JSON each, with the cursor to go on from.

    Example: tasklore events follow --kind 'task.*'
    """
    with asking(context, url, key_file) as client:
        for seen, event in enumerate(client.follow(kind or None, about=about, after=after), 1):
            typer.echo(_line(event))
            if seen == most:
                return


def _line(event: Event) -> str:
    if output.wants_json():
        return json.dumps(asdict(event), default=str)
    changed = f"  {', '.join(event.changed)}" if event.changed else ""
    return f"{pretty.moment(event.at)}  {event.kind:<32}  {event.about_kind} {event.about}{changed}"
