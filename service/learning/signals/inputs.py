"""What callers say of what they saw."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.learning.words import DesignSignalKind, DesignUpdateKind, SignalType
from graph_schema.library.words import ModelClass
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.views import Id, JsonObject, OrNull, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDesignSignature:
    """The design that was at work. Left out, it is computed from the saved graph of the task."""

    graph_topology_hash: Annotated[str, "The shape of the graph."]
    upstream_module_types: Annotated[
        OrNull[tuple[str, ...]], "Types of the modules before the one it was seen at."
    ] = ()
    upstream_module_version_constraints: Annotated[OrNull[tuple[str, ...]], "Versions of them, as type=version."] = ()
    segment_ids: Annotated[OrNull[tuple[str, ...]], "Segments that the graph is made of."] = ()
    task_blueprint_ref: Annotated[str | None, "The blueprint behind the graph."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSignal:
    """What was seen, in the envelope that all signals have. The same source and signal id is the same signal."""

    source: Annotated[str, "The system that saw it."]
    signal_id: Annotated[str, "What that system calls it."]
    signal_type: Annotated[SignalType, "What kind of evidence it is."]
    payload: Annotated[JsonObject | None, "What is told of it, in the shape of its type (docs/learning.md)."] = None
    payload_ref: Annotated[str | None, "Where its owner keeps it."] = None
    signal_kind: Annotated[DesignSignalKind | None, "What it shows of a design."] = None
    recommended_update_kind: Annotated[DesignUpdateKind | None, "What it recommends to change."] = None
    subject_key: Annotated[str | None, "What it is about, where no record is: an output, a criterion."] = None
    run: Annotated[RecordRef | None, "The run that it was seen in."] = None
    task: Annotated[RecordRef | None, "The task, where no run says it."] = None
    about: Annotated[OrNull[tuple[RecordRef, ...]], "What else it was seen on, or is about."] = ()
    evaluation_chain_id: Annotated[str | None, "The chain of evaluations that it belongs to."] = None
    source_module_id: Annotated[str | None, "The module that it was seen at."] = None
    source_activation_seq: Annotated[int | None, "Which activation of it."] = None
    governance_policy_ref: Annotated[str | None, "The policy under which it is told."] = None
    source_policy_snapshot_ref: Annotated[str | None, "Where that policy's state is kept."] = None
    pattern_promotion_eligible: Annotated[bool, "Whether something durable may be learned from it."] = False
    model_class: Annotated[ModelClass | None, "What class of model was at work."] = None
    model_fingerprint: Annotated[str | None, "Which model that was."] = None
    task_design_signature: Annotated[TaskDesignSignature | None, "The design that was at work."] = None
    task_type: Annotated[str | None, "What type of task it is about."] = None
    context_class_key: Annotated[str | None, "The class of context that it belongs to."] = None
    summary: Annotated[str | None, "What was seen, in a sentence."] = None
    evidence_ref: Annotated[str | None, "Where the evidence for it is kept."] = None
    emitted_at: Annotated[Time | None, "When it was seen; now, when left out."] = None
    data_class: Annotated[DataClass | None, "How sensitive it is, beside what it inherits."] = None
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "Matters that it belongs to, beside those that it inherits."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()

    def refs(self) -> list[RecordRef]:
        """All that it names, but for itself."""
        return [*(one for one in (self.run, self.task) if one), *self.about]


PLAIN_FIELDS = (
    *("payload_ref", "signal_kind", "evaluation_chain_id", "source_module_id", "source_activation_seq"),
    *("governance_policy_ref", "source_policy_snapshot_ref", "model_class", "model_fingerprint", "task_type"),
    *("context_class_key", "summary", "evidence_ref", "data_class"),
)
"""What is stored as it is told."""
