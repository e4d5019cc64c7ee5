"""What each step could use, what it used, and what it was refused."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import DecisionKind, PolicyDecision
from service.memory.views.evidence import Evidence, capabilities_as_saved, evidence, memory_missing
from service.memory.views.facts import Activation, Snapshot, Span
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id, Of


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityUsed:
    """A capability, and how the run used it."""

    id: Annotated[Id, "Id of the capability."]
    name: Annotated[str, Of("Capability")]
    calls: Annotated[int, Of("USED")]
    errors: Annotated[int, Of("USED")]
    used_by: Annotated[tuple[str, ...], "Steps that used it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCapabilities:
    """What a step, or the whole run, could use when its snapshot was taken."""

    snapshot_id: Annotated[Id, "Id of the snapshot."]
    module_key: Annotated[str | None, "The module; null for the whole run."]
    activation_seq: Annotated[int | None, Of("Snapshot")]
    required_capabilities: Annotated[tuple[str, ...], Of("Snapshot")]
    optional_capabilities: Annotated[tuple[str, ...], Of("Snapshot")]
    mounted_capabilities: Annotated[tuple[str, ...], Of("Snapshot")]
    denied_capabilities: Annotated[tuple[str, ...], Of("Snapshot")]
    not_mounted: Annotated[tuple[str, ...], "What it needs and was not given."]
    live_state_summary: Annotated[tuple[str, ...], Of("Snapshot")]
    mcp_server_refs: Annotated[tuple[str, ...], Of("Snapshot")]
    connector_refs: Annotated[tuple[str, ...], Of("Snapshot")]
    procedure_refs: Annotated[tuple[str, ...], Of("Snapshot")]
    available_models: Annotated[tuple[str, ...], Of("Snapshot")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRuling:
    """What a policy decided."""

    snapshot_id: Annotated[Id, "Id of the snapshot."]
    module_key: Annotated[str | None, Of("Snapshot")]
    activation_seq: Annotated[int | None, Of("Snapshot")]
    decision_kind: Annotated[DecisionKind | None, Of("Snapshot")]
    decision: Annotated[PolicyDecision | None, Of("Snapshot")]
    reason_codes: Annotated[tuple[str, ...], Of("Snapshot")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityExpansion:
    """An attempt to give a running module more than it had."""

    span_id: Annotated[Id, "Id of the span."]
    name: Annotated[str, Of("Span")]
    status: Annotated[str, Of("Span")]
    summary: Annotated[str | None, "What was added."]
    module_key: Annotated[str | None, Of("Span")]
    activation_seq: Annotated[int | None, Of("Span")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCapabilities:
    """Capabilities and tools of a run."""

    used: Annotated[tuple[CapabilityUsed, ...], "What was used, most called first."]
    mounted: Annotated[tuple[StepCapabilities, ...], "What steps could use."]
    expansions: Annotated[tuple[CapabilityExpansion, ...], "What was added while it ran."]
    rulings: Annotated[tuple[PolicyRuling, ...], "What policies decided."]
    evidence: Annotated[Evidence, "What this rests on."]


def capabilities(index: RunIndex) -> RunCapabilities:
    snapshots = sorted(index.facts.snapshots, key=lambda one: (one.taken_at or "~", one.snapshot_key))
    mounted = tuple(_mounted(one) for one in snapshots if one.snapshot_kind == "capability")
    grown = [one for one in index.facts.spans if one.span_kind == "runtime_capability_expansion"]
    return RunCapabilities(
        used=used(index),
        mounted=mounted,
        expansions=tuple(_expansion(one) for one in grown),
        rulings=tuple(_ruling(one) for one in snapshots if one.snapshot_kind == "policy"),
        evidence=evidence(
            index,
            ("capabilities", "snapshots", "spans"),
            capabilities_as_saved() if mounted else None,
            memory_missing(index),
        ),
    )


def used(index: RunIndex) -> tuple[CapabilityUsed, ...]:
    names: dict[str, str] = {}
    calls: dict[str, int] = {}
    errors: dict[str, int] = {}
    users: dict[str, list[Activation]] = {}
    for one in index.facts.capabilities:
        names[one.id] = one.name
        calls[one.id] = calls.get(one.id, 0) + one.calls
        errors[one.id] = errors.get(one.id, 0) + one.errors
        if one.activation_id in index.step:
            users.setdefault(one.id, []).append(index.step[one.activation_id])
    found = [
        CapabilityUsed(
            id=key,
            name=name,
            calls=calls[key],
            errors=errors[key],
            used_by=tuple(index.label(step) for step in users.get(key, ())),
        )
        for key, name in names.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.calls, one.name)))


def _mounted(snapshot: Snapshot) -> StepCapabilities:
    given = {*snapshot.mounted_capabilities}
    missing = tuple(one for one in snapshot.required_capabilities if one not in given)
    return like(StepCapabilities, snapshot, snapshot_id=snapshot.id, not_mounted=missing)


def _ruling(snapshot: Snapshot) -> PolicyRuling:
    return like(PolicyRuling, snapshot, snapshot_id=snapshot.id)


def _expansion(span: Span) -> CapabilityExpansion:
    return like(CapabilityExpansion, span, span_id=span.id)
