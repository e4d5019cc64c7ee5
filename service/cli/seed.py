"""`tasklore seed`: the sample world, into the database that the settings mean."""

import asyncio

import typer

from graph_schema.registry import REGISTRY
from service.cli import output
from service.graph.migrations import migrate
from service.graph.open import opened
from service.seeding import Loaded
from service.seeding import seed as load_sample
from service.settings import Settings


def seed(context: typer.Context) -> None:
    """Load the sample world: two law-firm matters, some engineering, some private life. Again, it changes nothing.

    Example: tasklore seed
    """
    with output.progressing() as progress:
        loaded = asyncio.run(_seed(context.obj.settings, progress))
    output.show({"changed": loaded.changed, "unchanged": loaded.unchanged})


async def _seed(settings: Settings, progress: output.Progress) -> Loaded:
    async with opened(settings, progress) as database:
        await migrate(database, REGISTRY, progress=progress)
        return await load_sample(database, progress)
