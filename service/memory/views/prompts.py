"""What each step was prompted with, as far as snapshots hold it (§20C.7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.fields import Timestamp
from graph_schema.run_words import RedactionMode
from service.memory.views.evidence import Evidence, context_items_missing, evidence, prompts_missing
from service.memory.views.facts import Activation, Snapshot
from service.memory.views.index import RunIndex
from service.memory.views.words import Id, word


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


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPrompt:
    """What one step was prompted with."""

    activation_id: Annotated[Id, "Id of the activation."]
    module_key: Annotated[str, "The module."]
    activation_seq: Annotated[int, "Which activation of it."]
    module_label: Annotated[str, "What people call the step."]
    snapshot_id: Annotated[Id, "Id of the snapshot."]
    taken_at: Annotated[Timestamp | None, "When it was taken."]
    model_ref: Annotated[str | None, "The model that was prompted."]
    agent_ref: Annotated[str | None, "The agent that was prompted."]
    redaction_mode: Annotated[RedactionMode | None, "What is kept of the prompt."]
    prompt_hash: Annotated[str | None, "Its hash."]
    effective_prompt_snapshot_ref: Annotated[str | None, "Where the whole prompt is kept, if it is kept unredacted."]
    redacted_prompt_snapshot_ref: Annotated[str | None, "Where the redacted prompt is kept."]
    prompt_layers: Annotated[tuple[PromptLayer, ...], "Its layers, as far as references to them are kept."]
    cil_layer_refs: Annotated[tuple[str, ...], "Where the layers of its instruction are kept, without their kinds."]
    doc24_context_packet_ref: Annotated[str | None, "Where its context packet is kept."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPrompts:
    """The prompts of a run, in the order of its steps."""

    prompts: Annotated[tuple[StepPrompt, ...], "The prompts."]
    unprompted: Annotated[tuple[str, ...], "Steps that name a model, and of whose prompt no snapshot is known."]
    evidence: Annotated[Evidence, "What this rests on."]


def prompts(index: RunIndex) -> RunPrompts:
    found = tuple(_prompt(index, step, one) for step in index.steps for one in index.of_kind(step, "prompt"))
    silent = [one for one in index.steps if _faces_model(index, one) and not index.of_kind(one, "prompt")]
    items = context_items_missing() if any(one.doc24_context_packet_ref for one in found) else None
    return RunPrompts(
        prompts=found,
        unprompted=tuple(index.label(one) for one in silent),
        evidence=evidence(index, ("activations", "snapshots"), prompts_missing(index), items),
    )


def _faces_model(index: RunIndex, step: Activation) -> bool:
    called = any(one.span_kind == "llm_call" for one in index.spans.get(step.id, ()))
    return step.model_ref is not None or called


def _prompt(index: RunIndex, step: Activation, snapshot: Snapshot) -> StepPrompt:
    whole = prompt_ref(snapshot)
    redacted = snapshot.redaction_mode == RedactionMode.redacted
    return StepPrompt(
        activation_id=step.id,
        module_key=step.module_key,
        activation_seq=step.activation_seq,
        module_label=index.label(step),
        snapshot_id=snapshot.id,
        taken_at=snapshot.taken_at,
        model_ref=snapshot.model_ref or step.model_ref,
        agent_ref=snapshot.agent_ref or step.agent_ref,
        redaction_mode=word(RedactionMode, snapshot.redaction_mode),
        prompt_hash=snapshot.prompt_hash,
        effective_prompt_snapshot_ref=None if redacted else whole,
        redacted_prompt_snapshot_ref=whole if redacted else None,
        prompt_layers=tuple(_layers(index, step, snapshot)),
        cil_layer_refs=snapshot.cil_layer_refs,
        doc24_context_packet_ref=snapshot.doc24_packet_ref,
    )


def prompt_ref(snapshot: Snapshot) -> str | None:
    return snapshot.prompt_text_ref or snapshot.storage_ref


def _layers(index: RunIndex, step: Activation, snapshot: Snapshot) -> Iterator[PromptLayer]:
    held: list[tuple[PromptLayerKind, str | None]] = [
        (PromptLayerKind.system, snapshot.system_instruction_ref),
        (PromptLayerKind.task_blueprint, index.run.blueprint_snapshot_ref),
        (PromptLayerKind.environment_config, index.run.key_config_snapshot_ref),
        (PromptLayerKind.module_instruction, snapshot.module_instruction_ref),
        (PromptLayerKind.instruction_in, snapshot.dynamic_instruction_ref),
        (PromptLayerKind.doc24_context_packet, snapshot.doc24_packet_ref),
        (PromptLayerKind.data_in, step.input_bundle_ref),
        (PromptLayerKind.context_in, snapshot.context_bundle_ref),
        (PromptLayerKind.chain_history, snapshot.chain_history_projection_ref),
        *((PromptLayerKind.attached_files, one) for one in snapshot.attached_file_refs),
    ]
    for kind, ref in held:
        if ref is not None:
            yield PromptLayer(layer_kind=kind, display_name=_NAMES[kind], storage_ref=ref)
