"""Services for a command that works on a graph by itself, with the embedding model at hand."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from embeddings import EmbeddingQueue
from graph_schema.registry import REGISTRY
from service.capability import Services
from service.graph.migrations import migrate
from service.graph.open import opened
from service.runtime.compose import services_alone
from service.runtime.runtime import load_embedder, load_second
from service.settings import Settings


@asynccontextmanager
async def opened_alone(settings: Settings, progress: Callable[[str], None]) -> AsyncGenerator[Services]:
    """On the graph that the settings mean, brought up to date."""
    async with opened(settings, progress) as database:
        embedder = await asyncio.to_thread(load_embedder, settings, progress)
        await migrate(database, REGISTRY, embedder_key=embedder.key, dimensions=embedder.dimensions, progress=progress)
        queue = EmbeddingQueue(embedder, second=await asyncio.to_thread(load_second, settings, progress))
        try:
            yield services_alone(database, queue, settings)
        finally:
            await queue.aclose()
