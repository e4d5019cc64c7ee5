"""Which evidence an answer comes from, and what of it is missing. Layers are those of the registry."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.memory.words import MemoryMode, OutputCapture, PromptCapture
from graph_schema.model.fields import EvidenceLayer
from graph_schema.registry import REGISTRY
from service.memory.reporting.policy import PRIVATE
from service.memory.views.index import RunIndex
from service.memory.views.words import counted, listed


class MissingCode(StrEnum):
    """What an answer about a run had to do without."""

    run_not_reported = "run_not_reported"
    named_not_described = "named_not_described"
    steps_not_reported = "steps_not_reported"
    graph_not_reported = "graph_not_reported"
    spans_not_reported = "spans_not_reported"
    span_parents_not_reported = "span_parents_not_reported"
    prompts_not_kept = "prompts_not_kept"
    prompts_not_reported = "prompts_not_reported"
    context_items_not_recorded = "context_items_not_recorded"
    outputs_not_kept = "outputs_not_kept"
    memory_not_written = "memory_not_written"
    receipts_only = "receipts_only"
    costs_not_reported = "costs_not_reported"
    capabilities_as_saved = "capabilities_as_saved"
    learning_not_recorded = "learning_not_recorded"
    list_cut = "list_cut"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingEvidence:
    """Something that an answer had to do without."""

    code: Annotated[MissingCode, "What is missing, as a code."]
    message: Annotated[str, "What is missing and why, in a sentence."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What an answer rests on. The layers are never mixed up: run truth is what the audit goes by."""

    layers: Annotated[tuple[EvidenceLayer, ...], "The evidence layers that it comes from."]
    missing: Annotated[tuple[MissingEvidence, ...], "What it had to do without."]


def evidence(index: RunIndex, lists: Iterable[str] = (), *missing: MissingEvidence | None) -> Evidence:
    """The evidence of an answer that was made from the run and from these lists of its facts."""
    used = ["run", *lists]
    found = {layer for name in used for layer in _layers(index, name)}
    told = [_run_stub(index), _undescribed(index), *missing, _receipts(index), *_cut(index, used)]
    return Evidence(
        layers=tuple(one for one in EvidenceLayer if one in found),
        missing=tuple(one for one in told if one is not None),
    )


_MADE_OF: dict[str, tuple[str, ...]] = {
    "run": ("Run",),
    "about": ("Entity", "ABOUT"),
    "goals": ("Goal", "PURSUES", "ADVANCED_GOAL"),
    "documents": ("Entity", "RECEIVED", "DOWNLOADED", "OPENED"),
    "feedback": ("Feedback",),
    "assessments": ("Assessment",),
    "signals": ("Signal",),
    "activations": ("Activation", "TRIGGERED"),
    "gates": ("Gate",),
    "capabilities": ("Capability", "USED"),
    "spans": ("Span",),
    "native_events": ("NativeEvent",),
    "artifacts": ("Artifact",),
    "consumed": ("CONSUMED",),
    "deliveries": ("Delivery",),
    "snapshots": ("Snapshot",),
    "packets": ("ContextPacket", "HAS_PACKET"),
    "receipts": ("INJECTED", "EXCLUDED"),
    "checkpoints": ("Checkpoint",),
    "sessions": ("Session",),
    "interventions": ("Intervention",),
    "forks": ("Fork",),
    "follow_ups": ("FollowUp", "FOLLOWS"),
    "forked_runs": ("Run", "FORKED_FROM"),
    "fork_effects": ("Run", "Fork", "Delivery", "Span"),
}
"""What each list of facts is read from: labels and relations."""
# Of several relations of one type, those of runs are declared first.
_OF_RELATIONS = {one.type: one.layer for one in reversed(REGISTRY.relations)}
_LAYERS: dict[str, set[EvidenceLayer]] = {
    name: {
        *(REGISTRY.types[one].layer for one in parts if one in REGISTRY.types),
        *(_OF_RELATIONS[one] for one in parts if one in _OF_RELATIONS),
    }
    for name, parts in _MADE_OF.items()
}


def _layers(index: RunIndex, name: str) -> set[EvidenceLayer]:
    """A list that is empty is evidence of nothing."""
    return _LAYERS[name] if name == "run" or getattr(index.facts, name) else set()


def _missing(code: MissingCode, message: str) -> MissingEvidence:
    return MissingEvidence(code=code, message=message)


