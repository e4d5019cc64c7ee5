"""A run as OTLP: its spans as they were reported, and the run and its activations where no span stands for them."""

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, Viewer
from service.commands.errors import NotAllowed
from service.graph.database import Database
from service.memory.telemetry import cypher
from service.memory.telemetry.errors import RunNotExported, RunNotFound
from service.memory.telemetry.tracing import Traced

MOST_SPANS = 10_000


class Export:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_run(self, viewer: Viewer, run_id: str) -> ExportTraceServiceRequest:
        """The run with what the viewer may see of it; of more than the most, the earliest."""
        if KeyScope.read not in viewer.scopes:
            raise NotAllowed(KeyScope.read, viewer.scopes)
        row = await self._database.read_one(
            cypher.RUN_TRACE, id=run_id, audiences=viewer.audiences, most=MOST_SPANS + 1
        )
        if row is None:
            raise RunNotFound(run_id)
        if row["run"]["data_class"] == DataClass.local_only:
            raise RunNotExported(run_id)
        spans, steps = row["spans"], row["steps"]
        is_truncated = len(spans) > MOST_SPANS or len(steps) > MOST_SPANS
        return Traced(row["run"], spans[:MOST_SPANS], steps[:MOST_SPANS]).request(is_truncated=is_truncated)
