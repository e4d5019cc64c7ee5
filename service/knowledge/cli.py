"""`tasklore knowledge`: compiling the pack, looking at the one in use, and putting another one into use."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from service.access.viewer import Viewer
from service.access.viewers import Viewers
from service.capability import Services
from service.cli import output
from service.cli.keys import key_of
from service.cli.state import State
from service.commands import RecordRef
from service.graph.open import opened
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.pack.cypher import TOLD
from service.knowledge.pack.read import KnowledgePacks, KnowledgeStatus
from service.runtime.compose import services_alone

T = TypeVar("T")
BEHIND = 1
Key = Annotated[Path | None, typer.Option(help="File with the key to use; without it, the owner's key of this home.")]
knowledge = typer.Typer(help="The knowledge pack.", no_args_is_help=True, rich_markup_mode=None)


@knowledge.command("compile")
def compile_pack(
    context: typer.Context,
    *,
    activate: Annotated[
        bool, typer.Option("--activate", help="Put it into use, if nothing speaks against it.")
    ] = False,
    key_file: Key = None,
) -> None:
    """Compile a pack from what there is now. The same sources give the same pack.

    Example: tasklore knowledge compile --activate
    """

    async def work(services: Services, viewer: Viewer) -> dict[str, Any]:
        made = (await services[KnowledgeCompiler].compile(viewer, activate=activate)).result
        return {**await _pack(services, made["id"]), "new": made["changed"]}

    output.show(_run(context.obj, key_file, work))


@knowledge.command()
def status(context: typer.Context, *, key_file: Key = None) -> None:
    """Show the pack in use: what it is good for, what it lacks, what has changed since.

    Example: tasklore knowledge status
    """

    async def work(services: Services, viewer: Viewer) -> KnowledgeStatus:
        return await services[KnowledgePacks].status(viewer)

    found = _run(context.obj, key_file, work)
    output.show({
        "pack": found.pack_id,
        "state": found.pack_state,
        "readiness": found.readiness_state,
        "good for": ", ".join(found.activated_for),
        "missing": "; ".join(found.missing_required_cards),
        "drift": len(found.drift),
    })  # fmt: skip
    if found.drift and not output.wants_json():
        output.show_rows([
            {"kind": one.kind, "source": one.source_ref, "severity": one.severity, "do": one.remediation}
            for one in found.drift
        ])  # fmt: skip


@knowledge.command()
def check(context: typer.Context, *, key_file: Key = None) -> None:
    """Look whether the pack in use is behind, and note it. Ends with 1 when it is.

    Example: tasklore knowledge check
    """

    async def work(services: Services, viewer: Viewer) -> dict[str, Any]:
        told = (await services[KnowledgeCompiler].check(viewer)).result
        return {"drift": told["drift"], "stale": told["stale"]}

    found = _run(context.obj, key_file, work)
    output.show(found)
    if found["stale"]:
        raise typer.Exit(BEHIND)


@knowledge.command()
def activate(
    context: typer.Context,
    pack: Annotated[str, typer.Argument(help="Id of the pack: a staged one, or one from before.")],
    *,
    key_file: Key = None,
) -> None:
    """Put a pack into use in the place of the one that is.

    Example: tasklore knowledge activate kpack_01k9x3v7m2q8r5t1w4y6z0abcd
    """

    async def work(services: Services, viewer: Viewer) -> dict[str, Any]:
        made = (await services[KnowledgeCompiler].activate(viewer, RecordRef(id=pack))).result
        return await _pack(services, made["id"])

    output.show(_run(context.obj, key_file, work))


def _run(state: State, key_file: Path | None, work: Callable[[Services, Viewer], Awaitable[T]]) -> T:
    async def run() -> T:
        with output.progressing() as progress:
            async with opened(state.settings, progress) as database:
                viewer = await Viewers(database).of_key(key_of(state, key_file))
                return await work(services_alone(database, settings=state.settings), viewer)

    return output.run_async(run())


async def _pack(services: Services, pack_id: str) -> dict[str, Any]:
    row = await services.ground.database.read_one(TOLD, id=pack_id)
    return dict(row["pack"]) if row else {"id": pack_id}