def _run_stub(index: RunIndex) -> MissingEvidence | None:
    if not index.run.stub:
        return None
    told = "The run is known only by its parts: no event about the run itself has come."
    return _missing(MissingCode.run_not_reported, told)


def _undescribed(index: RunIndex) -> MissingEvidence | None:
    if not index.run.undescribed and not index.facts.steps_undescribed:
        return None
    told = "The run names something that nobody has described yet, and that is named in matters that you may not see."
    return _missing(MissingCode.named_not_described, told)


def _receipts(index: RunIndex) -> MissingEvidence | None:
    if index.run.memory_mode != MemoryMode.full_ephemeral_test:
        return None
    told = "The run is an ephemeral test: only its status and the receipts of its side effects are kept."
    return _missing(MissingCode.receipts_only, told)


def _cut(index: RunIndex, used: list[str]) -> list[MissingEvidence]:
    return [
        _missing(MissingCode.list_cut, f"The run has more {name.replace('_', ' ')} than are looked at; the first are.")
        for name in used
        if name in index.facts.cut
    ]


def steps_missing(index: RunIndex) -> MissingEvidence | None:
    named = index.tally.named
    if not named:
        return None
    told = f"{counted(named, 'step')} named by other events, without an event of their own."
    return _missing(MissingCode.steps_not_reported, told)


def cut_in_brief(index: RunIndex, *names: str) -> MissingEvidence | None:
    """Where the brief part alone was looked at, and it is not all."""
    names = tuple(one for one in names if one in index.facts.cut_in_brief)
    if not names:
        return None
    told = f"The run has more {listed([one.replace('_', ' ') for one in names])} than are told here; the first are."
    return _missing(MissingCode.list_cut, told)


def graph_missing(index: RunIndex) -> MissingEvidence | None:
    if index.has_ended or index.flow:
        return None
    told = "The graph that is run is not known here, so neither are the steps that have not begun."
    return _missing(MissingCode.graph_not_reported, told)


def spans_missing(index: RunIndex) -> MissingEvidence | None:
    if index.facts.spans:
        return None
    return _missing(MissingCode.spans_not_reported, "No spans are known: the answer rests on steps alone.")


def parents_missing(count: int) -> MissingEvidence | None:
    if not count:
        return None
    told = f"{counted(count, 'span')} whose parent was named and not reported; such a span stands at the top."
    return _missing(MissingCode.span_parents_not_reported, told)


def prompts_missing(index: RunIndex) -> MissingEvidence | None:
    if index.run.capture_prompts == PromptCapture.never:
        told = "By the run's policy nothing is kept of its prompts but their hashes."
        return _missing(MissingCode.prompts_not_kept, told)
    if not any(one.snapshot_kind == "prompt" for one in index.facts.snapshots):
        return _missing(MissingCode.prompts_not_reported, "No snapshot of a prompt is known.")
    return None


def outputs_missing(index: RunIndex) -> MissingEvidence | None:
    if index.run.capture_outputs != OutputCapture.reference_only:
        return None
    told = "By the run's policy outputs are kept as references, without summaries."
    return _missing(MissingCode.outputs_not_kept, told)


def memory_missing(index: RunIndex) -> MissingEvidence | None:
    if index.run.memory_mode not in PRIVATE:
        return None
    told = "By the run's policy it is linked to no entities, goals, documents or capabilities."
    return _missing(MissingCode.memory_not_written, told)


def costs_missing(index: RunIndex) -> MissingEvidence | None:
    known = index.tally.cost_usd is not None or any(one.cost_usd is not None for one in index.facts.spans)
    if index.run.total_cost_usd is not None or known:
        return None
    return _missing(MissingCode.costs_not_reported, "No costs are known.")


def capabilities_as_saved() -> MissingEvidence:
    told = "Capabilities are as they were saved with the run; whether they are there now is not known."
    return _missing(MissingCode.capabilities_as_saved, told)


def context_items_missing() -> MissingEvidence:
    told = "What was injected and what was kept out is not recorded item by item; see the packet's own reference."
    return _missing(MissingCode.context_items_not_recorded, told)


def learning_missing(index: RunIndex) -> MissingEvidence | None:
    if index.facts.assessments or index.facts.signals:
        return None
    told = "It was not assessed, and of what is to be learned only what people thought of its context is known."
    return _missing(MissingCode.learning_not_recorded, told)
