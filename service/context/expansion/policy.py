"""What the policies of a module come to for its capabilities. Pure: the strictest of all that speak holds.

Whoever asks, the answer is the same: a denial counts whether or not the one who asks may see where it stands.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from graph_schema.context.words import CapabilityMode, ExpansionBasis, SideEffectPolicy
from graph_schema.memory.policies import PolicyKind
from graph_schema.work.records import CapabilityKind
from service.context.expansion.errors import ConnectorNotAllowed, ServerNotAllowed, SideEffectsBlocked
from service.errors import TaskloreError
from service.memory.intake import Policies
from service.memory.intake.policies import may_be_named

Row = Mapping[str, Any]
EVERY_BASIS = frozenset(ExpansionBasis)
_STRICTNESS = (
    CapabilityMode.none,
    CapabilityMode.explicit,
    CapabilityMode.explicit_plus_auto_relevant,
    CapabilityMode.auto,
)


class Standing(StrEnum):
    """How a module stands to a capability."""

    required = "required"
    allowed = "allowed"
    denied = "denied"
    outside = "outside"


@dataclass(frozen=True, slots=True)
class CapabilityPolicy:
    """`max_added`: how many may be added at most, without limit when None. Without any policy a module has what it
    names, more of that may be added while it runs, and a person is asked about the rest."""

    mode: CapabilityMode = CapabilityMode.explicit
    required: frozenset[str] = frozenset()
    allowed: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    expansion_enabled: bool = True
    bases: frozenset[ExpansionBasis] = EVERY_BASIS
    max_added: int | None = None
    ask_outside: bool = True
    ask_external: bool = False
    emits_receipt: bool = True
    servers: frozenset[str] | None = None
    connectors: frozenset[str] | None = None
    """The only ones that it may use; any when None."""
    side_effects: SideEffectPolicy = SideEffectPolicy.allow_if_non_duplicate
    snapshot_required: bool = True
    preferred: frozenset[str] = frozenset()
    """Procedures that it follows before others."""
    spoken: tuple[tuple[str, str, str], ...] = ()
    """Which kind of record says what of which capability: `("DENIES", "cap_1", "Preset")`."""
    policy_id: str | None = None
    """The most specific capability policy that holds."""
    policy_refs: tuple[str, ...] = ()
    """Id and version of those that hold, as far as all who see the run may see them."""

    def said_by(self, what: str, capability_id: str) -> list[str]:
        """The kinds of record that say this of a capability. Never their names: others read it too."""
        return sorted({kind for said, one, kind in self.spoken if (said, one) == (what, capability_id)})


def standing_of(policy: CapabilityPolicy, capability_id: str) -> Standing:
    """Denied anywhere is denied. A module that is to have none is denied all."""
    if policy.mode is CapabilityMode.none or capability_id in policy.denied:
        return Standing.denied
    if capability_id in policy.required:
        return Standing.required
    return Standing.allowed if capability_id in policy.allowed else Standing.outside


def standing_in(policy: CapabilityPolicy, capability: Row) -> Standing:
    """The same of a capability that is known: where it comes from and what it does can shut it out, too."""
    return Standing.denied if barred(policy, capability) else standing_of(policy, capability["id"])


def barred(policy: CapabilityPolicy, capability: Row) -> TaskloreError | None:
    """Why where a capability comes from, or what it does, keeps it from the module, whoever allows it by name."""
    name, server, connector = capability["name"], server_of(capability), connector_of(capability)
    if policy.servers is not None and server is not None and server not in policy.servers:
        return ServerNotAllowed(name, server)
    if policy.connectors is not None and connector is not None and connector not in policy.connectors:
        return ConnectorNotAllowed(name, connector)
    acts = capability.get("side_effect_classes")
    if acts and policy.side_effects is SideEffectPolicy.block_all_external_side_effects:
        return SideEffectsBlocked(name, acts)
    return None


def must_be_confirmed(policy: CapabilityPolicy, capability: Row) -> bool:
    """Whether a module has it only once a person has said so, also from the start."""
    confirms = policy.side_effects is SideEffectPolicy.allow_with_confirmation
    return confirms and bool(capability.get("side_effect_classes"))


def server_of(capability: Row) -> str | None:
    """The server that provides it; of one that is a server, what executors call it."""
    return _provider(capability, "mcp_server_ref", CapabilityKind.mcp_server)


def connector_of(capability: Row) -> str | None:
    return _provider(capability, "connector_ref", CapabilityKind.connector)


def _provider(capability: Row, field: str, kind: CapabilityKind) -> str | None:
    own = capability.get("source_key") if capability.get("capability_kind") == kind else None
    return capability.get(field) or own


def read_policy(links: Sequence[Row], policies: Sequence[Row]) -> CapabilityPolicy:
    """`links` are `{type, capability, holder, kind}`; `policies` those that hold, the most specific first."""
    modes = [CapabilityMode(one["capability_mode"]) for one in policies if one.get("capability_mode")]
    most = [one["max_added_capabilities"] for one in policies if one.get("max_added_capabilities") is not None]
    effects = [SideEffectPolicy(one["side_effect_policy"]) for one in policies if one.get("side_effect_policy")]
    bases = EVERY_BASIS
    for one in policies:
        bases &= frozenset(ExpansionBasis(basis) for basis in one.get("expansion_bases") or EVERY_BASIS)
    return CapabilityPolicy(
        mode=min(modes, key=_STRICTNESS.index, default=CapabilityMode.explicit),
        required=_of(links, "REQUIRES"),
        allowed=_of(links, "ALLOWS"),
        denied=_of(links, "DENIES"),
        expansion_enabled=not _says(policies, "expansion_enabled", False),
        bases=bases,
        max_added=min(most, default=None),
        ask_outside=not _says(policies, "capabilities_outside_allowlist_require_approval", False),
        ask_external=_says(policies, "external_side_effects_require_approval", True),
        emits_receipt=_unless_all_say_no(policies, "emit_expansion_receipt"),
        servers=_named_by_all(policies, "allowed_mcp_servers"),
        connectors=_named_by_all(policies, "connector_refs"),
        side_effects=min(effects, key=tuple(SideEffectPolicy).index, default=SideEffectPolicy.allow_if_non_duplicate),
        snapshot_required=_unless_all_say_no(policies, "snapshot_required"),
        spoken=tuple(sorted((one["type"], one["capability"], one["kind"]) for one in links)),
        policy_id=next((str(one["id"]) for one in policies), None),
    )


def policy_in(gathered: Row, run: Row, step: Row, at: str) -> CapabilityPolicy:
    """From what `cypher.CAPABILITY_POLICY` gathers for a run, with the module's key and type in `step`."""
    links, speaking = speaking_in(gathered, run, step, at)
    held: list[Row] = gathered["policies"]
    ids = {one["id"] for one in speaking}
    named = [one for one in speaking if may_be_named(one, run)]
    return replace(
        read_policy(links, speaking),
        preferred=frozenset(one for row in held if row["states"][0]["id"] in ids for one in row["preferred"]),
        policy_id=next((str(one["id"]) for one in named), None),
        policy_refs=tuple(f"{one['id']}@{one['version']}" for one in named),
    )


