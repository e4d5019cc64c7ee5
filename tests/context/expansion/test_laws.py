"""Tightening a policy never gives a module more than before; what is denied is never had."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.context.words import CapabilityMode, ExpansionBasis, SideEffectPolicy
from service.context.expansion.policy import EVERY_BASIS, CapabilityPolicy, Standing, standing_in
from service.context.expansion.rules import ExpansionResult, Known, decide, mounted

IDS = ("a", "b", "c", "d")
SETS = st.frozensets(st.sampled_from(IDS))
REFS = st.none() | st.frozensets(st.sampled_from(("x", "y")))
STATES = st.sampled_from([None, "up", "down", "authorisation_missing"])


@st.composite
def policies(draw: st.DrawFn) -> CapabilityPolicy:
    return CapabilityPolicy(
        mode=draw(st.sampled_from(CapabilityMode)),
        required=draw(SETS),
        allowed=draw(SETS),
        denied=draw(SETS),
        expansion_enabled=draw(st.booleans()),
        bases=draw(st.sampled_from([EVERY_BASIS, frozenset({ExpansionBasis.failure_recovery})])),
        max_added=draw(st.none() | st.integers(0, 4)),
        ask_outside=draw(st.booleans()),
        ask_external=draw(st.booleans()),
        servers=draw(REFS),
        connectors=draw(REFS),
        side_effects=draw(st.sampled_from(SideEffectPolicy)),
    )


@st.composite
def tightened(draw: st.DrawFn, policy: CapabilityPolicy) -> CapabilityPolicy:
    """One step stricter than before, or several."""
    most = policy.max_added if policy.max_added is not None else len(IDS)
    return replace(
        policy,
        denied=policy.denied | draw(SETS),
        allowed=policy.allowed - draw(SETS),
        required=policy.required - draw(SETS),
        max_added=draw(st.sampled_from([policy.max_added, draw(st.integers(0, most))])),
        expansion_enabled=policy.expansion_enabled and draw(st.booleans()),
        ask_outside=policy.ask_outside and draw(st.booleans()),
        ask_external=policy.ask_external or draw(st.booleans()),
        mode=draw(st.sampled_from([policy.mode, CapabilityMode.none])),
        servers=_fewer(policy.servers, draw(REFS)),
        connectors=_fewer(policy.connectors, draw(REFS)),
        side_effects=min(policy.side_effects, draw(st.sampled_from(SideEffectPolicy)), key=[*SideEffectPolicy].index),
    )


def _fewer(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    return one & other if one is not None and other is not None else one if other is None else other


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[dict[str, Any]], frozenset[str], dict[str, Any]]:
    capabilities = [
        {
            "id": one,
            "name": one.upper(),
            "state": draw(STATES),
            "state_at_start": draw(STATES),
            "lifecycle_state": draw(st.sampled_from(["active", "active", "archived"])),
            "side_effect_classes": draw(st.sampled_from([[], ["external_send"]])),
            "mcp_server_ref": draw(st.sampled_from([None, "x", "z"])),
            "connector_ref": draw(st.sampled_from([None, "y"])),
        }
        for one in IDS
    ]
    gates = {
        one: {"id": f"gate_{one}", "status": draw(st.sampled_from(["open", "approved", "rejected"]))}
        for one in draw(SETS)
    }
    return capabilities, draw(SETS), gates


def _had(policy: CapabilityPolicy, wanted: list[str], world: Any) -> set[str]:
    """All that the module has after the wish."""
    capabilities, added, gates = world
    known = Known(mounted(policy, capabilities, added), added, gates)
    listed = {one["id"]: one for one in capabilities}
    found = decide(policy, ExpansionBasis.failure_recovery, [listed[one] for one in wanted], known)
    return {*known.mounted, *(one.capability["id"] for one in found if one.result is ExpansionResult.added)}


@given(st.data(), policies(), st.permutations(IDS), worlds())
def test_tightening_never_adds_a_capability(
    data: st.DataObject, policy: CapabilityPolicy, wanted: list[str], world: Any
) -> None:
    stricter = data.draw(tightened(policy))
    assert _had(stricter, wanted, world) <= _had(policy, wanted, world)


@given(policies(), st.permutations(IDS), worlds())
def test_what_is_denied_is_never_had_whatever_was_added_or_approved(
    policy: CapabilityPolicy, wanted: list[str], world: Any
) -> None:
    had = _had(policy, wanted, world)
    denied = {one["id"] for one in world[0] if standing_in(policy, one) is Standing.denied}
    assert not had & denied
