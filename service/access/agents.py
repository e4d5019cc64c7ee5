"""What an agent's key may do: one table, read by every command. What it does not name is refused.

An agent proposes, drafts, reports and asks. It approves nothing, and changes nothing that is in use.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from graph_schema.model.record import LifecycleState as Life
from service.access.viewer import KeyScope, PrincipalKind, Viewer


class May(StrEnum):
    """What an agent may do with records of one kind."""

    propose = "propose"
    """Make new ones, which wait for a person; change its own while they wait, and withdraw them."""
    part = "part"
    """Make and change them with what they belong to, where that is its own and waits."""
    tell = "tell"
    """Make and change them as it reports, asks and answers."""
    mention = "mention"
    """Name one by an outside key. It describes and changes none."""
    nothing = "nothing"


@dataclass(frozen=True, slots=True)
class Rule:
    """`may` says it for the kind, the rest for single fields."""

    may: May
    first: Life | None = None
    """Where what it proposes begins."""
    told: frozenset[str] = frozenset()
    """Fields that it may report also of what is in use."""
    closed: frozenset[str] = frozenset()
    """Fields that only a person sets, also of what waits: with them it would be in use, or vouched for."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Fields that say whose word it is, and what an agent may say there. Left out, they say the first."""


WAITING = frozenset({Life.draft, Life.candidate})
"""What is in one of these states is in nobody's use yet."""

_NOTHING, _MENTION, _PART, _TELL = Rule(May.nothing), Rule(May.mention), Rule(May.part), Rule(May.tell)
_INFERRED = {"source_authority": ("llm_inferred_candidate", "learned_from_trace", "learned_from_assessment")}

