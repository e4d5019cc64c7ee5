"""What a run made, worked from and delivered (§20C.5)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from graph_schema.memory.words import (
    ArtifactKind,
    ArtifactState,
    DeliveryKind,
    DeliveryStatus,
    IntakeLevel,
    OutputClass,
)
from graph_schema.model.fields import Long, Timestamp
from service.memory.views.evidence import Evidence, evidence, memory_missing, outputs_missing
from service.memory.views.facts import Activation, Artifact, Delivery
from service.memory.views.index import RunIndex, once
from service.memory.views.words import like, listed
from service.views import Id, Linked, Of

FINAL = "final_output"
CAME_IN = {"downloaded_document": "downloaded", "received_attachment": "received", "received_message": "received"}
NOT_DELIVERED = ("failed", "blocked_by_policy")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutput:
    """Something that a run made, as an entry of the artifact index."""

    artifact_id: Annotated[Id, "Id of the artifact."]
    name: Annotated[str, Of("Artifact")]
    artifact_kind: Annotated[ArtifactKind | None, Of("Artifact")]
    output_class: Annotated[OutputClass | None, Of("Artifact")]
    storage_ref: Annotated[str | None, Of("Artifact")]
    media_type: Annotated[str | None, Of("Artifact")]
    size_bytes: Annotated[Long | None, Of("Artifact")]
    summary: Annotated[str | None, Of("Artifact")]
    produced_at: Annotated[Timestamp | None, Of("Artifact")]
    produced_by: Annotated[str | None, "The step that made it."]
    module_key: Annotated[str | None, "The module that made it."]
    activation_seq: Annotated[int | None, "Which activation of that module."]
    port_name: Annotated[str | None, Of("Artifact")]
    used_by: Annotated[tuple[str, ...], "Steps of this run that worked from it."]
    delivery_ids: Annotated[tuple[Id, ...], "Ids of its deliveries, also those by other runs."]
    intake_level: Annotated[IntakeLevel, Of("Artifact")]
    review_required: Annotated[bool, Of("Artifact")]
    artifact_state: Annotated[ArtifactState, Of("Artifact")]
    work_product_ids: Annotated[tuple[Id, ...], "Ids of the work products that it became."]
    artifact: ClassVar = Linked("artifact_id", "The artifact as it is now.", "Artifact")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSource:
    """Something that a run worked from: a document, a work product, an artifact of another run."""

    id: Annotated[Id, "Id of the record."]
    kind: Annotated[str, "What kind of record it is."]
    name: Annotated[str, "What people call it."]
    storage_ref: Annotated[str | None, "Where its content is kept."]
    how: Annotated[tuple[str, ...], "How it came in: consumed, received, downloaded, opened."]
    used_by: Annotated[tuple[str, ...], "Steps that worked from it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDelivery:
    """Something that left a run."""

    delivery_id: Annotated[Id, "Id of the delivery."]
    delivery_kind: Annotated[DeliveryKind | None, Of("Delivery")]
    status: Annotated[DeliveryStatus, Of("Delivery")]
    artifact_id: Annotated[Id | None, "Id of the artifact that was delivered."]
    artifact_name: Annotated[str | None, "What people call that."]
    artifact_ref: Annotated[str | None, "Where its content is kept."]
    module_key: Annotated[str | None, "The module that delivered it."]
    activation_seq: Annotated[int | None, "Which activation of that module."]
    destination_summary: Annotated[str | None, Of("Delivery")]
    delivered_to: Annotated[tuple[str, ...], Of("Delivery")]
    delivered_at: Annotated[Timestamp | None, Of("Delivery")]
    external_message_id: Annotated[str | None, Of("Delivery")]
    saved_path: Annotated[str | None, Of("Delivery")]
    open_url: Annotated[str | None, Of("Delivery")]
    receipt_ref: Annotated[str | None, Of("Delivery")]
    policy_approval_ref: Annotated[str | None, Of("Delivery")]
    conflicts: Annotated[tuple[str, ...], Of("Delivery")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDeliverables:
    """Outputs, inputs, receipts and deliveries of a run."""

    final_outputs: Annotated[tuple[RunOutput, ...], "What it was for."]
    intermediate_outputs: Annotated[tuple[RunOutput, ...], "What else it made."]
    input_documents: Annotated[tuple[RunSource, ...], "What it worked from."]
    receipts: Annotated[tuple[RunOutput, ...], "Receipts that it kept as artifacts."]
    deliveries: Annotated[tuple[RunDelivery, ...], "All that left it."]
    undelivered_outputs: Annotated[
        tuple[RunOutput, ...], "Final outputs of which nobody reported that a delivery arrived, by whichever run."
    ]
    failed_deliveries: Annotated[tuple[RunDelivery, ...], "Deliveries that failed or were blocked."]
    evidence: Annotated[Evidence, "What this rests on."]


def deliverables(index: RunIndex) -> RunDeliverables:
    outputs = index_entries(index)
    shown = [shown_delivery(index, one) for one in index.facts.deliveries]
    arrived = {one.id for one in index.facts.artifacts if one.arrived}
    finals = final_outputs(index)
    return RunDeliverables(
        final_outputs=finals,
        intermediate_outputs=tuple(one for one in outputs if _part(one) == "intermediate"),
        input_documents=tuple(sources(index)),
        receipts=tuple(one for one in outputs if _part(one) == "receipt"),
        deliveries=tuple(shown),
        undelivered_outputs=tuple(one for one in finals if one.artifact_id not in arrived),
        failed_deliveries=tuple(one for one in shown if one.status.value in NOT_DELIVERED),
        evidence=evidence(
            index,
            ("activations", "artifacts", "consumed", "documents", "deliveries"),
            outputs_missing(index),
            memory_missing(index),
        ),
    )


def _part(output: RunOutput) -> str:
    if output.output_class == FINAL:
        return "final"
    if output.artifact_kind is ArtifactKind.system_receipt:
        return "receipt"
    return "input" if output.output_class in CAME_IN else "intermediate"


def final_outputs(index: RunIndex) -> tuple[RunOutput, ...]:
    return tuple(one for one in index_entries(index) if one.output_class == FINAL)


@once
def index_entries(index: RunIndex) -> tuple[RunOutput, ...]:
    """Every artifact of the run, in the order in which they were made."""
    return tuple(shown_output(index, one) for one in made(index))


def made(index: RunIndex) -> list[Artifact]:
    return sorted(index.facts.artifacts, key=lambda one: (one.produced_at or "~", one.id))


def shown_output(index: RunIndex, artifact: Artifact) -> RunOutput:
    maker = index.step.get(artifact.activation_id or "")
    return like(
        RunOutput,
        artifact,
        artifact_id=artifact.id,
        produced_by=index.label(maker) if maker else None,
        module_key=maker.module_key if maker else None,
        activation_seq=maker.activation_seq if maker else None,
        used_by=_labels(index, index.users.get(artifact.id, ())),
        delivery_ids=artifact.delivered_by,
        work_product_ids=artifact.became,
    )


def sources(index: RunIndex) -> Iterator[RunSource]:
    """What came from outside the run, each once. What the run itself made is no input of it."""
    ways: dict[str, set[str]] = {}
    known: dict[str, tuple[str, str, str | None]] = {}
    for one in index.facts.consumed:
        if one.id not in index.artifact:
            known[one.id] = (one.kind, one.name, one.storage_ref)
            ways.setdefault(one.id, set()).add("consumed")
    for one in index.facts.documents:
        known.setdefault(one.id, ("Entity", one.name, None))
        ways.setdefault(one.id, set()).add(one.how)
    for one in index.facts.artifacts:
        if one.output_class in CAME_IN:
            known[one.id] = ("Artifact", one.name, one.storage_ref)
            ways.setdefault(one.id, set()).add(CAME_IN[one.output_class])
    for record_id, (kind, name, ref) in sorted(known.items(), key=lambda one: (one[1][1], one[0])):
        used = _labels(index, index.users.get(record_id, ()))
        how = tuple(sorted(ways[record_id]))
        yield RunSource(id=record_id, kind=kind, name=name, storage_ref=ref, how=how, used_by=used)


def shown_delivery(index: RunIndex, delivery: Delivery) -> RunDelivery:
    artifact = index.artifact.get(delivery.artifact_id or "")
    maker = index.step.get(delivery.activation_id or "")
    return like(
        RunDelivery,
        delivery,
        delivery_id=delivery.id,
        artifact_name=artifact.name if artifact else None,
        artifact_ref=artifact.storage_ref if artifact else None,
        module_key=maker.module_key if maker else None,
        activation_seq=maker.activation_seq if maker else None,
    )


_SENT = {"email": "emailed", "file_save": "saved", "work_product_save": "saved", "calendar": "put in a calendar"}


def sent(index: RunIndex) -> Iterator[str]:
    """What arrived where, in words: `Complaint emailed to w@example.com`; also what was told otherwise since."""
    for one in sorted(index.facts.deliveries, key=lambda one: (one.delivered_at or "~", one.idempotency_key)):
        artifact = index.artifact.get(one.artifact_id or "")
        if one.conflicts and one.status != "delivered":
            told = f"{listed(one.conflicts)} (reported as {str(one.status).replace('_', ' ')} since)"
            yield f"{artifact.name} {told}" if artifact else told
        if one.status == "delivered":
            how = _SENT.get(one.delivery_kind or "", f"delivered by {(one.delivery_kind or 'other means')}")
            where = one.saved_path or listed(one.delivered_to) or one.destination_summary
            told = f"{how} to {where}" if where else how
            also = f" (also reported as {listed(one.conflicts)})" if one.conflicts else ""
            yield (f"{artifact.name} {told}" if artifact else told) + also


def _labels(index: RunIndex, steps: Iterable[Activation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(index.label(one) for one in steps))
