"""Traces through the one door for executors: their spans become events, and what became of them is told."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from service.access.viewer import Viewer
from service.errors import TaskloreError
from service.memory.reporting.answers import EventAnswer, ReportOutcome
from service.memory.reporting.commands import MOST_EVENTS, Reporting
from service.memory.reporting.errors import RunUnknown
from service.memory.telemetry.attributes import SOURCE
from service.memory.telemetry.mapping import Mapped, mapped, read_attributes
from service.observe import Metrics, log

MOST_REASONS = 5


@dataclass(slots=True)
class Taken:
    """What became of the spans of a request."""

    spans: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    left_out: Counter[str] = field(default_factory=Counter[str])
    reasons: Counter[str] = field(default_factory=Counter[str])
    """Why spans were rejected: the code, with the first message of each."""
    notes: Counter[str] = field(default_factory=Counter[str])
    messages: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def rejected(self) -> int:
        return self.outcomes["rejected"]

    def reject(self, code: str, message: str) -> None:
        self.outcomes["rejected"] += 1
        self.reasons[code] += 1
        self.messages.setdefault(code, message)

    def message(self) -> str:
        """What a sender is told; nothing when all went well."""
        told: list[str] = []
        if self.rejected:
            reasons = [f"{count} {code} ({self.messages[code]})" for code, count in _most(self.reasons)]
            told.append(f"{self.rejected} of {self.spans} spans were rejected: {'; '.join(reasons)}")
        told += [f"{count} times {note}" if count > 1 else note for note, count in _most(self.notes)]
        return ". ".join(told)


class Telemetry:
    def __init__(self, reporting: Reporting, metrics: Metrics) -> None:
        self._reporting = reporting
        self._metrics = metrics

    async def take(self, viewer: Viewer, request: ExportTraceServiceRequest) -> Taken:
        """Take spans, each for itself. Sent again they change nothing."""
        taken = Taken()
        spans = await asyncio.to_thread(_mapped, request, taken, viewer.defaults.source)
        await self._reporting.report(viewer, [])  # whoever may not report is told so, even with no spans at all
        for part in _parts(spans):
            answers = await self._reporting.report(viewer, [event for one in part for event in one.events])
            _count(taken, part, answers)
        self._tell(taken)
        return taken

    def _tell(self, taken: Taken) -> None:
        self._metrics.traces(taken.outcomes, taken.left_out)
        if taken.rejected or taken.left_out or taken.notes:
            say = log.warning if taken.rejected else log.info
            say(
                "traces were not taken whole",
                spans=taken.spans,
                rejected=taken.rejected,
                reasons=dict(taken.reasons),
                left_out=dict(taken.left_out),
                notes=sum(taken.notes.values()),
            )


def _mapped(request: ExportTraceServiceRequest, taken: Taken, source: str | None) -> list[Mapped]:
    """What can be mapped; those that say how their run is remembered come first."""
    of_key = {SOURCE: source} if source else {}
    found: list[Mapped] = []
    for resource in request.resource_spans:
        defaults = {**of_key, **read_attributes(resource.resource.attributes)}
        for scope in resource.scope_spans:
            for span in scope.spans:
                taken.spans += 1
                try:
                    found.append(mapped(defaults, span))
                except TaskloreError as error:
                    taken.reject(error.code, _told(error.code, error.message, error.remedy))
    for one in found:
        taken.left_out.update(one.left_out)
        taken.notes.update(one.notes)
    return sorted(found, key=lambda one: not one.tells_policy)


def _parts(spans: Sequence[Mapped]) -> Iterator[list[Mapped]]:
    """Spans in groups of no more events than a report takes."""
    part: list[Mapped] = []
    size = 0
    for one in spans:
        if size + len(one.events) > MOST_EVENTS:
            yield part
            part, size = [], 0
        part.append(one)
        size += len(one.events)
    if part:
        yield part


def _count(taken: Taken, part: Sequence[Mapped], answers: Sequence[EventAnswer]) -> None:
    """A span is taken when all its events are, and rejected when one of them is."""
    rest = iter(answers)
    for one in part:
        own = [next(rest) for _ in one.events]
        refused = next((answer for answer in own if answer.outcome is ReportOutcome.rejected), None)
        if refused is not None:
            code = refused.code or "rejected"
            taken.reject(code, _told(code, refused.message, refused.remedy))
        elif all(answer.outcome is ReportOutcome.duplicate for answer in own):
            taken.outcomes["duplicate"] += 1
        else:
            taken.outcomes["native" if one.is_native else "accepted"] += 1


def _told(code: str, message: str | None, remedy: str | None) -> str:
    """Why, and what to do about it in the words of who sends spans."""
    return " ".join(one for one in (message, _REMEDIES.get(code, remedy)) if one)


_REMEDIES = {
    RunUnknown.code: "Give the key defaults (tasklore key create --memory-mode standard --data-class internal), or set "
    "the attributes tasklore.memory_mode, tasklore.data_class and tasklore.matters on the resource."
}


def _most(counted: Counter[str]) -> list[tuple[str, int]]:
    return counted.most_common(MOST_REASONS)