KINDS: Mapping[str, Rule] = {
    # the work: it holds for everybody as soon as it is there, and waits in no state
    "Entity": _MENTION,
    "Goal": _MENTION,
    "WorkProduct": _MENTION,
    "Capability": Rule(May.mention, told=frozenset({"state", "state_as_of", "state_generation", "state_reported_by"})),
    "Preference": _NOTHING,
    "Restriction": _NOTHING,
    "Procedure": _NOTHING,
    "Memory": _NOTHING,
    "Policy": _NOTHING,
    "Agent": _NOTHING,
    "SurfaceContext": _NOTHING,
    "Schedule": _NOTHING,
    "ModuleType": _MENTION,
    # task assets and design knowledge
    "Task": Rule(May.propose, Life.draft, closed=frozenset({"scheduled", "trigger_enabled"})),
    "Template": Rule(May.propose, Life.draft, words=_INFERRED),
    "TemplateGroup": Rule(May.propose, Life.draft),
    "Preset": Rule(May.propose, Life.draft, words=_INFERRED),
    "Segment": Rule(May.propose, Life.draft),
    "Blueprint": Rule(May.propose, Life.draft, words={"authored_by": ("task_agent",)}),
    "Pattern": Rule(May.propose, Life.draft, words=_INFERRED),
    "Case": Rule(May.propose, Life.candidate, closed=frozenset({"active_because"})),
    "Decision": Rule(May.propose, Life.candidate),
    "Lesson": Rule(May.propose, Life.candidate),
    "Directive": Rule(
        May.propose, Life.candidate, words={"directive_source": ("task_agent_inferred", "assessment_inferred")}
    ),
    "InvocationDirective": Rule(
        May.propose,
        Life.candidate,
        words={"authority_source": ("system_candidate", "learned_from_acceptance", "learned_from_rejection")},
    ),
    "StepIntent": _PART,
    "Contract": _PART,
    "Criterion": _PART,
    "ReviewPoint": _PART,
    "SideEffect": _PART,
    "GraphSnapshot": _PART,
    "Module": _PART,
    "Card": _PART,
    "Phrase": _PART,
    # what happened
    "Run": _TELL,
    "Activation": _TELL,
    "Span": _TELL,
    "Artifact": Rule(
        May.tell, closed=frozenset({"intake_level", "endpoint", "artifact_state", "promoted_by", "promoted_at"})
    ),
    "Delivery": _TELL,
    "Gate": Rule(May.tell, closed=frozenset({"status", "decided_by", "decided_at"})),
    "Snapshot": _TELL,
    "Checkpoint": _TELL,
    "Session": _TELL,
    "Intervention": _TELL,
    "NativeEvent": _TELL,
    "Trigger": _TELL,
    "IntakeReceipt": _TELL,
    "Extraction": _TELL,
    "LibraryIntent": _TELL,
    "AuditExport": _TELL,
    "Fork": _TELL,
    "FollowUp": _TELL,
    "Thread": _TELL,
    "Consult": _TELL,
    "Tombstone": _NOTHING,
    # context and matching
    "ScopeEnvelope": _TELL,
    "ContextPacket": _TELL,
    "ExpansionReceipt": _TELL,
    "Feedback": _TELL,
    "MatchDecision": _TELL,
    # routing: how the Task Agent runs is a person's to say; how it does, and what came of requests, it may tell
    "ModeDecision": _TELL,
    "InvocationTrace": _TELL,
    "SuggestionFeedback": _TELL,
    "InvocationSignal": _TELL,
    "SuggestionTally": _TELL,
    "FallbackReceipt": _TELL,
    "SystemAgent": _NOTHING,
    "AgentCapability": _NOTHING,
    "AgentProfile": _NOTHING,
    "SubagentPolicy": _NOTHING,
    # tools: it tells how calls ended and what users asked; what tools are for, and what is done, is a person's
    "Tool": Rule(May.propose, Life.draft),
    "ToolMethod": Rule(May.propose, Life.draft),
    "ToolOutcome": _TELL,
    "AskSession": _TELL,
    "Ask": _TELL,
    "UserCorrection": _TELL,
    "Recommendation": Rule(May.tell, closed=frozenset({"state", "decided_by", "decided_at", "decision_note"})),
    # attention: what it hears it reports; what the user wants, and how far it may go, is the user's to say
    "AttentionSession": _TELL,
    "AgentEvent": _TELL,
    "UserModel": _NOTHING,
    "AttentionMode": _NOTHING,
    "AttentionRule": _NOTHING,
    "AttentionDirective": _NOTHING,
    "PolicyTrace": _NOTHING,
    # learning: an agent tells what it saw; what is made of it a person decides
    "Signal": _TELL,
    "DesignSession": _TELL,
    "DesignQuestion": _TELL,
    "Statement": Rule(May.propose, Life.candidate),
    "TaskReceipt": Rule(May.tell, closed=frozenset({"runnable", "reviewed_by", "reviewed_at"})),
    "EditTrace": _TELL,
    "Proposal": Rule(
        May.tell,
        closed=frozenset({"decided_by", "decided_as", "decided_at", "acknowledged_by", "snoozed_until", "never_again"}),
        words={"origin": ("agent",), "proposal_state": ("candidate", "staged")},
    ),
    "Change": _TELL,
    "Replay": _TELL,
    "ReplayCase": _TELL,
    "Promotion": _NOTHING,
    "Assessment": _TELL,
    "AssessmentFinding": _TELL,
    "AssessmentAction": _TELL,
    "AssessorNote": _TELL,
    "KeptReport": _TELL,
    "EvalDataset": _TELL,
    "EvalExample": _TELL,
    "EvalTrace": _TELL,
    "EvalScore": _TELL,
    # knowledge: the catalogue is a person's to say; what an agent asked about is kept as its question
    "Port": _NOTHING,
    "ConfigField": _NOTHING,
    "Preflight": _TELL,
    "KnowledgePack": _NOTHING,
    "KnowledgeCard": _NOTHING,
    "EducationProfile": _NOTHING,
    "CoreContract": _NOTHING,
    "WrittenCard": Rule(May.propose, Life.draft),
    "SpecSection": _NOTHING,
    "EvalRun": _TELL,
    "EvalSuite": _NOTHING,
    # prompts: an agent brings prompts, candidates and results of tests; which prompt holds, a person decides
    "Prompt": Rule(
        May.tell,
        closed=frozenset({"evaluation_refs"}),
        words={"promotion_state": ("draft",), "tested_status": ("untested",)},
    ),
    "PromptAssessment": _TELL,
    "PromptBundle": _TELL,
    "PromptCandidate": _TELL,
    "PromptEvaluation": _TELL,
    # sharing: what leaves the house is a person's to say, and what is done with it is told by the service itself
    "ShareCapsule": _NOTHING,
    "ShareEvent": _NOTHING,
}
"""Every kind of record. `tests/access/test_agent_table.py` fails on one that is missing; until then it is refused."""

NOTED = "Statement"
"""What is proposed only as part of a design, and saved by no command of its own."""

