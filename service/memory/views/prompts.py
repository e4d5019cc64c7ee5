"""What each step was prompted with, as far as snapshots hold it (§20C.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.context.words import Binding, CandidateKind, ContextLayer, ExclusionReason, Stage
from graph_schema.memory.words import RedactionMode, WriteScope
from graph_schema.model.fields import Timestamp
from service.memory.views.evidence import Evidence, context_items_missing, evidence, prompts_missing
from service.memory.views.facts import Activation, Packet, PacketReceipt, Snapshot
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id, Of


class PromptLayerKind(StrEnum):
    """The layers of a prompt."""

    system = "system"
    task_blueprint = "task_blueprint"
    environment_config = "environment_config"
    module_instruction = "module_instruction"
    instruction_in = "instruction_in"
    doc24_context_packet = "doc24_context_packet"
    data_in = "data_in"
    context_in = "context_in"
    chain_history = "chain_history"
    attached_files = "attached_files"


_NAMES = {
    PromptLayerKind.system: "System instruction",
    PromptLayerKind.task_blueprint: "Task blueprint",
    PromptLayerKind.environment_config: "Configuration",
    PromptLayerKind.module_instruction: "Module instruction",
    PromptLayerKind.instruction_in: "Instruction input",
    PromptLayerKind.doc24_context_packet: "Context packet",
    PromptLayerKind.data_in: "Data input",
    PromptLayerKind.context_in: "Context input",
    PromptLayerKind.chain_history: "History",
    PromptLayerKind.attached_files: "Attached file",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptLayer:
    """One layer of a prompt, by reference."""

    layer_kind: Annotated[PromptLayerKind, "Which layer it is."]
    display_name: Annotated[str, "What people call it."]
    storage_ref: Annotated[str, "Where it is kept."]
    token_count: Annotated[int | None, "Tokens that it takes, of the context packet; nothing is kept of the others."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextInjectedItem:
    """Something that a context packet holds."""

    record_id: Annotated[Id, "The record."]
    name: Annotated[str, "What people call it."]
    kind: Annotated[CandidateKind, Of("INJECTED")]
    layer: Annotated[ContextLayer, Of("INJECTED")]
    rank: Annotated[int, Of("INJECTED")]
    via: Annotated[Binding, Of("INJECTED")]
    tokens: Annotated[int, Of("INJECTED")]
    score: Annotated[float | None, Of("INJECTED")]
    explanation: Annotated[str, Of("INJECTED")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextExcludedItem:
    """Something that was kept out of a context packet."""

    record_id: Annotated[Id, "The record."]
    name: Annotated[str, "What people call it."]
    kind: Annotated[CandidateKind, Of("EXCLUDED")]
    stage: Annotated[Stage, Of("EXCLUDED")]
    code: Annotated[ExclusionReason, "Why it was kept out."]
    message: Annotated[str, "The same in a sentence."]
    score: Annotated[float | None, Of("EXCLUDED")]
    threshold: Annotated[float | None, Of("EXCLUDED")]
    count: Annotated[int, Of("EXCLUDED")]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPrompt:
    """What one step was prompted with, by the snapshot of its prompt, by its context packet, or by both."""

    activation_id: Annotated[Id, "Id of the activation."]
    module_key: Annotated[str, Of("Activation")]
    activation_seq: Annotated[int, Of("Activation")]
    module_label: Annotated[str, "What people call the step."]
    snapshot_id: Annotated[Id | None, "Id of the snapshot, if there is one."]
    taken_at: Annotated[Timestamp | None, Of("Snapshot")]
    model_ref: Annotated[str | None, "The model that was prompted."]
    agent_ref: Annotated[str | None, "The agent that was prompted."]
    redaction_mode: Annotated[RedactionMode | None, Of("Snapshot")]
    prompt_hash: Annotated[str | None, Of("Snapshot")]
    effective_prompt_snapshot_ref: Annotated[str | None, "Where the whole prompt is kept, if it is kept unredacted."]
    redacted_prompt_snapshot_ref: Annotated[str | None, "Where the redacted prompt is kept."]
    prompt_layers: Annotated[tuple[PromptLayer, ...], "Its layers, as far as references to them are kept."]
    cil_layer_refs: Annotated[tuple[str, ...], Of("Snapshot")]
    context_packet_ref: Annotated[str | None, "Where its context packet is kept."]
    packet_id: Annotated[Id | None, "Id of its context packet, where that is kept here."]
    injected_items: Annotated[tuple[ContextInjectedItem, ...], "What the packet holds, in its order."]
    excluded_items: Annotated[tuple[ContextExcludedItem, ...], "What was kept out of the packet, and why."]
    feedback_enabled: Annotated[bool, "Whether recordContextFeedback takes opinions on it, from who may curate."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPrompts:
    """The prompts of a run, in the order of its steps."""

    prompts: Annotated[tuple[StepPrompt, ...], "The prompts."]
    unprompted: Annotated[tuple[str, ...], "Steps that name a model, and of whose prompt no snapshot is known."]
    evidence: Annotated[Evidence, "What this rests on."]


def prompts(index: RunIndex) -> RunPrompts:
    found = tuple(_prompt(index, step, one) for step in index.steps for one in _snapshots(index, step))
    silent = [one for one in index.steps if _faces_model(index, one) and not index.of_kind(one, "prompt")]
    elsewhere = any(one.context_packet_ref and not one.packet_id for one in found)
    lists = ("activations", "snapshots", "packets", "receipts")
    return RunPrompts(
        prompts=found,
        unprompted=tuple(index.label(one) for one in silent),
        evidence=evidence(index, lists, prompts_missing(index), context_items_missing() if elsewhere else None),
    )


def _snapshots(index: RunIndex, step: Activation) -> list[Snapshot | None]:
    """The snapshots of its prompts. A packet is told also where no prompt was snapshot."""
    found: list[Snapshot | None] = [*index.of_kind(step, "prompt")]
    return found or ([None] if step.id in index.packets else [])


def _faces_model(index: RunIndex, step: Activation) -> bool:
    called = any(one.span_kind == "llm_call" for one in index.spans.get(step.id, ()))
    return step.model_ref is not None or called


_NONE = Snapshot(id="", name="", snapshot_key="")


def _prompt(index: RunIndex, step: Activation, held: Snapshot | None) -> StepPrompt:
    snapshot = held or _NONE
    whole = prompt_ref(snapshot)
    redacted = snapshot.redaction_mode == RedactionMode.redacted
    packet = next(iter(index.packets.get(step.id, ())), None)
    receipts = index.receipts.get(packet.id, []) if packet else []
    return StepPrompt(
        activation_id=step.id,
        module_key=step.module_key,
        activation_seq=step.activation_seq,
        module_label=index.label(step),
        snapshot_id=snapshot.id or None,
        taken_at=snapshot.taken_at,
        model_ref=snapshot.model_ref or step.model_ref,
        agent_ref=snapshot.agent_ref or step.agent_ref,
        redaction_mode=snapshot.redaction_mode,
        prompt_hash=snapshot.prompt_hash,
        effective_prompt_snapshot_ref=None if redacted else whole,
        redacted_prompt_snapshot_ref=whole if redacted else None,
        prompt_layers=tuple(_layers(index, step, snapshot, packet)),
        cil_layer_refs=tuple(snapshot.cil_layer_refs),
        context_packet_ref=snapshot.context_packet_ref or (packet.id if packet else None),
        packet_id=packet.id if packet else None,
        injected_items=tuple(sorted((_injected(one) for one in receipts if one.injected), key=lambda one: one.rank)),
        excluded_items=tuple(_excluded(one) for one in receipts if not one.injected),
        feedback_enabled=packet is not None and index.run.memory_write_scope != WriteScope.none,
    )


def _injected(receipt: PacketReceipt) -> ContextInjectedItem:
    return like(ContextInjectedItem, receipt, record_id=receipt.id)


def _excluded(receipt: PacketReceipt) -> ContextExcludedItem:
    code = ExclusionReason(receipt.reason or "")
    return like(ContextExcludedItem, receipt, record_id=receipt.id, code=code, message=receipt.explanation)


def prompt_ref(snapshot: Snapshot) -> str | None:
    return snapshot.prompt_text_ref or snapshot.storage_ref


def _layers(index: RunIndex, step: Activation, snapshot: Snapshot, packet: Packet | None) -> Iterator[PromptLayer]:
    held: list[tuple[PromptLayerKind, str | None]] = [
        (PromptLayerKind.system, snapshot.system_instruction_ref),
        (PromptLayerKind.task_blueprint, index.run.blueprint_snapshot_ref),
        (PromptLayerKind.environment_config, index.run.key_config_snapshot_ref),
        (PromptLayerKind.module_instruction, snapshot.module_instruction_ref),
        (PromptLayerKind.instruction_in, snapshot.dynamic_instruction_ref),
        (PromptLayerKind.doc24_context_packet, snapshot.context_packet_ref or (packet.id if packet else None)),
        (PromptLayerKind.data_in, step.input_bundle_ref),
        (PromptLayerKind.context_in, snapshot.context_bundle_ref),
        (PromptLayerKind.chain_history, snapshot.chain_history_projection_ref),
        *((PromptLayerKind.attached_files, one) for one in snapshot.attached_file_refs),
    ]
    for kind, ref in held:
        if ref is not None:
            tokens = packet.actual_tokens if packet and kind is PromptLayerKind.doc24_context_packet else None
            yield PromptLayer(layer_kind=kind, display_name=_NAMES[kind], storage_ref=ref, token_count=tokens)
