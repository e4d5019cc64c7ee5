"""Relations of scope and context. Receipts are relations: the graph shows what a module was given, and why."""

from graph_schema.context.words import (
    Binding,
    BindingStatus,
    CandidateKind,
    ContextLayer,
    ExclusionReason,
    FeedbackTarget,
    Stage,
)
from graph_schema.memory.relations import truth
from graph_schema.model.fields import EvidenceLayer, Key, LongText, Text, field
from graph_schema.model.record import Properties
from graph_schema.model.relation import Relation

CONTEXTUAL = (
    *(
        "Entity",
        "WorkProduct",
        "Goal",
        "Preference",
        "Restriction",
        "Procedure",
        "Memory",
        "Policy",
        "Capability",
        "Agent",
    ),
    *("SurfaceContext", "Trigger", "Schedule", "Task", "Template", "Preset", "Blueprint", "Criterion", "Pattern"),
    *("Directive", "Run", "Artifact", "Tombstone"),
)
"""What can be in a scope or a packet, and what is left of it when it was erased."""

OPENABLE = ("Entity", "WorkProduct", "Memory", "Run", "Artifact", "Task", "Template", "Preset", "Pattern")
"""What a broad scope may look at. Rules, goals, tools and surfaces of others are never opened by it."""


class Bound(Properties):
    """How something came into the scope of a run."""

    via: Binding = field("How it was bound.")
    evidence: Text = field("On what evidence, in a sentence.")
    confidence: float = field("How sure that is, from 0 to 1.", default=1.0, ge=0, le=1)
    status: BindingStatus = field("Whether it holds, or is only a candidate.", default=BindingStatus.bound)
    role: Key | None = field("What part it plays.", default=None)


class Receipt(Properties):
    """What every receipt says: where the candidate came from, which gate decided, and the facts that it used."""

    kind: CandidateKind = field("What kind of candidate it was.")
    stage: Stage = field("The gate that decided.")
    score: float | None = field("How relevant it is, from 0 to 1.", default=None)
    threshold: float | None = field("What was asked of it.", default=None)
    explanation: Text = field("Why, in a sentence.")
    version: int = field("The record's version at the time.", ge=1)
    facts: LongText | None = field("What the gates knew of it, as JSON. A replay reads this.", default=None)


class Injected(Receipt):
    """That a module was given something."""

    layer: ContextLayer = field("The layer that it is in.")
    rank: int = field("Its place in the packet, from 1.", ge=1)
    via: Binding = field("How it is bound to the run.")
    tokens: int = field("Tokens that it takes.", ge=0)
    trimmed_text_tokens: int | None = field(
        "Tokens of its text, where that did not fit and its reference was given.", default=None, ge=0
    )
    text: LongText | None = field("What the module was given to read.", default=None)
    storage_ref: Key | None = field("Where its content was kept then.", default=None)


class Excluded(Receipt):
    """That something was kept from a module."""

    reason: ExclusionReason = field("Why, as a code.")
    count: int = field("How many records this receipt stands for.", default=1, ge=1)
    query: Text | None = field("Cypher that lists them, where it stands for many.", default=None)


class FeedbackOn(Properties):
    """What kind of thing feedback is about."""

    target_kind: FeedbackTarget = field("What it is about.")


RELATIONS = (
    truth("HAS_SCOPE", ("Run",), ("ScopeEnvelope",), "scope_of_run", "A run, and what it is about.", inherits="both"),
    Relation(
        "BINDS",
        ("ScopeEnvelope",),
        CONTEXTUAL,
        "bound_by",
        "A scope, and what is in it.",
        EvidenceLayer.run_truth,
        Bound,
        inherits="tail",
        inherits_where=("status", BindingStatus.bound.value),
        managed=True,
    ),
    truth("EXCLUDES", ("ScopeEnvelope",), CONTEXTUAL, "kept_out_by", "A scope, and what the user keeps out of it."),
    truth(
        "REACHES",
        ("ScopeEnvelope",),
        ("Entity", "Tombstone"),
        "reached_by",
        "A broad scope, and what it declares to look at.",
    ),
    truth("TRIGGERED_BY", ("Run",), ("Trigger",), "began", "A run, and what began it.", inherits="head"),
    truth("CAME_FROM", ("Trigger",), ("Entity", "Run", "Schedule"), "gave_rise_to", "A trigger, and its origin."),
    Relation(
        "SHOWS",
        ("SurfaceContext",),
        ("Entity", "WorkProduct", "Task", "Run", "Template"),
        "shown_on",
        "A surface, and what is on it.",
        EvidenceLayer.memory,
    ),
    Relation(
        "RUNS", ("Schedule",), ("Task",), "scheduled_by", "A schedule, and the task that it runs.", EvidenceLayer.memory
    ),
    truth(
        "HAS_PACKET",
        ("Run",),
        ("ContextPacket",),
        "packet_of",
        "A run, and what a module of it was given.",
        inherits="head",
    ),
    truth("PACKED_FOR", ("ContextPacket",), ("Activation",), "packets", "A packet, and the activation it was for."),
    truth(
        "HOLDS",
        ("Snapshot", "Span"),
        ("ContextPacket",),
        "held_by",
        "A prompt that was snapshot, or the call that it was made for, and the packet that went into it.",
    ),
    truth(
        "WITHIN",
        ("ContextPacket",),
        ("ScopeEnvelope",),
        "packets_within",
        "A packet, and the scope it obeys.",
        inherits="tail",
    ),
    truth("INJECTED", ("ContextPacket",), CONTEXTUAL, "injected_in", "A packet, and what is in it.", link=Injected),
    truth(
        "EXCLUDED", ("ContextPacket",), CONTEXTUAL, "excluded_from", "A packet, and what was kept out.", link=Excluded
    ),
    truth(
        "HELD_UNDER",
        ("ContextPacket", "ScopeEnvelope", "ExpansionReceipt"),
        ("Snapshot",),
        "governs",
        "What was settled, and the policies and capabilities that held.",
    ),
    truth(
        "HAS_EXPANSION",
        ("Run",),
        ("ExpansionReceipt",),
        "expansion_of",
        "A run, and a wish for more capabilities.",
        inherits="head",
    ),
    truth("EXPANDED", ("ExpansionReceipt",), ("Activation",), "expansions", "A receipt, and its activation."),
    truth("ADDED", ("ExpansionReceipt",), ("Capability",), "added_by", "A receipt, and a capability that was added."),
    truth("BLOCKED", ("ExpansionReceipt",), ("Capability",), "blocked_by", "A receipt, and a capability refused."),
    truth(
        "ASKED_FOR",
        ("ExpansionReceipt",),
        ("Capability",),
        "asked_for_by",
        "A receipt, and a capability that waits for approval.",
    ),
    truth("AWAITS", ("ExpansionReceipt",), ("Gate",), "awaited_by", "A receipt, and the gate that it waits for."),
    truth("BECAUSE_OF", ("ExpansionReceipt",), ("Artifact",), "caused", "A receipt, and what brought up the need."),
    Relation(
        "FEEDBACK_ON",
        ("Feedback",),
        (*CONTEXTUAL, "ContextPacket"),
        "feedback_received",
        "What was thought of a record.",
        EvidenceLayer.learning,
        FeedbackOn,
        inherits="tail",
        managed=True,
    ),
    Relation(
        "GIVEN_IN",
        ("Feedback",),
        ("ContextPacket",),
        "feedback_in",
        "Feedback, and the packet it is about.",
        EvidenceLayer.learning,
        inherits="tail",
        managed=True,
    ),
)
