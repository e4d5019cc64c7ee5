"""`tasklore doctor`, `tasklore migrate`, `tasklore reembed`: the operator's commands for the graph itself."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated

import typer

from embeddings import Embedder, EmbeddingQueue
from graph_schema.registry import REGISTRY
from service.cards.embedding import Reembedded
from service.cards.embedding import reembed as embed_again
from service.cli import output
from service.cli.state import State
from service.doctor import Finding, Mended, Mender, examine
from service.graph.database import Database
from service.graph.migrations import Applied
from service.graph.migrations import migrate as apply_migrations
from service.graph.open import opened
from service.runtime.runtime import load_embedder, load_second

FOUND_SOMETHING = 1


def doctor(
    context: typer.Context,
    mend: Annotated[bool, typer.Option("--mend", help="Mend what follows from something else, and say what.")] = False,
) -> None:
    """Check the graph against the registry and list what is wrong. The exit code is 0 when nothing is.

    With --mend it makes again what can be made again safely, and lists what is left for a person.

    Example: tasklore doctor --mend
    """
    state: State = context.obj
    mended, findings = output.run_async(_mend(state)) if mend else (None, output.run_async(_examine(state)))
    rows = [_row(one, state.json) for one in findings]
    if state.json and mended is not None:
        output.show({"mended": [_row(one, True) for one in mended], "left": rows})
    else:
        if mended:
            output.show_rows([_row(one, False) for one in mended])
        output.show_rows(rows, empty="Nothing is wrong.")
    if findings:
        raise typer.Exit(FOUND_SOMETHING)


def migrate(context: typer.Context) -> None:
    """Bring the graph's constraints and indexes up to date. The service does so itself when it starts.

    Example: tasklore migrate
    """
    applied = output.run_async(_migrate(context.obj))
    output.show_rows([asdict(one) for one in applied], empty="The graph is up to date.")


def reembed(context: typer.Context) -> None:
    """Embed all cards with the model that is set now, and remove the vectors of other models.

    It can be interrupted; called again, it goes on from there.

    Example: TASKLORE_EMBEDDING_MODEL=bge-small-en-v1.5 tasklore reembed
    """
    output.show(asdict(output.run_async(_reembed(context.obj))))


def _row(told: Finding | Mended, as_json: bool) -> dict[str, object]:
    row: dict[str, object] = asdict(told)
    named = {"samples": told.samples} | ({"checks": told.checks} if isinstance(told, Mended) else {})
    return {**row, **{name: list(one) if as_json else ", ".join(one) for name, one in named.items()}}


async def _examine(state: State) -> list[Finding]:
    async with _graph_and_model(state) as (database, embedder, progress):
        return await examine(
            database,
            REGISTRY,
            embedder_key=embedder.key,
            dimensions=embedder.dimensions,
            second=await asyncio.to_thread(load_second, state.settings, progress),
            progress=progress,
        )


async def _mend(state: State) -> tuple[list[Mended], list[Finding]]:
    async with _graph_and_queue(state) as (database, queue, progress):
        return await Mender(database, REGISTRY, queue, progress).mend()


async def _migrate(state: State) -> list[Applied]:
    async with _graph_and_model(state) as (database, embedder, progress):
        return await apply_migrations(
            database, REGISTRY, embedder_key=embedder.key, dimensions=embedder.dimensions, progress=progress
        )


async def _reembed(state: State) -> Reembedded:
    async with _graph_and_queue(state) as (database, queue, progress):
        return await embed_again(database, REGISTRY, queue, progress)


@asynccontextmanager
async def _graph_and_queue(state: State) -> AsyncGenerator[tuple[Database, EmbeddingQueue, output.Progress]]:
    async with _graph_and_model(state) as (database, embedder, progress):
        queue = EmbeddingQueue(embedder, second=await asyncio.to_thread(load_second, state.settings, progress))
        try:
            yield database, queue, progress
        finally:
            await queue.aclose()


@asynccontextmanager
async def _graph_and_model(state: State) -> AsyncGenerator[tuple[Database, Embedder, output.Progress]]:
    with output.progressing() as progress:
        embedder = await asyncio.to_thread(load_embedder, state.settings, progress)
        async with opened(state.settings, progress) as database:
            yield database, embedder, progress
