"""The spans of a run as a tree. Parents may be missing: then a span stands at the top, and says so."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import SpanKind, StepStatus
from graph_schema.model.fields import Long, Timestamp
from service.memory.views.evidence import Evidence, evidence, parents_missing, spans_missing
from service.memory.views.facts import Span
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id, Of


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpan:
    """One operation, at its place in the tree."""

    span_id: Annotated[Id, "Id of the span."]
    span_key: Annotated[str, Of("Span")]
    parent_span_id: Annotated[Id | None, "Id of the span that it is part of; null at the top."]
    parent_missing: Annotated[bool, "Whether a parent was named that is not there."]
    depth: Annotated[int, "How deep it stands, from 0."]
    child_count: Annotated[int, "How many spans are part of it."]
    span_kind: Annotated[SpanKind | None, Of("Span")]
    name: Annotated[str, Of("Span")]
    status: Annotated[StepStatus, Of("Span")]
    started_at: Annotated[Timestamp | None, Of("Span")]
    completed_at: Annotated[Timestamp | None, Of("Span")]
    duration_ms: Annotated[Long | None, Of("Span")]
    summary: Annotated[str | None, Of("Span")]
    error_code: Annotated[str | None, Of("Span")]
    error_message: Annotated[str | None, Of("Span")]
    cost_usd: Annotated[float | None, Of("Span")]
    input_tokens: Annotated[Long | None, Of("Span")]
    output_tokens: Annotated[Long | None, Of("Span")]
    model_ref: Annotated[str | None, Of("Span")]
    agent_ref: Annotated[str | None, Of("Span")]
    module_key: Annotated[str | None, Of("Span")]
    activation_seq: Annotated[int | None, Of("Span")]
    input_ref: Annotated[str | None, Of("Span")]
    output_ref: Annotated[str | None, Of("Span")]
    subagent_trace_ref: Annotated[str | None, Of("Span")]
    idempotency_key: Annotated[str | None, Of("Span")]
    tags: Annotated[tuple[str, ...], Of("Span")]
    artifact_ids: Annotated[tuple[Id, ...], "Ids of the artifacts that it had to do with."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTrace:
    """All spans of a run, each followed by its parts: a tree, read from the top."""

    trace_id: Annotated[str | None, Of("Run")]
    spans: Annotated[tuple[TraceSpan, ...], "The spans."]
    evidence: Annotated[Evidence, "What this rests on."]


def trace(index: RunIndex) -> RunTrace:
    tree = _Tree(reported(index))
    rows = tuple(_row(tree, one, depth) for one, depth in tree.walk())
    missing = sum(one.parent_missing for one in rows)
    return RunTrace(
        trace_id=index.run.trace_id,
        spans=rows,
        evidence=evidence(index, ("spans",), spans_missing(index), parents_missing(missing)),
    )


def reported(index: RunIndex) -> list[Span]:
    """Spans that somebody told of. One that was only named by its parts is not known."""
    return [one for one in index.facts.spans if not one.stub]


def has_lost_parent(span: Span, known: set[str]) -> bool:
    return span.parent_span_key is not None and (span.parent_id is None or span.parent_id not in known)


class _Tree:
    def __init__(self, spans: list[Span]) -> None:
        self.spans = {one.id: one for one in sorted(spans, key=begun)}
        self.known = set(self.spans)
        self.children: dict[str, list[Span]] = {}
        self._tops: list[Span] = []
        for one in self.spans.values():
            if one.parent_id in self.known:
                self.children.setdefault(one.parent_id or "", []).append(one)
            else:
                self._tops.append(one)

    def walk(self) -> list[tuple[Span, int]]:
        """Every span once, parents first. Spans that are their own ancestors begin at the earliest of them."""
        seen: set[str] = set()
        found = [row for top in self._tops for row in self._below(top, seen)]
        for one in self.spans.values():
            if one.id not in seen:
                found += self._below(one, seen)
        return found

    def _below(self, top: Span, seen: set[str]) -> list[tuple[Span, int]]:
        found: list[tuple[Span, int]] = []
        waiting = [(top, 0)]
        while waiting:
            span, depth = waiting.pop()
            if span.id not in seen:
                seen.add(span.id)
                found.append((span, depth))
                waiting.extend((one, depth + 1) for one in reversed(self.children.get(span.id, ())))
        return found


def begun(span: Span) -> tuple[str, str]:
    return (span.started_at or span.completed_at or "~", span.span_key)


def _row(tree: _Tree, span: Span, depth: int) -> TraceSpan:
    return like(
        TraceSpan,
        span,
        span_id=span.id,
        parent_span_id=span.parent_id if depth else None,
        parent_missing=has_lost_parent(span, tree.known),
        depth=depth,
        child_count=len(tree.children.get(span.id, ())),
    )
