"""Relations of signals, proposals and replays."""

from graph_schema.learning.assessment_relations import ASSESSMENT_RELATIONS
from graph_schema.learning.dataset_relations import DATASET_RELATIONS
from graph_schema.learning.design_relations import DESIGN_RELATIONS
from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import End, Link, LinkModel, Relation

SEEN_ON = (
    *("Run", "Activation", "Artifact", "Feedback", "Fork", "FollowUp", "SuggestionFeedback", "InvocationSignal"),
    *("Task", "Template", "Preset", "Segment", "Blueprint", "GraphSnapshot", "Module", "ModuleType", "Pattern"),
    *("Goal", "Capability", "Policy", "InvocationDirective", "MatchDecision", "ModeDecision", "ContextPacket"),
    *("DesignSession", "DesignQuestion", "Statement", "EditTrace", "TaskReceipt", "Tool", "Recommendation"),
    *("Prompt", "PromptCandidate", "PromptEvaluation"),
)
"""What a signal can be about."""


def relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    inherits: End | None = "tail",
    forward: str = "",
    link: LinkModel = Link,
) -> Relation:
    """A relation of the learning layer. The service keeps all of them, and most hand down access to their tails."""
    return Relation(
        type_, tails, heads, reverse, description, EvidenceLayer.learning, link, inherits, forward=forward, managed=True
    )


SIGNAL_RELATIONS = (
    relation("SEEN_ON", ("Signal",), SEEN_ON, "shown_by_signals", "A signal, and what it was seen on or is about."),
)

TARGETS = (
    *("Template", "Preset", "Pattern", "Task", "TemplateGroup", "InvocationDirective", "Directive", "Policy"),
    *("AgentProfile", "Procedure", "Preference", "Memory", "CoreContract", "EducationProfile"),
    *("Prompt", "Blueprint", "WrittenCard"),
)
"""What a proposal can change."""

CONNECTED = (
    "Capability",
    "Goal",
    "Pattern",
    "Preset",
    "Template",
    "Task",
    "Entity",
    "WorkProduct",
    "Procedure",
    "Preference",
)
"""What a proposal can link its target to."""

EVIDENCE = (
    *("Signal", "Run", "Activation", "Artifact", "Delivery", "Gate", "Fork", "FollowUp", "Intervention"),
    *("Feedback", "UserCorrection", "InvocationSignal", "SuggestionFeedback", "InvocationTrace"),
    *("MatchDecision", "ModeDecision", "ContextPacket", "ExpansionReceipt", "IntakeReceipt", "Preflight"),
    *("DesignSession", "Statement", "EditTrace", "Case", "Decision", "Lesson", "Assessment", "AssessmentFinding"),
    *("PromptEvaluation", "PromptCandidate", "PromptAssessment", "EvalRun", "EvalTrace", "EvalScore"),
    *("ToolOutcome", "Recommendation"),
)
"""What can speak for a proposal or against it. It is as closed as all of it."""

PROPOSAL_RELATIONS = (
    relation("CHANGES", ("Proposal",), TARGETS, "proposals", "A proposal, and what it would change."),
    relation("HAS_CHANGE", ("Proposal",), ("Change",), "step_of", "A proposal, and a step of it.", inherits="head"),
    relation("CONNECTS", ("Proposal",), CONNECTED, "connected_by", "A proposal, and what it would link its target to."),
    relation("SUPPORTED_BY", ("Proposal",), EVIDENCE, "supports", "A proposal, and evidence for it."),
    relation("COUNTERED_BY", ("Proposal",), EVIDENCE, "counters", "A proposal, and evidence against it."),
    relation("APPLIED", ("Promotion",), ("Proposal",), "promotions", "An entry of the ledger, and what was applied."),
)

REPLAYED = (
    *("MatchDecision", "ModeDecision", "ContextPacket", "Run", "Artifact", "Preflight", "ExpansionReceipt"),
    *("EvalExample", "EvalRun"),
)
REPLAY_RELATIONS = (
    relation("REPLAYS", ("Replay",), ("Proposal",), "replays", "A replay, and its proposal."),
    # What a case tells of the proposal is as closed as that; what a replay counts is as closed as its cases.
    relation("HAS_CASE", ("Replay",), ("ReplayCase",), "case_of", "A replay, and a case of it.", inherits="both"),
    relation("REDECIDES", ("ReplayCase",), REPLAYED, "replay_cases", "A case, and the decision that was recorded."),
)

RELATIONS = (
    *SIGNAL_RELATIONS,
    *PROPOSAL_RELATIONS,
    *REPLAY_RELATIONS,
    *DESIGN_RELATIONS,
    *ASSESSMENT_RELATIONS,
    *DATASET_RELATIONS,
)
