"""`tasklore db`: the local Neo4j, started, watched, backed up and stopped by hand."""

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli import output
from service.cli.state import State
from service.errors import TaskloreError
from service.graph import local
from service.graph.local.home import Home
from service.graph.local.password import read_password
from service.settings import Settings

db = typer.Typer(
    name="db",
    help="Start, stop, inspect, back up and restore the local Neo4j.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

FOLLOW_SECONDS = 0.5
NOT_RUNNING = 3

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


class NotLocal(TaskloreError):
    code = "not_local"
    exit_code = 2

    def __init__(self, uri: str) -> None:
        super().__init__(
            f"TASKLORE_NEO4J_URI names {uri}, so there is no local Neo4j to work on.",
            field="TASKLORE_NEO4J_URI",
            remedy="Unset it to use the local one, or use that server's own tools.",
        )


@db.command()
def start(context: typer.Context) -> None:
    """Start the local Neo4j and leave it running.

    Example: tasklore db start
    """
    settings = _local_settings(context)
    with output.progressing() as progress:
        started = output.run_async(local.start_detached(settings, progress))
    output.show(_facts(started))


@db.command()
def stop(context: typer.Context) -> None:
    """Stop the local Neo4j cleanly.

    Example: tasklore db stop
    """
    settings = _local_settings(context)
    with output.progressing() as progress:
        stopped = output.run_async(local.stop(settings, progress))
    _tell("Stopped." if stopped else "It was not running.", stopped=stopped)


@db.command()
def status(
    context: typer.Context,
    show_password: Annotated[bool, typer.Option("--show-password", help="Show the password as well.")] = False,
) -> None:
    """Show whether the local Neo4j runs, where, and under whom. Exits with 3 when it does not answer.

    Example: tasklore db status --json
    """
    settings = _local_settings(context)
    found = output.run_async(local.status(settings))
    password = {"password": read_password(Home(settings))} if show_password else {}
    output.show(_facts(found) | password)
    if found.state != "running":
        raise typer.Exit(NOT_RUNNING)


@db.command()
def logs(
    context: typer.Context,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many of the last lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with new lines until Ctrl-C.")] = False,
) -> None:
    """Show the last lines of the local Neo4j's log.

    Example: tasklore db logs --lines 20 --follow
    """
    log = Home(_local_settings(context)).logs / "neo4j.log"
    last = _last_lines(log, lines)
    _tell("\n".join(last) or f"Nothing was logged yet in {log}.", file=str(log), lines=last)
    if follow:
        for line in _new_lines(log):
            typer.echo(line, nl=False)


@db.command()
def reset(context: typer.Context, yes: Yes = False) -> None:
    """Remove the local database, its password and its logs. Backups stay.

    Example: tasklore db reset --yes
    """
    settings = _local_settings(context)
    home = Home(settings)
    if not yes:
        typer.confirm(f"Remove the local database in {home.root} and everything in it?", abort=True, err=True)
    with output.progressing() as progress:
        output.run_async(local.reset(settings, progress))
    _tell(f"Removed the local database in {home.root}.", reset=str(home.root))


@db.command()
def backup(
    context: typer.Context,
    target: Annotated[
        Path | None, typer.Argument(help="File to write; without it one named by the time, in TASKLORE_HOME.")
    ] = None,
) -> None:
    """Write the local database into one file. The server is stopped for the duration.

    Example: tasklore db backup ~/tasklore.dump
    """
    settings = _local_settings(context)
    with output.progressing() as progress:
        written = output.run_async(local.backup(settings, target, progress))
    size = written.stat().st_size
    _tell(f"Wrote {written} ({size / 1e6:.1f} MB).", backup=str(written), bytes=size)


@db.command()
def restore(
    context: typer.Context,
    source: Annotated[Path, typer.Argument(help="A file that `tasklore db backup` wrote.")],
    yes: Yes = False,
) -> None:
    """Replace the local database by a backup. The server is stopped for the duration.

    Example: tasklore db restore ~/tasklore.dump --yes
    """
    settings = _local_settings(context)
    home = Home(settings)
    if home.has_data and not yes:
        typer.confirm(f"Replace the local database in {home.root} by {source}?", abort=True, err=True)
    with output.progressing() as progress:
        output.run_async(local.restore(settings, source, progress))
    _tell(f"Restored {source}.", restored=str(source))


def _local_settings(context: typer.Context) -> Settings:
    state = context.find_object(State)
    assert state is not None  # noqa: S101 - the main command sets it before any other runs
    settings = state.settings
    if settings.neo4j_uri:
        raise NotLocal(settings.neo4j_uri)
    return settings


def _tell(sentence: str, **facts: Any) -> None:
    """The sentence for people, the facts with `--json`."""
    if output.wants_json():
        output.show(facts)
    else:
        output.say(sentence)


def _facts(found: local.ServerStatus) -> dict[str, object]:
    facts = asdict(found)
    return facts if output.wants_json() else {key: value for key, value in facts.items() if value is not None}


def _last_lines(log: Path, count: int) -> list[str]:
    if not log.exists():
        return []
    with log.open(errors="replace") as file:
        return [line.rstrip("\n") for line in deque(file, maxlen=count)]


def _new_lines(log: Path) -> Iterator[str]:
    log.parent.mkdir(parents=True, exist_ok=True)
    log.touch()
    with log.open(errors="replace") as file:
        file.seek(0, 2)
        while True:
            if line := file.readline():
                yield line
            else:
                time.sleep(FOLLOW_SECONDS)
