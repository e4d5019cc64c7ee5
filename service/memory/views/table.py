"""All read models of a run that take no arguments: what each is called, gives and needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from service.memory.views.aftermath import RunAftermath, aftermath
from service.memory.views.anomalies import RunAnomalies, anomalies
from service.memory.views.capabilities import RunCapabilities, capabilities
from service.memory.views.costs import RunCosts, costs
from service.memory.views.deliverables import RunDeliverables, deliverables
from service.memory.views.facts import Part
from service.memory.views.header import RunHeader, header
from service.memory.views.index import RunIndex
from service.memory.views.lens import RunLens, lens
from service.memory.views.memory import RunMemory, memory
from service.memory.views.progress import RunProgress, progress
from service.memory.views.prompts import RunPrompts, prompts
from service.memory.views.quality import RunQuality, quality
from service.memory.views.status import RunNarrative, status
from service.memory.views.timeline import RunTimeline, timeline
from service.memory.views.trace import RunTrace, trace


@dataclass(frozen=True, slots=True)
class View:
    """`needs` are the parts of the facts that `make` looks at, beside the run itself."""

    gives: type[Any]
    make: Callable[[RunIndex], Any]
    needs: frozenset[Part]
    description: str


def _view(gives: type[Any], make: Callable[[RunIndex], Any], description: str, *needs: Part) -> View:
    return View(gives, make, frozenset(needs), description)


VIEWS: dict[str, View] = {
    "header": _view(RunHeader, header, "The facts that people look for first.", Part.brief),
    "status": _view(RunNarrative, status, "Where it stands, in sentences.", Part.brief),
    "progress": _view(RunProgress, progress, "How far it has come, and where it is now.", Part.brief),
    "deliverables": _view(
        RunDeliverables, deliverables, "Outputs, inputs, receipts and deliveries.", Part.flow, Part.made
    ),
    "lens": _view(
        RunLens,
        lens,
        "All that a question about it in operation needs.",
        Part.brief,
        Part.flow,
        Part.trace,
        Part.made,
        Part.held,
    ),
    "trace": _view(RunTrace, trace, "Its spans as a tree.", Part.trace),
    "timeline": _view(RunTimeline, timeline, "A Gantt chart of it.", Part.flow, Part.trace),
    "costs": _view(RunCosts, costs, "What it cost, by module, model and subagent.", Part.flow, Part.trace),
    "anomalies": _view(
        RunAnomalies,
        anomalies,
        "What does not look right about it.",
        Part.flow,
        Part.trace,
        Part.made,
        Part.held,
    ),
    "prompts": _view(
        RunPrompts,
        prompts,
        "What its steps were prompted with.",
        Part.flow,
        Part.trace,
        Part.made,
        Part.held,
        Part.receipts,
    ),
    "capabilities": _view(
        RunCapabilities,
        capabilities,
        "What its steps could use, used and were refused.",
        Part.flow,
        Part.trace,
        Part.held,
    ),
    "quality": _view(RunQuality, quality, "What judges and experiments found.", Part.made),
    "memory": _view(RunMemory, memory, "What of it became memory, and by which policy.", Part.made),
    "aftermath": _view(
        RunAftermath,
        aftermath,
        "Sessions, interventions, checkpoints and replay records, with the controls that the runtime grounds.",
        Part.flow,
        Part.trace,
        Part.made,
        Part.held,
    ),
}
"""By the name of the field. Steps take arguments and are beside this table."""
