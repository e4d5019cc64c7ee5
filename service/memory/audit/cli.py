"""`tasklore audit`: a run as files that can be passed on."""

from pathlib import Path
from typing import Annotated, Any

import typer

from graph_schema.memory.audit import AuditFormat, AuditProfile
from graph_schema.memory.words import PolicyDecision
from graph_schema.registry import REGISTRY
from service.access.viewers import Viewers
from service.cli import output
from service.cli.keys import key_of
from service.cli.state import State
from service.commands import Commands, RecordRef
from service.graph.open import opened
from service.memory.audit import AuditExports
from service.memory.audit.bundle import zipped
from service.memory.audit.errors import NotWritten
from service.memory.audit.files import write_file, write_folder
from service.memory.audit.rules import Wish, read

NOT_ALLOWED = 1
Formats = Annotated[list[AuditFormat], typer.Option("--format", help="How it is written. Repeat for more.")]

audit = typer.Typer(name="audit", help="Export what a run did.", no_args_is_help=True, rich_markup_mode=None)


@audit.callback()
def _group() -> None:  # pyright: ignore[reportUnusedFunction] - so that `export` stays a command of a group
    """Export what a run did."""


@audit.command("export")
def export_audit(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Id of the run.")],
    *,
    to: Annotated[Path, typer.Option("--to", help="Directory to make and to write to.")],
    profile: Annotated[AuditProfile, typer.Option(help="How much it tells.")] = AuditProfile.external_redacted,
    formats: Formats = [AuditFormat.folder],  # noqa: B006 - typer copies it
    key_file: Annotated[
        Path | None, typer.Option(help="File with the key to use; without it, the owner's key of this home.")
    ] = None,
) -> None:
    """Write an audit export of a run to a directory that only you can read. The service's home keeps it too.

    Example: tasklore audit export run_01k9x3v7m2q8r5t1w4y6z0abcd --profile professional_internal --to ./audit
    """
    if to.exists():
        raise NotWritten(f"{to} is there already")
    wish = read(profile, list(formats), None)
    result = output.run_async(_export(context.obj, run, wish, key_file, to))
    output.show(result)
    if result["decision"] == PolicyDecision.blocked:
        raise typer.Exit(NOT_ALLOWED)


async def _export(state: State, run: str, wish: Wish, key_file: Path | None, to: Path) -> dict[str, Any]:
    key = key_of(state, key_file)
    with output.progressing() as progress:
        async with opened(state.settings, progress) as database:
            viewers = Viewers(database)
            try:
                viewer = await viewers.of_key(key)
                exports = AuditExports(Commands(database, REGISTRY, lambda _new: None), database, state.settings.home)
                outcome = await exports.export(viewer, RecordRef(id=run), wish)
                told = {name: outcome.result[name] for name in ("id", "decision", "reason_codes", "warnings")}
                if told["decision"] == PolicyDecision.blocked:
                    return told
                # What is there now may have a new audience: whoever made it may see it.
                viewers.forget()
                files = await exports.files(await viewers.of_key(key), told["id"])
            finally:
                await viewers.close()
    _write(to, files, as_zip=AuditFormat.zip in wish.formats)
    return {**told, "files": len(files), "to": str(to)}


def _write(to: Path, files: dict[str, bytes], *, as_zip: bool) -> None:
    try:
        write_folder(to, files)
        if as_zip:
            write_file(to.with_suffix(".zip"), zipped(files))
    except OSError as error:
        raise NotWritten(error.strerror or str(error)) from error
