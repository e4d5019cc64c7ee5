"""The sample world in a graph: loaded on demand, or into a local database that is empty."""

from dataclasses import replace
from typing import LiteralString

from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, Viewer
from service.capability import Services
from service.graph.database import Database
from service.runtime.compose import services_alone
from service.seeding.load import Loaded, Past, Progress, load_world
from service.seeding.stories import read_afterwards, read_late_links, read_packets, read_scopes, read_stories
from service.seeding.world import SOURCE, read_world

ALL_AUDIENCES: LiteralString = "MATCH (a:Audience) RETURN collect(a.audience) AS audiences"
ANY_RECORD: LiteralString = "RETURN EXISTS { MATCH (:Record) } AS any"

_LOADER = Viewer(
    SOURCE, SOURCE, frozenset({KeyScope.curate, KeyScope.report}), DataClass.local_only, frozenset(), True, ()
)


async def seed(database: Database, progress: Progress, services: Services | None = None) -> Loaded:
    """Load the sample world. What is there already stays as it is."""

    async def viewer_now() -> Viewer:
        row = await database.read_one(ALL_AUDIENCES)
        return replace(_LOADER, audiences=tuple(row["audiences"] if row else ()))

    past = Past(read_stories(), read_afterwards(), read_late_links(), read_scopes(), read_packets())
    return await load_world(read_world(), past, services or services_alone(database), viewer_now, progress)


async def seed_if_empty(database: Database, progress: Progress, services: Services) -> Loaded | None:
    row = await database.read_one(ANY_RECORD)
    return None if row and row["any"] else await seed(database, progress, services)
