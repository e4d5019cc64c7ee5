"""How far artifacts go: the policies that say so, the receipts of who decided it, and what is meant for a library."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.context.words import CapabilityMode, ContextLayer, ExpansionBasis, Profile, SideEffectPolicy
from graph_schema.memory.words import CaptureMode, Endpoint, IntakeLevel, IntakeRule, MemoryMode, PolicyDecision
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Timestamp, field
from graph_schema.model.record import Record
from graph_schema.model.relation import Relation

EVERY_TASK = "*"
Bases = Annotated[list[ExpansionBasis], PydanticField(max_length=len(ExpansionBasis))]
Layers = Annotated[list[ContextLayer], PydanticField(max_length=len(ContextLayer))]


class PolicyKind(StrEnum):
    """What a policy says."""

    artifact = "artifact"
    artifact_candidate = "artifact_candidate"
    capability = "capability"
    context = "context"
    cost = "cost"


class AppliesTo(StrEnum):
    """The artifacts that a candidate rule is about."""

    final_output = "final_output"
    intermediate_output = "intermediate_output"
    produced_document = "produced_document"
    downloaded_document = "downloaded_document"
    received_attachment = "received_attachment"
    judge_result = "judge_result"
    red_team_report = "red_team_report"
    analysis_memo = "analysis_memo"
    user_opened_artifact = "user_opened_artifact"
    downstream_used_artifact = "downstream_used_artifact"


class IncognitoOverride(StrEnum):
    """What is left of the artifacts of a private run."""

    suppress_doc72_doc25 = "suppress_doc72_doc25"
    suppress_all_optional_memory = "suppress_all_optional_memory"


class Policy(Record):
    """A standing decision for a task, a module or a port: how far artifacts go, capabilities, context, cost."""

    label = "Policy"
    plural = "policies"
    prefix = "pol"
    layer = EvidenceLayer.memory
    colour = "#b08bbb"
    saved = True
    ordered_by = ("name",)

    policy_kind: PolicyKind = field(
        "What it is about: artifacts, candidates for more, capabilities, context, or cost.",
        indexed=True,
    )
    task_key: Key = field(
        "The task that it holds for, as the executor calls it; * for all.", default=EVERY_TASK, indexed=True
    )
    run_source: Key | None = field("The executor's system that it holds for; any when left out.", default=None)
    module_key: Key | None = field("The module that it holds for; any when left out.", default=None)
    module_type: Key | None = field("The type of module that it holds for; any when left out.", default=None)
    port_name: Key | None = field("The port that it holds for; any when left out.", default=None)
    valid_from: Timestamp | None = field("Since when it holds; since it was saved when left out.", default=None)
    valid_to: Timestamp | None = field("Until when it holds.", default=None)
    rationale: Text | None = field("Why it is so.", default=None)

    port_level: IntakeLevel | None = field("What the port's artifacts get; goes with port_name.", default=None)
    capture_mode: CaptureMode | None = field("What the module does with its outputs.", default=None)
    high_value_candidate: bool | None = field("Whether the module's outputs are of high value.", default=None)
    output_archetype_hints: Keys = field("Which of its outputs are of high value; none means all.", make=list)
    review_required: bool | None = field(
        "Whether a person is asked before its outputs go beyond the run.", default=None
    )
    task_default: IntakeLevel | None = field("What all artifacts get.", default=None)
    final_output_default: IntakeLevel | None = field("What final outputs get.", default=None)
    intermediate_output_default: IntakeLevel | None = field("What intermediate outputs get.", default=None)
    produced_document_default: IntakeLevel | None = field("What documents that were made get.", default=None)
    downloaded_document_default: IntakeLevel | None = field("What documents that were fetched get.", default=None)
    received_attachment_default: IntakeLevel | None = field("What attachments that came in get.", default=None)
    sent_message_default: IntakeLevel | None = field("What messages that were sent get.", default=None)
    received_message_default: IntakeLevel | None = field("What messages that came in get.", default=None)
    user_review_required_above_level: IntakeLevel | None = field("Above this level a person is asked.", default=None)
    incognito_override: IncognitoOverride | None = field("What is left of artifacts of private runs.", default=None)

    endpoint: Endpoint | None = field("Where an artifact that it has processed as a document ends up.", default=None)

    applies_to: AppliesTo | None = field("Candidate rule: the artifacts that it is about.", default=None, filtered=True)
    condition: Text | None = field("Candidate rule: which of them, as docs/artifacts.md says.", default=None)
    suggested_level: IntakeLevel | None = field("Candidate rule: how far they are to go.", default=None)
    requires_user_review: bool = field("Candidate rule: whether a person is asked first.", default=True)

    capability_mode: CapabilityMode | None = field("Capability: how the module comes by them.", default=None)
    expansion_enabled: bool | None = field("Capability: whether more may be added while it runs.", default=None)
    expansion_bases: Bases = field("Capability: on what ground; none means any.", make=list)
    max_added_capabilities: int | None = field("Capability: how many may be added at most.", default=None, ge=0)
    capabilities_outside_allowlist_require_approval: bool | None = field(
        "Capability: whether a person is asked about what is neither allowed nor denied; else it is refused.",
        default=None,
    )
    external_side_effects_require_approval: bool | None = field(
        "Capability: whether a person is asked before something that acts on the outside world is added.", default=None
    )
    emit_expansion_receipt: bool | None = field(
        "Capability: whether each wish for more leaves a receipt with its words; true unless all say no.", default=None
    )
    allowed_mcp_servers: Keys = field(
        "Capability: the servers whose capabilities it may use, by their refs; none named means any.", make=list
    )
    connector_refs: Keys = field(
        "Capability: the connectors that it may go through, by their refs; none named means any.", make=list
    )
    side_effect_policy: SideEffectPolicy | None = field(
        "Capability: what it may do to the outside world.", default=None
    )
    snapshot_required: bool | None = field(
        "Capability: whether what held is kept with each packet and receipt; true unless all say no.", default=None
    )

    injection_profile: Profile | None = field("Context: which layers its packets may have at most.", default=None)
    denied_layers: Layers = field("Context: layers that its packets never have.", make=list)
    max_tokens: int | None = field("Context: tokens that a packet may take at most.", default=None, ge=1)
    full_text_required: bool | None = field("Context: whether it needs documents in full.", default=None)
    surface_context_forbidden: bool | None = field("Context: whether nothing may come from a surface.", default=None)

    max_cost_usd: float | None = field("Cost: what a run may cost before somebody is told.", default=None, ge=0)


class IntakeOutcome(StrEnum):
    """What was decided about an artifact."""

    promoted = "promoted"
    requested = "requested"
    approved = "approved"
    rejected = "rejected"


class IntakeReceipt(Record):
    """What somebody decided about how far an artifact goes, and on what ground."""

    label = "IntakeReceipt"
    plural = "intake_receipts"
    prefix = "irc"
    layer = EvidenceLayer.run_truth
    colour = "#c9a66b"

    outcome: IntakeOutcome = field("What was decided.", filtered=True, authored=False)
    from_level: IntakeLevel = field("How far the artifact went before.", authored=False)
    to_level: IntakeLevel = field("How far it was to go.", filtered=True, authored=False)
    endpoint: Endpoint | None = field("Where it ends up once it was processed.", default=None, authored=False)
    destination: Key | None = field("The place there, such as a path.", default=None, authored=False)
    decided_by: Key = field("Id of the principal who decided.", filtered=True, authored=False)
    decided_at: Timestamp = field("When it was decided.", ordered=True, authored=False)
    rule: IntakeRule = field("The rule that had decided the level before.", authored=False)
    policy_id: Key | None = field(
        "The policy that asked for a review or suggested the level.", default=None, authored=False
    )
    policy_decision: PolicyDecision = field("What the policies said to it.", authored=False)
    reason_codes: Keys = field("Why they said so.", make=list, authored=False)
    memory_mode: MemoryMode = field("How much of the run is remembered.", authored=False)
    reason: Text | None = field("What was said with the decision.", default=None, authored=False)


class LibrarySourceClass(StrEnum):
    """What kind of thing of a task is meant for a library."""

    task_output = "task_output"
    downloaded_document = "downloaded_document"
    received_document = "received_document"


class IngestionReason(StrEnum):
    """Why something is meant for a library."""

    user_requested = "user_requested"
    task_template_policy = "task_template_policy"
    blueprint_declared_output = "blueprint_declared_output"
    assessment_recommended = "assessment_recommended"
    recurring_gathering_task = "recurring_gathering_task"


class IngestionStatus(StrEnum):
    """What became of something that is meant for a library."""

    pending = "pending"
    processing = "processing"
    ingested = "ingested"
    failed = "failed"
    cancelled = "cancelled"


class LibraryIntent(Record):
    """That an artifact is to become part of a library, and what came of it. The library is where it leads to."""

    label = "LibraryIntent"
    plural = "library_intents"
    prefix = "lint"
    layer = EvidenceLayer.memory
    colour = "#7aa6c2"

    source_class: LibrarySourceClass = field("What kind of thing it is.", filtered=True, authored=False)
    task_key: Key | None = field("The task, as the executor calls it.", default=None, indexed=True, authored=False)
    run_id: Key = field("The run that the artifact is of.", indexed=True, authored=False)
    artifact_id: Key = field("The artifact.", indexed=True, authored=False)
    source_artifact_ref: Key | None = field("Where its content is kept.", default=None, authored=False)
    ingestion_reason: IngestionReason = field("Why it is meant for the library.", filtered=True, authored=False)
    document_ingestion_required: bool = field("Whether it is processed as a document first.", authored=False)
    document_ingestion_ref: Key | None = field("Its name in document processing.", default=None, authored=False)
    library_extraction_profile_ref: Key | None = field("How the library is to read it.", default=None, authored=False)
    policy_snapshot_ref: Key | None = field("Where the policies that held are kept.", default=None, authored=False)
    requested_by: Key = field("Id of the principal who asked for it.", authored=False)
    status: IngestionStatus = field(
        "What became of it.", default=IngestionStatus.pending, filtered=True, authored=False
    )
    settled_at: Timestamp | None = field("When that was known.", default=None, filtered=True, authored=False)
    library_ref: Key | None = field("Its name in the library.", default=None, authored=False)
    receipt_ref: Key | None = field("Where the receipt of it is kept.", default=None, authored=False)
    failure_code: Key | None = field("Why it failed, as a code.", default=None, authored=False)
    note: Text | None = field("What was said with it.", default=None, authored=False)


RELATIONS = (
    Relation(
        "PREFERS",
        ("Policy",),
        ("Procedure",),
        "preferred_by",
        "A capability policy, and a procedure that its modules follow before others.",
        EvidenceLayer.memory,
    ),
    Relation(
        "DECIDES",
        ("IntakeReceipt",),
        ("Artifact",),
        "intake_receipts",
        "A decision, and the artifact that it is about.",
        EvidenceLayer.run_truth,
        inherits="tail",
        managed=True,
    ),
    Relation(
        "LED_TO",
        ("IntakeReceipt",),
        ("WorkProduct", "LibraryIntent"),
        "follows_from",
        "A decision, and what was made because of it.",
        EvidenceLayer.memory,
        managed=True,
    ),
    Relation(
        "INTENDS",
        ("LibraryIntent",),
        ("Artifact",),
        "library_intents",
        "What is meant for a library, and the artifact.",
        EvidenceLayer.memory,
        inherits="tail",
        managed=True,
    ),
    Relation(
        "FOR_LIBRARY",
        ("LibraryIntent",),
        ("Entity",),
        "awaits",
        "What is meant for a library, and the library.",
        EvidenceLayer.memory,
        managed=True,
    ),
)