COMMANDS: Mapping[str, str] = {
    **{f"save{label}": "a proposal" for label, rule in KINDS.items() if rule.may is May.propose and label != NOTED},
    "saveGraph": "the graph of its own proposal",
    "importN8n": "proposals",
    "linkRecords": "what its own proposal is linked to",
    "unlinkRecords": "what its own proposal is linked to",
    "archiveRecord": "withdrawing its own proposal",
    "setLifecycle": "withdrawing its own proposal",
    "reportCapabilityState": "a report",
    "recordLibraryReceipt": "a report",
    "recordMatch": "a search that it made",
    "recordTaskMode": "a decision that it asked for",
    "recordPreflight": "an examination that it asked for",
    "recordPromptCheck": "an examination that it asked for",
    "recordPrompt": "a report, by reference and hash",
    "recordPromptCandidates": "candidates; a person decides",
    "startPromptEvaluation": "a test; nothing changes by it",
    "completePromptEvaluation": "a report of results",
    "recordPromptEdit": "a report, which is computed",
    "recordPromptFeedback": "a report of what the user said",
    "proposePrompt": "a proposal; a person decides",
    "submitEvalRun": "what it proposed; the suite scores it",
    "assembleContextPacket": "a question",
    "expandCapabilities": "a question; what its policy does not grant a person decides",
    "openRunScope": "a report of what a run is about",
    "recordContextFeedback": "an opinion, kept as its own",
    "recordInvocation": "a report",
    "recordSuggestionFeedback": "a report of what the user said",
    "recordInvocationSignal": "an opinion, kept as its own",
    "recordModelFallback": "a report",
    "reportToolOutcomes": "a report",
    "reportAsks": "a report",
    "evaluateTools": "recommendations, which a person decides on",
    "startDesignSession": "a design, which proposes",
    "updateDesignSession": "a report of what was asked, said and proposed",
    "trackTask": "a task that is seen: a draft, unless a person's policy accepts it",
    "recordProposalEdit": "a report, which is computed",
    "reportLearningSignals": "a report",
    "proposeChange": "a proposal; a person decides",
    "replayProposal": "a question about the past",
    "assessRun": "a question about the past; what it suggests a person decides",
    "assessTask": "a question about a task; what it suggests a person decides",
    "assessPortfolio": "a question about tasks; what it suggests a person decides",
    "createEvalDataset": "cases to try a change on; they change nothing",
    "drawEvalDataset": "the same",
    "addEvalExamples": "the same",
    "freezeEvalDataset": "the same",
    "recordEvalScores": "a report of what a judge gave",
    "recordLearningReport": "a report of what it may read",
    "attachAssessorNote": "a report, told apart from what rules found",
    "requestFork": "a question; it may not act on the outside world again",
    "recordFollowUp": "a report",
    "recordIntervention": "a question to a runtime, which decides",
    "openThread": "a question",
    "recordConsult": "a report",
    "requestExtraction": "a question",
    "takeExtraction": "work out of band",
    "settleExtraction": "work out of band that it took",
    "promoteArtifact": "a question; a person decides",
    "exportAudit": "a copy of what it may read",
}
"""Every command that an agent's key may send, and as what. Which records it reaches by it, `KINDS` says."""

LINKS = frozenset({
    "HAS_BLUEPRINT", "USES_PRESET", "INSTANTIATES", "IN_GROUP", "HAS_PRIMARY", "SHARES", "REQUIRES", "ALLOWS",
    "DENIES", "STEERS", "SCOPED_TO", "IMPLEMENTS_GOAL", "SERVES_GOAL", "SUPPORTS_GOAL", "RECORDS", "TEACHES",
    "LEARNED_FROM", "DESIGNED_WITH", "SHOWN_BY", "DECIDED_ABOUT", "FOLLOWS_PATTERN", "TARGETS", "DRAWS_ON",
    "PROVIDES",
})  # fmt: skip
"""What an agent may link its own proposals by, to anything that it sees."""

BOTH_ENDS = frozenset({"HAS_BLUEPRINT", "IN_GROUP", "HAS_PRIMARY"})
"""Links that bear on what they lead to as well: that is its own proposal, too."""

_FREE: Mapping[str, frozenset[str]] = {}
EVENTS: Mapping[str, Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(
        (
            "run_started", "run_completed", "run_failed", "run_cancelled", "activation_started", "activation_waiting",
            "activation_resumed", "activation_completed", "activation_failed", "activation_skipped",
            "activation_cancelled", "span", "artifact_produced", "artifact_consumed", "artifact_opened",
            "artifact_bookmarked", "artifact_cited", "evaluation_evidence", "delivery", "gate_opened", "snapshot",
            "checkpoint", "session", "intervention", "document_received", "document_downloaded", "document_opened",
            "native_event",
        ),
        _FREE,
    ),
    "gate_decided": {"status": frozenset({"rejected", "changes_requested", "timed_out"})},
}  # fmt: skip
"""What an agent may report, with which values only. That a gate was passed, an artifact promoted, is an approval."""

CLOSED_SCOPES = frozenset({KeyScope.admin, KeyScope.declassify})
"""Scopes that no key of an agent has."""


def is_agent(viewer: Viewer) -> bool:
    return viewer.kind is PrincipalKind.agent


def rule_of(label: str) -> Rule:
    return KINDS.get(label, _NOTHING)
