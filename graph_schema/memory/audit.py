"""Audit exports: that a run was handed out as files, to whom it may be shown, and which rule allowed it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field as PydanticField

from graph_schema.memory.words import DecisionKind, PolicyDecision
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Long, Timestamp, field
from graph_schema.model.record import Record
from graph_schema.model.relation import ANY, Relation


class AuditProfile(StrEnum):
    """How much an audit export tells."""

    summary_only = "summary_only"
    professional_internal = "professional_internal"
    external_redacted = "external_redacted"
    full_local_audit = "full_local_audit"


class AuditFormat(StrEnum):
    """How an audit export is written."""

    folder = "folder"
    zip = "zip"
    markdown = "markdown"
    pdf_packet = "pdf_packet"


class AuditSection(StrEnum):
    """The parts of an audit export."""

    run_summary = "run_summary"
    graph_snapshot = "graph_snapshot"
    blueprint_snapshot = "blueprint_snapshot"
    module_activation_list = "module_activation_list"
    cost_duration_summary = "cost_duration_summary"
    models_and_agents = "models_and_agents"
    tool_connector_calls = "tool_connector_calls"
    subagent_sessions = "subagent_sessions"
    prompt_snapshots = "prompt_snapshots"
    doc24_context_packets = "doc24_context_packets"
    input_output_artifact_manifest = "input_output_artifact_manifest"
    delivery_receipts = "delivery_receipts"
    policy_approvals = "policy_approvals"
    errors_retries_fallbacks = "errors_retries_fallbacks"
    judge_experiment_results = "judge_experiment_results"
    doc72_memory_summary_links = "doc72_memory_summary_links"
    raw_trace = "raw_trace"


Sections = Annotated[list[AuditSection], PydanticField(max_length=len(AuditSection))]
Formats = Annotated[list[AuditFormat], PydanticField(max_length=len(AuditFormat))]


class AuditExport(Record):
    """A run that was handed out as files, or was not, with the decision about it."""

    label = "AuditExport"
    plural = "audit_exports"
    prefix = "aud"
    layer = EvidenceLayer.run_truth
    colour = "#7a6f9b"
    events: ClassVar[Mapping[str, str]] = {"created": "task.audit_export.started"}

    run_id: Key = field("The run that it tells of.", indexed=True, authored=False)
    redaction_profile: AuditProfile = field("How much it tells.", filtered=True, authored=False)
    output_formats: Formats = field("How it was written.", make=list, authored=False)
    included_sections: Sections = field("The parts that it has.", make=list, authored=False)
    export_ref: Key | None = field("Where it is kept, below the service's home.", default=None, authored=False)
    content_hash: Key | None = field(
        "Hash over the hashes of its files: the same for the same graph and profile.", default=None, authored=False
    )
    size_bytes: Long | None = field("Size of its files together.", default=None, authored=False, ge=0)
    decision_kind: DecisionKind = field("What was decided about.", default=DecisionKind.file_write, authored=False)
    decision: PolicyDecision = field("What was decided.", filtered=True, authored=False)
    reason_codes: Keys = field("Why.", make=list, authored=False)
    policy_generation_id: Key = field("Name and version of the rules that decided.", authored=False)
    warnings: Keys = field("Codes of what to mind before it is passed on.", make=list, authored=False)
    finding_codes: Keys = field("Codes of what the run's records lack.", make=list, authored=False)
    exported_by: Key = field("Id of the principal that asked for it.", filtered=True, authored=False)
    exported_at: Timestamp = field("When it was made.", ordered=True, authored=False)


RELATIONS = (
    Relation(
        "COVERS",
        ("AuditExport",),
        (ANY,),
        "covered_by",
        "An audit export, and its run or another record in it that fewer people may see.",
        EvidenceLayer.run_truth,
        inherits="tail",
        managed=True,
    ),
)
