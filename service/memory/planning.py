"""The statements of run views and of lineage, planned before somebody waits for them."""

from typing import LiteralString

from service.access.viewer import Viewer
from service.capability import Services
from service.commands import RecordRef
from service.memory.lineage import LineageDirection, LineageRequest, Lineages
from service.memory.views import Part, load_run

# Some run that made something: which one does not matter.
SOME_RUN: LiteralString = """
MATCH (run:Run:Record)-[:ACTIVATED]->(:Activation)-[:PRODUCED]->(made:Artifact:Record)
RETURN run.id AS run, made.id AS made LIMIT 1
"""


async def plan_ahead(services: Services, viewer: Viewer) -> None:
    row = await services.ground.database.read_one(SOME_RUN)
    if row:
        await load_run(services.ground.database, viewer, row["run"], frozenset(Part))
        request = LineageRequest(RecordRef(id=row["made"]), LineageDirection.both)
        await services[Lineages].lineage(viewer, request)
