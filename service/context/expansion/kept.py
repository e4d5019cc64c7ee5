"""What decided about a wish, as its receipt keeps it: a replay decides from this alone.

Ids, words and states, no names: whoever replays it sees what things are called now, or does not see them at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from graph_schema.context.words import ExpansionBasis
from graph_schema.model.fields import OPAQUE_LENGTH
from service.context.expansion import rules
from service.context.expansion.policy import connector_of, read_policy, server_of
from service.context.expansion.rules import Decision, Known

Row = Mapping[str, Any]
_OF_POLICY = (
    *("id", "version", "capability_mode", "expansion_enabled", "expansion_bases", "max_added_capabilities"),
    *("capabilities_outside_allowlist_require_approval", "external_side_effects_require_approval"),
    *("emit_expansion_receipt", "allowed_mcp_servers", "connector_refs", "side_effect_policy", "snapshot_required"),
)
_OF_CAPABILITY = ("id", "state", "state_at_start", "lifecycle_state", "side_effect_classes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A wish for capabilities with all that is weighed: links that speak, policies that hold, what is known."""

    basis: ExpansionBasis
    wanted: Sequence[str]
    links: Sequence[Row]
    policies: Sequence[Row]
    capabilities: Sequence[Row]
    added: Sequence[str]
    gates: Mapping[str, Row]

    @property
    def ids(self) -> set[str]:
        """All that it speaks of: holders, policies, capabilities."""
        holders = {one["holder"] for one in self.links} | {one["id"] for one in self.policies}
        return holders | {one["id"] for one in self.capabilities} | {*self.wanted}

    def named(self, names: Mapping[str, str]) -> "Wish":
        told = [{**one, "name": names[one["id"]]} for one in self.capabilities]
        return replace(self, capabilities=told)

    def decided(self) -> list[Decision]:
        policy, listed = read_policy(self.links, self.policies), {one["id"]: one for one in self.capabilities}
        added = frozenset(self.added)
        known = Known(rules.mounted(policy, self.capabilities, added), added, self.gates)
        return rules.decide(policy, self.basis, [listed[one] for one in self.wanted], known)

    def text(self) -> str | None:
        """As it is kept; none of one that is longer than can be kept."""
        told = {
            "basis": self.basis.value,
            "wanted": [*self.wanted],
            "links": [[one["type"], one["capability"], one["holder"], one["kind"]] for one in self.links],
            "policies": [_some(one, _OF_POLICY) for one in self.policies],
            "capabilities": [_capability(one) for one in self.capabilities],
            "added": sorted(self.added),
            "gates": {key: {"id": one["id"], "status": one["status"]} for key, one in self.gates.items()},
        }
        text = orjson.dumps(told, option=orjson.OPT_SORT_KEYS).decode()
        return text if len(text) <= OPAQUE_LENGTH else None


def wish_of(text: str) -> Wish:
    told: dict[str, Any] = orjson.loads(text)
    names = ("type", "capability", "holder", "kind")
    return Wish(
        basis=ExpansionBasis(told["basis"]),
        wanted=told["wanted"],
        links=[dict(zip(names, one, strict=True)) for one in told["links"]],
        policies=told["policies"],
        capabilities=told["capabilities"],
        added=told["added"],
        gates=told["gates"],
    )


def _some(row: Row, names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names if row.get(name) is not None}


def _capability(row: Row) -> dict[str, Any]:
    """Where it comes from is told outright, so that what it is called need not be kept."""
    found = {"mcp_server_ref": server_of(row), "connector_ref": connector_of(row)}
    return {**_some(row, _OF_CAPABILITY), **_some(found, tuple(found))}
