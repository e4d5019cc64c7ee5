"""Which stored field is how sensitive: one table. What it does not name is not exported.

Numbers, times, enums and flags are facts, and what no API shows is the system's own; so the table names text alone.
"""

from enum import StrEnum

from graph_schema.model.fields import Field, Kind
from graph_schema.model.registry import Registry


class Sensitivity(StrEnum):
    """What kind of thing a field tells."""

    fact = "fact"
    """That something happened, when, how long, how it ended: ids, times, counts, states, hashes of ours.
    No word that an executor chose, however short."""
    process = "process"
    """By which keys and codes the parts of the process go: modules, ports, models, agents, tools, errors."""
    subject = "subject"
    """What the work is about and what it made: names and keys of tasks, documents, results; names of steps, too."""
    content = "content"
    """What was said: summaries, questions, messages."""
    person = "person"
    """Who: senders, recipients, deciders."""
    location = "location"
    """Where things are kept: storage references, paths, addresses."""
    prompt = "prompt"
    """Where prompts and what they were made of are kept."""
    system = "system"
    """The service's own bookkeeping."""


Classes = dict[Sensitivity, str]
_S = Sensitivity

COMMON: Classes = {
    _S.fact: "id matter_ids run_id",
    _S.process: "source module_key",
    _S.subject: "name source_key",
    _S.content: "lifecycle_reason",
}
"""For every label, unless the label says otherwise."""

