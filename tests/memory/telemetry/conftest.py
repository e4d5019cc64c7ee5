"""Traces on an empty graph."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from service.memory.telemetry import Export, Taken, Telemetry
from service.observe import Metrics
from tests.memory.conftest import Executor
from tests.memory.telemetry.spans import POLICY, request
from tests.viewers import viewer_of

TREE = """
MATCH (s:Span)
RETURN s {.*, stamps: null, id: null, run_id: null, created_at: null, updated_at: null} AS span,
  [(s)-[:CHILD_OF]->(p:Span) | p.span_key] AS parents, [(s)-[:IN]->(a:Activation) | a.name] AS steps
ORDER BY s.span_key
"""


@dataclass(frozen=True)
class Traces:
    """Sends traces, asks for them, and looks at what came of it."""

    executor: Executor
    telemetry: Telemetry
    export: Export
    metrics: Metrics

    async def send(self, spans: Iterable[Span], resource: Mapping[str, Any] = POLICY, **viewer: Any) -> Taken:
        return await self.pass_on(request(spans, resource), **viewer)

    async def pass_on(self, sent: ExportTraceServiceRequest, **viewer: Any) -> Taken:
        return await self.telemetry.take(await viewer_of(self.executor.database, **viewer), sent)

    async def of_run(self, run_id: str, **viewer: Any) -> ExportTraceServiceRequest:
        return await self.export.of_run(await viewer_of(self.executor.database, **viewer), run_id)

    async def run_id(self) -> str:
        return (await self.executor.one("Run"))["id"]

    async def tree(self) -> list[Any]:
        """All spans with their parents and activations, without what the graph itself makes."""
        return await self.executor.database.read(TREE)


@pytest.fixture
def traces(executor: Executor) -> Traces:
    metrics = Metrics()
    return Traces(executor, Telemetry(executor.reporting, metrics), Export(executor.database), metrics)
