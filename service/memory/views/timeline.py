"""The bars of a Gantt chart: modules, and inside them subagents, tools, model calls and waits."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.memory.words import StepStatus
from graph_schema.model.fields import Long, Timestamp
from service.memory.views.evidence import Evidence, evidence, spans_missing
from service.memory.views.facts import Activation, Gate, Span
from service.memory.views.index import RunIndex
from service.memory.views.trace import begun, reported
from service.memory.views.words import between
from service.views import Id, Of


class TimelineKind(StrEnum):
    """What a bar stands for."""

    module = "module"
    model = "model"
    subagent = "subagent"
    tool = "tool"
    wait = "wait"


_KINDS = {
    "llm_call": TimelineKind.model,
    "subagent_spawn": TimelineKind.subagent,
    "tool_call": TimelineKind.tool,
    "mcp_call": TimelineKind.tool,
    "connector_call": TimelineKind.tool,
    "wait_state": TimelineKind.wait,
    "human_review": TimelineKind.wait,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineBar:
    """One bar, from a start to an end."""

    id: Annotated[Id, "Id of the activation, span or gate."]
    kind: Annotated[TimelineKind, "What the bar stands for."]
    label: Annotated[str, "What people call it."]
    depth: Annotated[int, "0 for a module, 1 for what happened in it."]
    status: Annotated[StepStatus, "Where it stands."]
    started_at: Annotated[Timestamp | None, "Where the bar begins; null when no start was reported."]
    ended_at: Annotated[Timestamp | None, "Where it ends; null while it is open."]
    offset_ms: Annotated[Long | None, "From the beginning of the chart to that of the bar."]
    length_ms: Annotated[Long | None, "Its length; up to now while it is open."]
    is_open: Annotated[bool, "Whether it goes on."]
    module_key: Annotated[str | None, Of("Activation")]
    activation_seq: Annotated[int | None, Of("Activation")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTimeline:
    """A run as a Gantt chart, its rows in the order of the steps."""

    starts_at: Annotated[Timestamp | None, "Where the chart begins: the earliest time that is known."]
    ends_at: Annotated[Timestamp | None, "Where it ends: the latest time that is known, or now while the run goes on."]
    bars: Annotated[tuple[TimelineBar, ...], "The rows from top to bottom."]
    evidence: Annotated[Evidence, "What this rests on."]


@dataclass(frozen=True, slots=True)
class _Chart:
    index: RunIndex
    start: str | None

    def bar(
        self, kind: TimelineKind, of: Activation | Span | Gate, step: Activation | None, **drawn: str | None
    ) -> TimelineBar:
        status = StepStatus(str(drawn["status"]))
        started, ended = drawn["started"], drawn["ended"]
        is_open = ended is None and status in {StepStatus.running, StepStatus.waiting} and not self.index.has_ended
        until = ended or (self.index.now if is_open else None)
        return TimelineBar(
            id=of.id,
            kind=kind,
            label=str(drawn["label"]),
            depth=int(of is not step),
            status=status,
            started_at=started,
            ended_at=ended,
            offset_ms=between(self.start, started),
            length_ms=between(started, until),
            is_open=is_open,
            module_key=step.module_key if step else None,
            activation_seq=step.activation_seq if step else None,
        )

    def rows(self) -> Iterator[TimelineBar]:
        loose = [one for one in reported(self.index) if one.activation_id not in self.index.step]
        yield from self._spans(loose, None)
        for step in self.index.steps:
            yield self.bar(
                TimelineKind.module,
                step,
                step,
                label=self.index.label(step),
                status=step.status,
                started=step.started_at or step.waiting_since,
                ended=step.completed_at,
            )
            for gate in self.index.gates.get(step.id, ()):
                yield self._gate(gate, step)
            yield from self._spans([one for one in self.index.spans.get(step.id, ()) if not one.stub], step)

    def _spans(self, spans: list[Span], step: Activation | None) -> Iterator[TimelineBar]:
        for one in sorted(spans, key=begun):
            kind = _KINDS.get(one.span_kind or "")
            if kind is not None:
                yield self.bar(
                    kind, one, step, label=one.name, status=one.status, started=one.started_at, ended=one.completed_at
                )

    def _gate(self, gate: Gate, step: Activation) -> TimelineBar:
        status = StepStatus.waiting if gate.status == "open" else StepStatus.success
        label = gate.question or gate.name
        return self.bar(
            TimelineKind.wait, gate, step, label=label, status=status, started=gate.opened_at, ended=gate.decided_at
        )


def timeline(index: RunIndex) -> RunTimeline:
    facts = index.facts
    timed = (index.run, *facts.activations, *facts.spans)
    starts = [one.started_at for one in timed if one.started_at] + [
        one.opened_at for one in facts.gates if one.opened_at
    ]
    ends = [one.completed_at for one in timed if one.completed_at]
    start = min((*starts, *ends), default=None)
    end = max((*starts, *ends), default=None) if index.has_ended else index.now
    return RunTimeline(
        starts_at=start,
        ends_at=end,
        bars=tuple(_Chart(index, start).rows()),
        evidence=evidence(index, ("activations", "spans", "gates"), spans_missing(index)),
    )
