"""`tasklore import` and `tasklore export`: workflows of other systems as templates, and back."""

from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewers import Viewers
from service.cli import output
from service.cli.keys import key_of
from service.cli.state import State
from service.commands import Commands, RecordRef
from service.graph.open import opened
from service.library.n8n.commands import File, ImportOutcome, N8nImportItem, N8nWorkflows
from service.library.n8n.workflow import MOST_BYTES, NotAWorkflow
from service.progress import Part

AT_ONCE = 50
NOT_ALL = 1
Key = Annotated[Path | None, typer.Option(help="File with the key to use; without it, the owner's key of this home.")]

import_ = typer.Typer(help="Make templates of workflows.", no_args_is_help=True, rich_markup_mode=None)
export = typer.Typer(help="Write templates as workflows.", no_args_is_help=True, rich_markup_mode=None)


@import_.callback()
@export.callback()
def _group() -> None:  # pyright: ignore[reportUnusedFunction] - so that `n8n` stays a command of a group
    """Workflows of other systems."""


@import_.command("n8n")
def import_n8n(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(help="Files, or folders that are searched for *.json.", exists=True)],
    *,
    data_class: Annotated[DataClass, typer.Option(help="How sensitive new templates are.")] = DataClass.internal,
    key_file: Key = None,
) -> None:
    """Import workflows that n8n exported. What is broken is told and left out; again, only what changed is changed.

    Example: tasklore import n8n ./workflows
    """
    files = list(_files(paths))
    items = output.run_async(_import(context.obj, files, data_class, key_file))
    rejected = [one for one in items if one.outcome is ImportOutcome.rejected]
    counts = Counter(one.outcome.value for one in items)
    facts: dict[str, Any] = {outcome.value: counts[outcome.value] for outcome in ImportOutcome}
    if output.wants_json():
        facts["rejections"] = [{"file": one.file_name, "code": one.code, "reason": one.message} for one in rejected]
        facts["warnings"] = [{"file": one.file_name, "warning": told.message} for one in items for told in one.warnings]
    output.show(facts)
    for one in rejected:
        output.complain(f"{one.file_name}: {one.message}")
    if rejected:
        raise typer.Exit(NOT_ALL)


@export.command("n8n")
def export_n8n(
    context: typer.Context,
    template: Annotated[str, typer.Argument(help="Id of the template.")],
    *,
    to: Annotated[Path | None, typer.Option("--to", help="File to write; without it, it is printed.")] = None,
    key_file: Key = None,
) -> None:
    """Write a template that came from n8n as a workflow of n8n.

    Example: tasklore export n8n tpl_01k9x3v7m2q8r5t1w4y6z0abcd --to workflow.json
    """
    written = orjson.dumps(output.run_async(_export(context.obj, template, key_file)), option=orjson.OPT_INDENT_2)
    if to is None:
        typer.echo(written.decode())
    else:
        _write(to, written)
        output.show({"to": str(to), "bytes": len(written)})


@asynccontextmanager
async def _workflows(state: State, progress: output.Progress) -> AsyncGenerator[tuple[N8nWorkflows, Viewers]]:
    async with opened(state.settings, progress) as database:
        viewers = Viewers(database)
        try:
            yield (
                N8nWorkflows(Commands(database, REGISTRY, lambda new: viewers.forget() if new else None), database),
                viewers,
            )
        finally:
            await viewers.close()


async def _import(
    state: State, files: list[tuple[str, Path]], data_class: DataClass, key_file: Path | None
) -> list[N8nImportItem]:
    key = key_of(state, key_file)
    items: list[N8nImportItem] = []
    access, taken = {"data_class": data_class.value}, dict[str, str]()
    with output.progressing() as progress:
        async with _workflows(state, progress) as (workflows, viewers):
            for start in range(0, len(files), AT_ONCE):
                batch = [_read(*one) for one in files[start : start + AT_ONCE]]
                items += [one for one in batch if isinstance(one, N8nImportItem)]
                read = [one for one in batch if isinstance(one, File)]
                if read:
                    viewer = await viewers.of_key(key)
                    items += (await workflows.import_files(viewer, read, access, taken=taken)).items
                progress(Part("Files", min(start + AT_ONCE, len(files)), len(files)))
    return items


async def _export(state: State, template: str, key_file: Path | None) -> dict[str, Any]:
    key = key_of(state, key_file)
    with output.progressing() as progress:
        async with _workflows(state, progress) as (workflows, viewers):
            return (await workflows.export(await viewers.of_key(key), RecordRef(id=template))).workflow


def _files(paths: list[Path]) -> Iterator[tuple[str, Path]]:
    """Each file once, with its name: below a folder, its path from there, so that names differ."""
    seen: set[Path] = set()
    for path in paths:
        for one in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            if one.resolve() not in seen:
                seen.add(one.resolve())
                yield (one.relative_to(path).as_posix() if path.is_dir() else one.name), one


def _read(name: str, path: Path) -> File | N8nImportItem:
    """The file, or why it cannot be read. No more of a huge one than shows that it is huge."""
    try:
        with path.open("rb") as file:
            return File(name, file.read(MOST_BYTES + 1))
    except OSError as error:
        problem = NotAWorkflow(f"it cannot be read: {error.strerror or error}")
        return N8nImportItem(name, ImportOutcome.rejected, code=problem.code, message=problem.message)


def _write(to: Path, written: bytes) -> None:
    try:
        to.write_bytes(written)
    except OSError as error:
        raise typer.BadParameter(f"{to} cannot be written: {error.strerror or error}", param_hint="--to") from error
