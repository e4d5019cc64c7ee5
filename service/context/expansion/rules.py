"""What becomes of a wish for more capabilities. Pure: the policy, what is known, and nothing else decides.

Tightening a policy never gives a module more than before. That is why a wish that is refused keeps its place among
those that may be added: denying one must not make room for another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graph_schema.context.words import ExpansionBasis
from graph_schema.library.words import CapabilityState
from graph_schema.memory.words import GateStatus
from graph_schema.model.record import HIDDEN_STATES
from service.context.expansion.errors import (
    BasisNotAllowed,
    CapabilityDenied,
    CapabilityRetired,
    CapabilityUnavailable,
    ExpansionDisabled,
    LimitReached,
    OutsideAllowlist,
    PersonRefused,
    RequiredUnavailable,
)
from service.context.expansion.policy import (
    CapabilityPolicy,
    Standing,
    barred,
    must_be_confirmed,
    standing_in,
    standing_of,
)
from service.errors import TaskloreError

NAME = "capability-expansion/2"
_DOWN = frozenset({CapabilityState.down.value, CapabilityState.authorisation_missing.value})

Capability = Mapping[str, Any]
Gate = Mapping[str, Any]


class ExpansionResult(StrEnum):
    """What became of the wish for one capability."""

    already_mounted = "already_mounted"
    added = "added"
    blocked = "blocked"
    approval_required = "approval_required"
    refused = "refused"


@dataclass(frozen=True, slots=True)
class Known:
    """What is mounted by now, how many were added before, and the gates that stand, by capability."""

    mounted: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()
    gates: Mapping[str, Gate] = field(default_factory=dict[str, Gate])


@dataclass(frozen=True, slots=True)
class Decision:
    capability: Capability
    result: ExpansionResult
    explanation: str
    code: str | None = None
    remedy: str | None = None
    gate_id: str | None = None
    """The gate that was asked before."""


def bound_at_start(policy: CapabilityPolicy, capabilities: Sequence[Capability]) -> frozenset[str]:
    """The first pass: what a module has from the start, all it requires and what it may use that was up then."""
    return frozenset(one["id"] for one in capabilities if _is_bound(policy, one))


def mounted(policy: CapabilityPolicy, capabilities: Sequence[Capability], added: frozenset[str]) -> frozenset[str]:
    """Both passes. What is denied by now is not mounted, whenever and however it was added."""
    kept = {one["id"] for one in capabilities if one["id"] in added and not _is_shut(policy, one)}
    return bound_at_start(policy, capabilities) | kept


def decide(
    policy: CapabilityPolicy, basis: ExpansionBasis, wanted: Sequence[Capability], known: Known
) -> list[Decision]:
    room = None if policy.max_added is None else max(0, policy.max_added - len(known.added))
    found: list[Decision] = []
    for one in wanted:
        if one["id"] in known.mounted and _shut(policy, one) is None:
            found.append(Decision(one, ExpansionResult.already_mounted, f"{one['name']} is mounted already."))
            continue
        found.append(_decided(policy, basis, one, known, has_room=room is None or room > 0))
        room = None if room is None else room - 1
    return found


def is_down(capability: Capability) -> bool:
    return capability.get("state") in _DOWN


def _is_bound(policy: CapabilityPolicy, capability: Capability) -> bool:
    if _is_shut(policy, capability) or must_be_confirmed(policy, capability):
        return False
    standing = standing_of(policy, capability["id"])
    up = capability.get("state_at_start") == CapabilityState.up
    return standing is Standing.required or (standing is Standing.allowed and up)


def _is_shut(policy: CapabilityPolicy, capability: Capability) -> bool:
    retired = capability["lifecycle_state"] in HIDDEN_STATES
    return retired or standing_in(policy, capability) is Standing.denied


def _shut(policy: CapabilityPolicy, one: Capability) -> TaskloreError | None:
    """Why it cannot be had at all, whoever would allow it."""
    standing = standing_of(policy, one["id"])
    if standing is Standing.denied:
        return CapabilityDenied(one["name"], policy.said_by("DENIES", one["id"]))
    problem = barred(policy, one)
    if problem is not None:
        return problem
    if one["lifecycle_state"] in HIDDEN_STATES:
        return CapabilityRetired(one["name"], one["lifecycle_state"])
    if is_down(one):
        unavailable = RequiredUnavailable if standing is Standing.required else CapabilityUnavailable
        return unavailable(one["name"], one["state"])
    return None


def _decided(
    policy: CapabilityPolicy, basis: ExpansionBasis, one: Capability, known: Known, *, has_room: bool
) -> Decision:
    problem = _shut(policy, one) or _closed(policy, basis, one, has_room=has_room)
    if problem is not None:
        return _refusal(one, ExpansionResult.blocked, problem)
    standing = standing_of(policy, one["id"])
    if standing is Standing.outside:
        if not policy.ask_outside:
            return _refusal(one, ExpansionResult.refused, OutsideAllowlist(one["name"]))
        return _asked(one, known, "it is neither allowed nor denied, and a person is asked about such")
    if must_be_confirmed(policy, one) or (policy.ask_external and one.get("side_effect_classes")):
        classes = ", ".join(sorted(one["side_effect_classes"]))
        return _asked(one, known, f"it acts on the outside world ({classes}), and a person is asked about that")
    kinds = " and ".join(policy.said_by("REQUIRES" if standing is Standing.required else "ALLOWS", one["id"]))
    return Decision(one, ExpansionResult.added, f"{one['name']} was added: it is {standing.value} by {kinds}.")


def _closed(
    policy: CapabilityPolicy, basis: ExpansionBasis, one: Capability, *, has_room: bool
) -> TaskloreError | None:
    if not policy.expansion_enabled:
        return ExpansionDisabled(one["name"])
    if basis not in policy.bases:
        return BasisNotAllowed(one["name"], basis, policy.bases)
    return None if has_room else LimitReached(one["name"], policy.max_added or 0)


def _asked(one: Capability, known: Known, why: str) -> Decision:
    """Mounted only once a person has said yes; whatever else became of the gate is no yes."""
    gate = known.gates.get(one["id"])
    if gate is None or gate["status"] == GateStatus.open:
        told = f"{one['name']} waits for approval: {why}."
        return Decision(one, ExpansionResult.approval_required, told, gate_id=gate["id"] if gate else None)
    if gate["status"] != GateStatus.approved:
        return _refusal(one, ExpansionResult.blocked, PersonRefused(one["name"], gate["status"]))
    return Decision(one, ExpansionResult.added, f"{one['name']} was added: a person approved it.", gate_id=gate["id"])


def _refusal(one: Capability, result: ExpansionResult, problem: TaskloreError) -> Decision:
    return Decision(one, result, problem.message, problem.code, problem.remedy)
