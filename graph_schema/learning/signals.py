"""Signals: one envelope for all that use, evaluation and edits teach."""

from graph_schema.learning.words import DesignSignalKind, DesignUpdateKind, SignalOrigin, SignalType
from graph_schema.library.words import ModelClass
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Text, Timestamp, Words, field
from graph_schema.model.record import Record


class Signal(Record):
    """What was seen, once, by somebody or something: evidence to learn from. It changes nothing by itself."""

    label = "Signal"
    plural = "learning_signals"
    prefix = "sig"
    layer = EvidenceLayer.learning
    colour = "#8c7ae6"

    signal_type: SignalType = field("What kind of evidence it is.", filtered=True)
    origin: SignalOrigin = field("Where it comes from.", authored=False)
    signal_kind: DesignSignalKind | None = field("What it shows of a design.", default=None, filtered=True)
    result: Key | None = field("What came of it, in one word: passed, still_failing, accepted.", default=None)
    subject_key: Key | None = field("What it is about, where no record is: a criterion, a question.", default=None)
    run_id: Key | None = field("The run that it was seen in; it goes with that.", default=None, indexed=True)
    task_id: Key | None = field("The task of that run.", default=None, filtered=True)
    evaluation_chain_id: Key | None = field("The chain of evaluations that it belongs to.", default=None)
    source_module_id: Key | None = field("The module that it was seen at.", default=None)
    source_activation_seq: int | None = field("Which activation of it.", default=None, ge=0)
    governance_policy_ref: Key | None = field("The policy under which it was told.", default=None)
    source_policy_snapshot_ref: Key | None = field("Where that policy's state is kept.", default=None)
    pattern_promotion_eligible: bool = field("Whether something durable may be learned from it.", default=False)
    model_class: ModelClass | None = field("What class of model was at work.", default=None)
    model_fingerprint: Key | None = field("Which model that was.", default=None)
    task_type: Key | None = field("What type of task it is about.", default=None, filtered=True)
    context_class_key: Key | None = field("The class of context that it belongs to.", default=None, filtered=True)
    recommended_update_kind: DesignUpdateKind = field("What it recommends to change.", default=DesignUpdateKind.none)
    graph_topology_hash: Key | None = field("The shape of the graph that was at work.", default=None, filtered=True)
    upstream_module_types: Words = field("Types of the modules before the one that it was seen at.", make=list)
    upstream_module_version_constraints: Words = field("Versions of them, as type=version.", make=list)
    segment_ids: Keys = field("Segments that the graph is made of.", make=list)
    task_blueprint_ref: Key | None = field("The blueprint behind the graph.", default=None)
    signature_computed: bool = field(
        "Whether the shape was computed here, from the saved graph.", default=False, authored=False
    )
    summary: Text | None = field("What was seen, in a sentence.", default=None)
    payload: LongText | None = field("All that was told of it, as JSON of its type.", default=None)
    payload_ref: Key | None = field("Where its owner keeps it.", default=None)
    evidence_ref: Key | None = field("Where the evidence for it is kept.", default=None)
    emitted_at: Timestamp = field("When it was seen.", ordered=True)
    recorded_by: Key | None = field("Principal that told it.", default=None, authored=False)
    content_hash: Key | None = field(
        "Hash of all that was told: the same signal again is known by it.", default=None, hidden=True
    )
