"""What a replay of each step would need (§20E.4), as far as it was reported."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.model.names import api_name
from service.memory.views.facts import Activation
from service.memory.views.index import RunIndex
from service.memory.views.prompts import prompt_ref
from service.memory.views.words import like
from service.views import Id, Of

_NEEDED = ("graph_snapshot_ref", "module_config_snapshot_ref", "input_bundle_ref")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationRef:
    """An activation of the run."""

    module_key: Annotated[str, Of("Activation")]
    activation_seq: Annotated[int, Of("Activation")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRecord:
    """What a replay of one step would need."""

    activation_id: Annotated[Id, "Id of the activation."]
    module_key: Annotated[str, Of("Activation")]
    activation_seq: Annotated[int, Of("Activation")]
    graph_snapshot_ref: Annotated[str | None, Of("Checkpoint")]
    module_config_snapshot_ref: Annotated[str | None, Of("Checkpoint")]
    input_bundle_ref: Annotated[str | None, Of("Checkpoint")]
    output_bundle_ref: Annotated[str | None, Of("Checkpoint")]
    checkpoint_ref: Annotated[str | None, "Where the latest state after it is kept."]
    effective_prompt_snapshot_ref: Annotated[str | None, "Where its prompt is kept."]
    context_packet_ref: Annotated[str | None, "Where its context packet is kept."]
    capability_snapshot_ref: Annotated[str | None, "Where its capabilities are kept."]
    policy_snapshot_ref: Annotated[str | None, "Where the latest policy decision for it is kept."]
    model_runtime_snapshot_ref: Annotated[str | None, "Where the state of the model's runtime is kept."]
    source_document_version_refs: Annotated[tuple[str, ...], Of("Checkpoint")]
    artifact_refs: Annotated[tuple[str, ...], "Where what it made is kept."]
    delivery_record_refs: Annotated[tuple[Id, ...], "Ids of its deliveries."]
    error_refs: Annotated[tuple[Id, ...], "Ids of the operations in it that failed."]
    downstream_activation_refs: Annotated[tuple[ActivationRef, ...], "What it set going."]
    missing: Annotated[tuple[str, ...], "Fields that a replay needs and nobody reported."]


def replay_records(index: RunIndex) -> tuple[ReplayRecord, ...]:
    """One for each step that was reported."""
    return tuple(_record(index, step) for step in index.steps if not step.stub)


def _record(index: RunIndex, step: Activation) -> ReplayRecord:
    saved = sorted(index.checkpoints.get(step.id, ()), key=lambda one: one.taken_at or "")
    last = saved[-1] if saved else None
    needed = {
        "graph_snapshot_ref": (last and last.graph_snapshot_ref) or index.run.graph_snapshot_ref,
        "module_config_snapshot_ref": (last and last.module_config_snapshot_ref)
        or _kept(index, step, "module_configuration"),
        "input_bundle_ref": (last and last.input_bundle_ref) or step.input_bundle_ref,
    }
    return ReplayRecord(
        activation_id=step.id,
        module_key=step.module_key,
        activation_seq=step.activation_seq,
        **needed,
        output_bundle_ref=(last and last.output_bundle_ref) or step.output_bundle_ref,
        checkpoint_ref=last.storage_ref if last else None,
        effective_prompt_snapshot_ref=prompt_of(index, step),
        context_packet_ref=packet_of(index, step),
        capability_snapshot_ref=_kept(index, step, "capability"),
        policy_snapshot_ref=_kept(index, step, "policy"),
        model_runtime_snapshot_ref=_kept(index, step, "model_runtime"),
        source_document_version_refs=tuple(last.source_document_version_refs) if last else (),
        artifact_refs=artifacts_of(index, step),
        delivery_record_refs=tuple(one.id for one in index.deliveries.get(step.id, ())),
        error_refs=tuple(one.id for one in index.spans.get(step.id, ()) if one.status == "error"),
        downstream_activation_refs=_downstream(index, step),
        missing=tuple(api_name(name) for name in _NEEDED if needed[name] is None),
    )


def prompt_of(index: RunIndex, step: Activation) -> str | None:
    """Where the prompt of a step is kept."""
    return next((ref for ref in map(prompt_ref, index.of_kind(step, "prompt")) if ref), None)


def artifacts_of(index: RunIndex, step: Activation) -> tuple[str, ...]:
    """Where what a step made is kept."""
    return tuple(one.storage_ref for one in index.artifacts.get(step.id, ()) if one.storage_ref)


def packet_of(index: RunIndex, step: Activation) -> str | None:
    """Where somebody else keeps it, else the id of the packet that is kept here."""
    named = (one.context_packet_ref for one in index.of_kind(step, "prompt"))
    return next((one for one in (*named, *(one.id for one in index.packets.get(step.id, ()))) if one), None)


def _kept(index: RunIndex, step: Activation, kind: str) -> str | None:
    """Where the latest snapshot of a kind is kept."""
    found = sorted(index.of_kind(step, kind), key=lambda one: one.taken_at or "", reverse=True)
    return next((one.storage_ref for one in found if one.storage_ref), None)


def _downstream(index: RunIndex, step: Activation) -> tuple[ActivationRef, ...]:
    return tuple(like(ActivationRef, index.step[one]) for one in step.triggered if one in index.step)
