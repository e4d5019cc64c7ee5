"""The seventeen sections as data: which records and links each of them tells. A new label needs one line here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graph_schema.memory.audit import AuditSection
from service.memory.audit import totals
from service.memory.audit.load import POINTING

Values = Mapping[str, Any]
Picks = Callable[[Values], bool]
ALL_LINKS = ("*",)


def _any(values: Values) -> bool:
    del values
    return True


def _in(name: str, *wanted: str) -> Picks:
    return lambda values: values.get(name) in wanted


def _spans(*kinds: str) -> Picks:
    return _in("span_kind", *kinds)


def _went_wrong(values: Values) -> bool:
    return values.get("status") == "error" or bool(values.get("fallback_used")) or "error_code" in values


def _failed_span(values: Values) -> bool:
    return _went_wrong(values) or values.get("span_kind") in {"retry", "fallback", "error"}


def _delivery_trouble(values: Values) -> bool:
    return bool(values.get("conflicting")) or values.get("status") in {"failed", "blocked_by_policy"}


def _kept(values: Values) -> bool:
    return values.get("artifact_state") == "promoted" or values.get("intake_level") not in {"no_capture", "run_only"}


@dataclass(frozen=True, slots=True)
class Design:
    """What a section shows as the one that was run, and what is noted where there is none, or only a later one."""

    label: str
    missing: str
    later: str


@dataclass(frozen=True, slots=True)
class Section:
    """`records` by label, each with the test that picks them; `links` by type; `adds_up` what is computed."""

    name: AuditSection
    records: dict[str, Picks]
    links: tuple[str, ...] = ()
    adds_up: Callable[[list[dict[str, Any]]], Any] | None = field(default=None)
    design: Design | None = None


SECTIONS = (
    Section(
        AuditSection.run_summary,
        {"Run": _any, "Task": _any, "Template": _any, "Fork": _any},
        ("RUN_OF", "USED_TEMPLATE", "FORKED_FROM", "CREATED_BY", "FROM", "TAKES"),
    ),
    Section(
        AuditSection.graph_snapshot,
        {"GraphSnapshot": _any, "Module": _any, "Snapshot": _in("snapshot_kind", "module_configuration")},
        ("HAS_GRAPH", "HAD_GRAPH", "HAS_MODULE", "CABLE", "OF_MODULE"),
        design=Design("GraphSnapshot", "graph_not_saved_here", "graph_saved_later"),
    ),
    Section(
        AuditSection.blueprint_snapshot,
        dict.fromkeys(("Blueprint", "StepIntent", "Contract", "Criterion", "ReviewPoint", "SideEffect"), _any),
        (
            *("HAS_BLUEPRINT", "HAS_STEP", "HAS_CONTRACT", "HAS_CRITERION", "HAS_REVIEW_POINT", "HAS_SIDE_EFFECT"),
            *("CHECKED_BY", "BOUND_TO"),
        ),
        design=Design("Blueprint", "blueprint_not_saved_here", "blueprint_changed_since"),
    ),
    Section(AuditSection.module_activation_list, {"Activation": _any}, ("ACTIVATED", "TRIGGERED")),
    Section(AuditSection.cost_duration_summary, {"Run": _any, "Activation": _any}, adds_up=totals.costs),
    Section(
        AuditSection.models_and_agents,
        {"Activation": _any, "Snapshot": _in("snapshot_kind", "model_runtime")},
        adds_up=totals.models,
    ),
    Section(
        AuditSection.tool_connector_calls,
        {
            "Span": _spans(
                "tool_call", "mcp_call", "connector_call", "capability_mount", "runtime_capability_expansion"
            ),
            "Capability": _any,
            "Snapshot": _in("snapshot_kind", "capability"),
        },
        ("USED", "UNDER"),
    ),
    Section(
        AuditSection.subagent_sessions,
        {
            "Session": _any,
            "Span": _spans("subagent_spawn"),
            "Intervention": _any,
            "FollowUp": _any,
            "Thread": _any,
            "Consult": _any,
        },
        ("RAN_IN", "STEERED_BY", "FOLLOWS", "CONTINUES", "CONFINED_TO", "ASKED_ABOUT"),
    ),
    Section(
        AuditSection.prompt_snapshots,
        {"Snapshot": _in("snapshot_kind", "prompt"), "Span": _spans("llm_call", "prompt_assembly")},
        ("UNDER",),
    ),
    Section(
        AuditSection.doc24_context_packets,
        {
            "Trigger": _any,
            "ScopeEnvelope": _any,
            "ContextPacket": _any,
            "ExpansionReceipt": _any,
            "Snapshot": _in("snapshot_kind", "source_visibility"),
            "Span": _spans("doc24_packet_resolution"),
        },
        (
            *("UNDER", "HELD_UNDER", "TRIGGERED_BY", "CAME_FROM", "HAS_SCOPE", "HAS_PACKET", "PACKED_FOR", "WITHIN"),
            *("HAS_EXPANSION", "EXPANDED", "ADDED", "BLOCKED", "ASKED_FOR", "AWAITS", "BECAUSE_OF"),
            *POINTING,
        ),
    ),
    Section(
        AuditSection.input_output_artifact_manifest,
        {"Artifact": _any, "Entity": _any, "WorkProduct": _any, "LibraryIntent": _any, "Tombstone": _any},
        ("INTENDS", "CONSUMED", "PRODUCED", "DERIVED_FROM", "RECEIVED", "DOWNLOADED", "OPENED", "CITES", "BECAME"),
    ),
    Section(
        AuditSection.delivery_receipts,
        {"Delivery": _any, "Span": _spans("output_delivery")},
        ("MADE", "DELIVERED_BY", "TO"),
    ),
    Section(
        AuditSection.policy_approvals,
        {
            "Gate": _any,
            "IntakeReceipt": _any,
            "Snapshot": _in("snapshot_kind", "policy"),
            "Span": _spans("policy_decision", "human_review", "wait_state", "resume"),
        },
        ("WAITED_ON", "UNDER", "DECIDES"),
    ),
    Section(
        AuditSection.errors_retries_fallbacks,
        {"Activation": _went_wrong, "Span": _failed_span, "Delivery": _delivery_trouble},
    ),
    Section(
        AuditSection.judge_experiment_results,
        {
            "Artifact": _in("artifact_kind", "judge_result", "experiment_bundle", "red_team_report"),
            "Span": _spans("judge_eval", "experiment_variant"),
        },
        ("EVALUATES",),
    ),
    Section(
        AuditSection.doc72_memory_summary_links,
        {"Run": _any, "Artifact": _kept, "WorkProduct": _any, "Entity": _any, "Goal": _any},
        ("ABOUT", "PURSUES", "ADVANCED_GOAL", "BECAME", "PREVIOUS"),
    ),
    Section(
        AuditSection.raw_trace,
        {"Span": _any, "Checkpoint": _any, "NativeEvent": _any, "Snapshot": _any, "Session": _any},
        ALL_LINKS,
    ),
)