TABLE: dict[str, Classes] = {
    "Run": {
        _S.process: "template_key blueprint_key trigger_kind failure_code failed_module_key",
        _S.subject: "task_key task_name",
        _S.content: "trigger_summary workflow_summary quality_summary failure_summary",
        _S.location: "trace_id graph_snapshot_ref blueprint_snapshot_ref key_config_snapshot_ref raw_run_ref",
    },
    "Activation": {
        _S.process: "model_ref agent_ref error_code module_type preset_key output_port_id think_level",
        _S.subject: "branch_label",
        _S.content: "error_message waiting_reason skip_reason input_summary output_summary",
        _S.location: "input_bundle_ref output_bundle_ref detail_ref",
    },
    "Span": {
        _S.process: "model_ref agent_ref error_code tool_key tool_method",
        _S.subject: "span_key parent_span_key idempotency_key tags",
        _S.content: "error_message summary",
        _S.location: "trace_id input_ref output_ref subagent_trace_ref",
    },
    "Artifact": {
        _S.fact: "suggested_by_id intake_policy_id",
        _S.process: "media_type content_hash port_name output_archetype channel",
        _S.content: "summary key_points verdict",
        _S.person: "promoted_by sender recipients",
        _S.location: "storage_ref memory_ref document_ingestion_ref library_ref thread_ref",
    },
    "Delivery": {
        _S.subject: "idempotency_key delivery_key artifact_key",
        _S.content: "destination_summary",
        _S.person: "delivered_to conflicts",
        _S.location: "external_message_id saved_path open_url receipt_ref policy_approval_ref",
    },
    "Gate": {_S.subject: "gate_key", _S.content: "question decision_note", _S.person: "decided_by"},
    "Snapshot": {
        _S.process: "prompt_hash policy_generation_id registry_generation_id policy_refs "
        "model_ref agent_ref reason_codes required_capabilities optional_capabilities "
        "mounted_capabilities denied_capabilities mcp_server_refs connector_refs procedure_refs available_models",
        _S.subject: "snapshot_key",
        _S.content: "live_state_summary",
        _S.location: "exposure_context_ref",
        _S.prompt: "storage_ref prompt_text_ref cil_layer_refs context_packet_ref system_instruction_ref "
        "module_instruction_ref dynamic_instruction_ref context_bundle_ref chain_history_projection_ref "
        "attached_file_refs",
    },
    "Checkpoint": {
        _S.subject: "checkpoint_key committed_side_effects",
        _S.location: "storage_ref graph_snapshot_ref module_config_snapshot_ref input_bundle_ref output_bundle_ref "
        "source_document_version_refs",
    },
    "Session": {
        _S.process: "agent_ref model_ref think_level",
        _S.location: "session_key child_session_key runtime_run_id agent_config_snapshot_ref tool_call_trace_refs "
        "subagent_trace_refs",
    },
    "Intervention": {
        _S.subject: "intervention_key",
        _S.content: "note",
        _S.person: "requested_by",
        _S.location: "receipt_ref",
    },
    "NativeEvent": {
        _S.process: "degraded_reason_codes",
        _S.subject: "native_key span_key",
        _S.location: "native_event_ref session_key child_session_key",
    },
    "Task": {
        _S.fact: "graph_hash",
        _S.process: "task_type user_facing_label",
        _S.subject: "aliases",
        _S.content: "description",
    },
    "Template": {
        _S.fact: "graph_hash imported_hash imported_words_hash blueprint_hash follows_task_id",
        _S.process: "source_key task_type",
        _S.subject: "aliases",
        _S.content: "description trigger_phrases semantic_lookup_phrases use_conditions non_use_conditions "
        "domain_tags document_archetypes work_context_tags expected_inputs expected_outputs "
        "default_output_archetypes connector_requirements step_names side_effect_classes possible_side_effect_classes "
        "memory_artifact_policy_summary evaluation_plan_summary known_strengths known_limitations",
        _S.location: "executable_template_ref",
    },
    "GraphSnapshot": {_S.fact: "graph_hash", _S.prompt: "settings extra"},
    "Module": {
        _S.fact: "config_hash",
        _S.process: "module_type autonomy input_ports output_ports",
        _S.subject: "task_key",
        _S.content: "purpose",
        _S.prompt: "config",
    },
    "Blueprint": {
        _S.fact: "blueprint_hash",
        _S.process: "task_type domain",
        _S.subject: "blueprint_version",
        _S.content: "description business_or_personal_goal document_archetypes model_strategy telemetry_policy "
        "assessment_plan diff",
        _S.location: "security_profile_ref retention_policy_ref",
    },
    "StepIntent": {
        _S.process: "step_key suggested_module_type",
        _S.content: "purpose why_it_exists expected_input_refs expected_output_refs optional_capabilities "
        "design_rationale alternatives_considered",
    },
    "Contract": {_S.process: "kind archetype", _S.content: "description"},
    "Criterion": {_S.content: "statement"},
    "ReviewPoint": {_S.process: "before", _S.content: "statement"},
    "SideEffect": {
        _S.process: "side_effect_class",
        _S.content: "description",
        _S.location: "evidence_refs",
    },
    "Capability": {
        _S.fact: "schema_hash",
        _S.process: "source_key mcp_server_ref connector_ref",
        _S.content: "summary side_effect_classes tool_pack_policy",
        _S.person: "state_reported_by",
    },
    "Entity": {
        _S.process: "media_type",
        _S.subject: "aliases keys",
        _S.content: "summary",
        _S.location: "storage_ref",
    },
    "Goal": {
        _S.process: "applies_to_context_class",
        _S.content: "goal_statement success_criteria disfavored_tradeoffs",
        _S.location: "evidence_refs",
    },
    "WorkProduct": {_S.process: "media_type", _S.content: "summary", _S.location: "storage_ref"},
    "Fork": {
        _S.fact: "parent_run_id",
        _S.process: "output_port_id defaulted_policies",
        _S.subject: "parent_task_key",
        _S.person: "requested_by side_effects_authorised_by",
        _S.location: "user_patch_refs",
    },
    "FollowUp": {
        _S.fact: "source_run_id",
        _S.process: "source_module_key",
        _S.subject: "source_task_key",
        _S.content: "user_question",
        _S.person: "asked_by",
        _S.location: "context_seed_refs output_ref session_key",
    },
    "Thread": {
        _S.fact: "artifact_id",
        _S.process: "task_source",
        _S.subject: "task_key",
        _S.person: "opened_by",
        _S.location: "openclaw_session_key",
    },
    "Consult": {
        _S.process: "task_source",
        _S.subject: "task_key",
        _S.content: "degraded_reasons",
        _S.person: "recorded_by",
        _S.location: "user_request_ref consulted_operational_truth_refs consulted_memory_refs "
        "consulted_learning_signal_refs consulted_tkp_card_refs consulted_capability_refs",
    },
    "IntakeReceipt": {
        _S.fact: "policy_id",
        _S.process: "reason_codes",
        _S.content: "reason",
        _S.person: "decided_by",
        _S.location: "destination",
    },
    "LibraryIntent": {
        _S.fact: "artifact_id",
        _S.process: "failure_code",
        _S.subject: "task_key",
        _S.content: "note",
        _S.person: "requested_by",
        _S.location: "source_artifact_ref document_ingestion_ref library_extraction_profile_ref policy_snapshot_ref "
        "library_ref receipt_ref",
    },
    "Tombstone": {_S.fact: "erased_kind", _S.content: "reason"},
    "Trigger": {
        _S.process: "trigger_module_key",
        _S.subject: "correlation_key",
        _S.content: "payload_summary thread_subject",
        _S.person: "email_account mailbox sender recipients",
        _S.location: "payload_ref source_classification_refs message_id thread_id ingestion_result_refs",
    },
    "ScopeEnvelope": {
        _S.fact: "scope_matter_ids request_hash",
        _S.process: "task_type warnings rules",
        _S.subject: "task_key",
        _S.content: "domains policy_source broad_scope broad_kinds",
        _S.location: "launch_surface_ref",
        _S.prompt: "environment",
    },
    "ContextPacket": {
        _S.fact: "inputs_hash content_hash packet_generation_id",
        _S.process: "module_type side_effect_class tokenizer warnings rules embedding_model",
        _S.content: "surface_context_reason primary_instruction_summary output_contract_summary "
        "evaluation_or_review_basis data_input_summary context_input_summary instruction_input_summary "
        "file_input_summary trigger_payload_summary",
        _S.prompt: "inputs",
    },
    "ExpansionReceipt": {
        _S.fact: "policy_id packet_generation_id",
        _S.process: "rules",
        _S.content: "detected_need explanation",
        _S.location: "approval_ref",
    },
}
"""The labels that an export may hold, with the text that each of them keeps."""

