"""What does not look right about a run: failures, contradictions in its reports, and what is late."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from service.memory.views.deliverables import NOT_DELIVERED
from service.memory.views.evidence import Evidence, evidence, spans_missing, steps_missing
from service.memory.views.facts import Activation, Delivery, NativeEvent, Span
from service.memory.views.index import RunIndex, once
from service.memory.views.trace import has_lost_parent, reported
from service.memory.views.words import listed, sentence
from service.views import Id, Of


class AnomalyCode(StrEnum):
    """Ours; a code of the specification is kept verbatim."""

    step_failed = "step_failed"
    operation_failed = "operation_failed"
    operation_retried = "operation_retried"
    fallback_used = "fallback_used"
    policy_blocked = "policy_blocked"
    delivery_failed = "delivery_failed"
    delivery_conflict = "delivery_conflict"
    delivered_by_failed_run = "delivered_by_failed_run"
    delivered_by_failed_step = "delivered_by_failed_step"
    completed_without_start = "completed_without_start"
    completed_before_start = "completed_before_start"
    open_after_end = "open_after_end"
    gate_overdue = "gate_overdue"
    orphan_span = "orphan_span"
    named_not_reported = "named_not_reported"
    packet_required = "validation.task_module_context_packet_required"
    linearization_loss = "warning.run_inspector_timeline_linearization_loss"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAnomaly:
    """Something that does not look right."""

    code: Annotated[str, "What kind it is."]
    message: Annotated[str, "What does not look right, in a sentence."]
    about_kind: Annotated[str, "Type of the record that it is about."]
    about_id: Annotated[Id, "Id of that record."]
    module_key: Annotated[str | None, "The module, if it is about one."]
    activation_seq: Annotated[int | None, Of("Activation")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAnomalies:
    """All that does not look right about a run, in the order of its steps."""

    count: Annotated[int, "How many."]
    items: Annotated[tuple[RunAnomaly, ...], "Each of them."]
    evidence: Annotated[Evidence, "What this rests on."]


def anomalies(index: RunIndex) -> RunAnomalies:
    found = find(index)
    lists = ("activations", "gates", "spans", "native_events", "deliveries", "snapshots", "packets")
    return RunAnomalies(
        count=len(found),
        items=found,
        evidence=evidence(index, lists, steps_missing(index), spans_missing(index)),
    )


@once
def find(index: RunIndex) -> tuple[RunAnomaly, ...]:
    return tuple(_found(index))


def _found(index: RunIndex) -> Iterator[RunAnomaly]:
    yield from _of_run(index)
    for step in index.steps:
        yield from _of_step(index, step)
    known = {one.id for one in reported(index)}
    for span in reported(index):
        yield from _of_span(index, span, known)
    for event in index.facts.native_events:
        yield from _of_native_event(index, event)
    for delivery in index.facts.deliveries:
        yield from _of_delivery(index, delivery)
    yield from _of_policy(index)


def _anomaly(code: AnomalyCode, message: str, about: tuple[str, str], step: Activation | None = None) -> RunAnomaly:
    return RunAnomaly(
        code=code.value,
        message=sentence(message),
        about_kind=about[0],
        about_id=about[1],
        module_key=step.module_key if step else None,
        activation_seq=step.activation_seq if step else None,
    )


def _of_run(index: RunIndex) -> Iterator[RunAnomaly]:
    run, about = index.run, ("Run", index.run.id)
    if index.has_ended and run.started_at is None:
        yield _anomaly(AnomalyCode.completed_without_start, "The run ended and no start of it was reported", about)
    if run.started_at and run.completed_at and run.completed_at < run.started_at:
        yield _anomaly(AnomalyCode.completed_before_start, "The run ended before it started", about)
    arrived = [one for one in index.facts.deliveries if one.status == "delivered"]
    if run.status in {"failed", "cancelled"} and arrived:
        names = listed([one.name for one in arrived])
        message = f"The run {'failed' if run.status == 'failed' else 'was cancelled'}, and yet delivered {names}"
        yield _anomaly(AnomalyCode.delivered_by_failed_run, message, about)
    place = {step.id: number for number, step in enumerate(index.steps)}
    back = [
        step for step in index.steps if any(place.get(one, place[step.id]) < place[step.id] for one in step.triggered)
    ]
    if back:
        message = (
            f"The steps are told in a line, which does not show that {index.label(back[0])} led back to an earlier one"
        )
        yield _anomaly(AnomalyCode.linearization_loss, message, about)


def _of_step(index: RunIndex, step: Activation) -> Iterator[RunAnomaly]:
    name, about = index.label(step), ("Activation", step.id)
    if step.stub:
        message = f"{name} was named by other events and never reported"
        yield _anomaly(AnomalyCode.named_not_reported, message, about, step)
    if step.status == "error":
        why = step.error_message or step.error_code or "no reason was given"
        yield _anomaly(AnomalyCode.step_failed, f"{name} failed: {why}", about, step)
        if any(one.status == "delivered" for one in index.deliveries.get(step.id, ())):
            message = f"{name} failed, and yet delivered something"
            yield _anomaly(AnomalyCode.delivered_by_failed_step, message, about, step)
    if step.fallback_used:
        yield _anomaly(AnomalyCode.fallback_used, f"{name} fell back to another model", about, step)
    yield from _of_times(index, step)
    for gate in index.gates.get(step.id, ()):
        if gate.status == "open" and gate.deadline_at is not None and gate.deadline_at < index.now:
            message = f"{name} waits for an answer that was due by {gate.deadline_at}"
            yield _anomaly(AnomalyCode.gate_overdue, message, ("Gate", gate.id), step)
    # Only where the prompt is known is it known that no packet went into it.
    if index.of_kind(step, "prompt") and not index.has_packet(step):
        message = f"{name} was prompted without a context packet"
        yield _anomaly(AnomalyCode.packet_required, message, about, step)


def _of_times(index: RunIndex, step: Activation) -> Iterator[RunAnomaly]:
    name, about = index.label(step), ("Activation", step.id)
    if step.status in {"success", "error"} and step.started_at is None:
        message = f"{name} ended and no start of it was reported"
        yield _anomaly(AnomalyCode.completed_without_start, message, about, step)
    if step.started_at and step.completed_at and step.completed_at < step.started_at:
        yield _anomaly(AnomalyCode.completed_before_start, f"{name} ended before it started", about, step)
    if index.has_ended and step.status in {"running", "waiting"}:
        message = f"{name} is {step.status}, though the run has ended"
        yield _anomaly(AnomalyCode.open_after_end, message, about, step)


def _of_span(index: RunIndex, span: Span, known: set[str]) -> Iterator[RunAnomaly]:
    step, about = index.step.get(span.activation_id or ""), ("Span", span.id)
    if span.status == "error":
        why = span.error_message or span.error_code or "no reason was given"
        yield _anomaly(AnomalyCode.operation_failed, f"{span.name} failed: {why}", about, step)
    if span.span_kind == "retry":
        yield _anomaly(AnomalyCode.operation_retried, f"{span.name}: an operation was tried again", about, step)
    if span.span_kind == "fallback":
        yield _anomaly(AnomalyCode.fallback_used, f"{span.name}: a fallback was used", about, step)
    if has_lost_parent(span, known):
        yield _anomaly(AnomalyCode.orphan_span, f"{span.name} is part of a span that is not known", about, step)


_FAILURES = {"subagent_failed": "failed", "subagent_timed_out": "took too long"}


def _of_native_event(index: RunIndex, event: NativeEvent) -> Iterator[RunAnomaly]:
    """What a runtime said of a failure, unless the span that it became says so."""
    how = _FAILURES.get(event.native_event_kind or "")
    told = {one.span_key for one in reported(index) if one.status == "error"}
    if how is not None and event.span_key not in told:
        step = next((one for one in index.steps if _place(one) == _place(event)), None)
        about = ("NativeEvent", event.id)
        yield _anomaly(AnomalyCode.operation_failed, f"By its runtime, a subagent {how}: {event.name}", about, step)


def _place(one: Activation | NativeEvent) -> tuple[str | None, int | None]:
    return (one.module_key, one.activation_seq)


def _of_delivery(index: RunIndex, delivery: Delivery) -> Iterator[RunAnomaly]:
    step, about = index.step.get(delivery.activation_id or ""), ("Delivery", delivery.id)
    if delivery.status in NOT_DELIVERED:
        how = "failed" if delivery.status == "failed" else "was blocked by policy"
        yield _anomaly(AnomalyCode.delivery_failed, f"The delivery {delivery.name} {how}", about, step)
    if delivery.conflicting:
        message = f"The delivery {delivery.name} was reported as delivered otherwise: {delivery.status} stands"
        others = f"; also {listed(delivery.conflicts)}" if delivery.conflicts else ""
        yield _anomaly(AnomalyCode.delivery_conflict, message + others, about, step)


def _of_policy(index: RunIndex) -> Iterator[RunAnomaly]:
    for one in index.facts.snapshots:
        if one.snapshot_kind == "policy" and one.decision == "blocked":
            why = f" ({listed(one.reason_codes)})" if one.reason_codes else ""
            what = (one.decision_kind or "an action").replace("_", " ")
            step = next((index.step[place] for place in one.held_for if place in index.step), None)
            yield _anomaly(AnomalyCode.policy_blocked, f"Policy blocked {what}{why}", ("Snapshot", one.id), step)