def speaking_in(gathered: Row, run: Row, step: Row, at: str) -> tuple[list[Row], list[Row]]:
    """All links that speak for a module, those of policies among them; and the policies that hold for it."""
    told = {"task_key": run.get("task_key"), "module_key": step["module_key"], "module_type": step.get("module_type")}
    held: list[Row] = gathered["policies"]
    holding = Policies([one["states"] for one in held]).holding(str(run.get("source")), run, told, at)
    speaking = [one for one in holding.policies if one["policy_kind"] == PolicyKind.capability]
    ids = {one["id"] for one in speaking}
    of_policies = (link for one in held for link in one["links"] if link["holder"] in ids)
    return [*gathered["links"], *of_policies], speaking


def _of(links: Iterable[Row], what: str) -> frozenset[str]:
    return frozenset(one["capability"] for one in links if one["type"] == what)


def _says(policies: Iterable[Row], name: str, value: bool) -> bool:
    return any(one.get(name) is value for one in policies)


def _unless_all_say_no(policies: Iterable[Row], name: str) -> bool:
    """Of those that speak of it. What is kept for people is given up only when nobody asks for it."""
    said = [one[name] for one in policies if one.get(name) is not None]
    return not said or any(said)


def _named_by_all(policies: Iterable[Row], name: str) -> frozenset[str] | None:
    """What every policy that names some has among them."""
    lists = [frozenset[str](one[name]) for one in policies if one.get(name)]
    return lists[0].intersection(*lists) if lists else None