NOT_EXPORTED = (
    *("AuditExport", "Card", "Extraction", "Phrase", "Policy", "Preference", "Procedure", "Restriction"),
    *("Preset", "TemplateGroup", "Segment", "ModuleType", "MatchDecision"),
    *("Pattern", "Case", "Decision", "Lesson", "Directive"),
    *("Memory", "Agent", "SurfaceContext", "Schedule", "Feedback"),
    *("ModeDecision", "InvocationDirective", "InvocationTrace", "SuggestionFeedback", "InvocationSignal"),
    *("Tool", "ToolMethod", "ToolOutcome", "AskSession", "Ask", "UserCorrection", "Recommendation"),
    *("SuggestionTally", "SystemAgent", "AgentCapability", "AgentProfile", "SubagentPolicy", "FallbackReceipt"),
    *("AttentionSession", "AgentEvent", "UserModel", "AttentionMode", "AttentionRule", "AttentionDirective"),
    "PolicyTrace",
    *("DesignSession", "DesignQuestion", "Statement", "TaskReceipt", "EditTrace"),
    *("Signal", "Proposal", "Change", "Replay", "ReplayCase", "Promotion"),
    *("Assessment", "AssessmentFinding", "AssessmentAction", "AssessorNote", "KeptReport"),
    *("EvalDataset", "EvalExample", "EvalTrace", "EvalScore"),
    *("Port", "ConfigField", "Preflight", "KnowledgePack", "KnowledgeCard"),
    *("EducationProfile", "CoreContract", "WrittenCard", "SpecSection", "EvalRun", "EvalSuite"),
    *("Prompt", "PromptAssessment", "PromptBundle", "PromptCandidate", "PromptEvaluation"),
    *("ShareCapsule", "ShareEvent"),
)
"""Labels that are no part of what a run did."""

WORDS_FOR_ALL = frozenset({"source", "task_source", "defaulted_policies"})
"""Fields that outsiders read though they may hold more than a key: names of systems, and of policies that are ours.
Of all other text that is not a key they read nothing; `tests/memory/audit/test_profiles.py` holds the table to it."""

LINKS: dict[str, Classes] = {
    "PRODUCED": {_S.process: "port"},
    "ADVANCED_GOAL": {_S.content: "effect"},
    "BINDS": {_S.process: "role", _S.content: "evidence"},
    "INJECTED": {_S.content: "explanation", _S.location: "storage_ref", _S.prompt: "text", _S.system: "facts"},
    "EXCLUDED": {_S.content: "explanation", _S.system: "facts query"},
}
"""What links of a run say in words."""

DESIGN_LINKS: dict[str, Classes] = {"CABLE": {_S.process: "cable_id from_port to_port"}}
"""What links of its graph do."""


def classes_of(registry: Registry, label: str) -> dict[str, Sensitivity]:
    """How sensitive each field of a label is. A field that the table does not name is left out."""
    named = {**_named(COMMON), **_named(TABLE[label])}
    return _classified(registry.types[label].fields, named)


def link_classes(registry: Registry, kind: str) -> dict[str, Sensitivity]:
    fields: dict[str, Field] = {}
    for relation in registry.relations:
        if relation.type == kind:
            fields |= relation.fields
    return _classified(fields, _named({**LINKS, **DESIGN_LINKS}.get(kind, {})))


def _named(classes: Classes) -> dict[str, Sensitivity]:
    return {name: sensitivity for sensitivity, names in classes.items() for name in names.split()}


def _classified(fields: dict[str, Field], named: dict[str, Sensitivity]) -> dict[str, Sensitivity]:
    found: dict[str, Sensitivity] = {}
    for name, field in fields.items():
        if field.hidden:
            found[name] = Sensitivity.system
        elif field.kind is not Kind.string:
            found[name] = Sensitivity.fact
        elif name in named:
            found[name] = named[name]
    return found
