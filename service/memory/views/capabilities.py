"""What each step could use, what it used, and what it was refused."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import DecisionKind, PolicyDecision
from service.memory.views.evidence import Evidence, capabilities_as_saved, evidence, memory_missing
from service.memory.views.facts import Activation, Snapshot, Span
from service.memory.views.index import RunIndex
from service.memory.views.words import like, word
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityUsed:
    """A capability, and how the run used it."""

    id: Annotated[Id, "Id of the capability."]
    name: Annotated[str, "What people call it."]
    calls: Annotated[int, "How often it was called."]
    errors: Annotated[int, "How often that failed."]
    used_by: Annotated[tuple[str, ...], "Steps that used it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCapabilities:
    """What a step, or the whole run, could use when its snapshot was taken."""

    snapshot_id: Annotated[Id, "Id of the snapshot."]
    module_key: Annotated[str | None, "The module; null for the whole run."]
    activation_seq: Annotated[int | None, "Which activation of it."]
    required_capabilities: Annotated[tuple[str, ...], "What the module needs."]
    optional_capabilities: Annotated[tuple[str, ...], "What it may use."]
    mounted_capabilities: Annotated[tuple[str, ...], "What it was given."]
    denied_capabilities: Annotated[tuple[str, ...], "What it was refused."]
    not_mounted: Annotated[tuple[str, ...], "What it needs and was not given."]
    live_state_summary: Annotated[tuple[str, ...], "The state that they were in."]
    mcp_server_refs: Annotated[tuple[str, ...], "Servers that were there."]
    connector_refs: Annotated[tuple[str, ...], "Connectors that were there."]
    procedure_refs: Annotated[tuple[str, ...], "Procedures that were there."]
    available_models: Annotated[tuple[str, ...], "Models that were there."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRuling:
    """What a policy decided."""

    snapshot_id: Annotated[Id, "Id of the snapshot."]
    module_key: Annotated[str | None, "The module that it was about."]
    activation_seq: Annotated[int | None, "Which activation of it."]
    decision_kind: Annotated[DecisionKind | None, "What was decided about."]
    decision: Annotated[PolicyDecision | None, "What was decided."]
    reason_codes: Annotated[tuple[str, ...], "Why."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityExpansion:
    """An attempt to give a running module more than it had."""

    span_id: Annotated[Id, "Id of the span."]
    name: Annotated[str, "What people call it."]
    status: Annotated[str, "What became of it."]
    summary: Annotated[str | None, "What was added."]
    module_key: Annotated[str | None, "The module."]
    activation_seq: Annotated[int | None, "Which activation of it."]


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
    return like(
        PolicyRuling,
        snapshot,
        snapshot_id=snapshot.id,
        decision_kind=word(DecisionKind, snapshot.decision_kind),
        decision=word(PolicyDecision, snapshot.decision),
    )


def _expansion(span: Span) -> CapabilityExpansion:
    return like(CapabilityExpansion, span, span_id=span.id)
