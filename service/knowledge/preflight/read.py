"""A preflight of something. A query: it stores nothing, and the same on the same graph gives the same."""

from dataclasses import replace

from service import clock
from service.access.viewer import Viewer
from service.context.packets.planned import PlannedPackets
from service.graph.database import Database
from service.knowledge.preflight.examine import examine
from service.knowledge.preflight.load import PreflightFacts, PreflightRequest, Raw, Subject, plain
from service.knowledge.preflight.patching import patched
from service.knowledge.preflight.report import PreflightReport
from service.library.graphs import CableInput, GraphInput, ModuleInput


class Preflights:
    def __init__(self, database: Database, packets: PlannedPackets) -> None:
        self._facts = PreflightFacts(database, packets)

    async def examine(self, viewer: Viewer, subject: Subject, asked: PreflightRequest) -> PreflightReport:
        report, _ = await self.examined(viewer, subject, asked, clock.now())
        return report

    async def examined(
        self, viewer: Viewer, subject: Subject, asked: PreflightRequest, at: str
    ) -> tuple[PreflightReport, Raw]:
        """The report, and the facts that it rests on as they are kept."""
        raw = plain(await self._facts.of(viewer, subject, asked, at))
        return examine(raw, at), raw


def mended(raw: Raw, report: PreflightReport) -> GraphInput:
    """The graph with every fix of its own issues, as far as they are about the graph."""
    held = graph_in(raw)
    for one in report.recommended_fixes:
        held = replace(held, **patched(held, one))
    return held


def graph_in(raw: Raw) -> GraphInput:
    """The graph that was examined, as it was."""
    graph = raw["graph"]
    modules = [ModuleInput(**one) for one in graph["modules"]]
    return GraphInput(modules, [CableInput(**one) for one in graph["cables"]], graph["settings"], graph["extra"])
