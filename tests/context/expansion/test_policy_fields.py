"""What a capability policy says of servers, connectors, side effects, procedures and receipts, and that it holds."""

from typing import Any

import pytest

from graph_schema.context.words import SideEffectPolicy
from service.context.expansion import CapabilityPolicy, Standing, read_policy
from service.context.expansion.policy import barred, standing_in
from service.errors import TaskloreError
from tests.context.expansion.conftest import Bench
from tests.viewers import viewer_of

SEND: dict[str, Any] = {"side_effect_classes": ["external_send"]}


def test_of_several_policies_the_strictest_holds() -> None:
    policy = read_policy([], [
        {"id": "pol_1", "allowed_mcp_servers": ["files", "courts"], "side_effect_policy": "allow_with_confirmation",
         "emit_expansion_receipt": False, "snapshot_required": False},
        {"id": "pol_2", "allowed_mcp_servers": ["courts", "mail"], "connector_refs": ["outlook"],
         "side_effect_policy": "allow_if_non_duplicate", "emit_expansion_receipt": True},
        {"id": "pol_3", "allowed_mcp_servers": []},
    ])  # fmt: skip
    assert (policy.servers, policy.connectors) == (frozenset({"courts"}), frozenset({"outlook"}))
    assert policy.side_effects is SideEffectPolicy.allow_with_confirmation
    assert (policy.emits_receipt, policy.snapshot_required) == (True, False)
    silent = read_policy([], [])
    assert (silent.servers, silent.connectors, silent.emits_receipt, silent.snapshot_required) == (
        None,
        None,
        True,
        True,
    )
    assert silent.side_effects is SideEffectPolicy.allow_if_non_duplicate


@pytest.mark.parametrize(
    ("capability", "code"),
    [
        ({"mcp_server_ref": "mail"}, "mcp_server_not_allowed"),
        ({"capability_kind": "mcp_server", "source_key": "mail"}, "mcp_server_not_allowed"),
        ({"capability_kind": "tool", "source_key": "mail"}, None),
        ({"mcp_server_ref": "courts"}, None),
        ({"connector_ref": "gmail"}, "connector_not_allowed"),
        ({"capability_kind": "connector", "source_key": "outlook"}, None),
        (SEND, "side_effects_blocked"),
    ],
)
def test_where_a_capability_comes_from_and_what_it_does_can_shut_it_out(
    capability: dict[str, Any], code: str | None
) -> None:
    policy = CapabilityPolicy(
        required=frozenset({"cap"}),
        servers=frozenset({"courts"}),
        connectors=frozenset({"outlook"}),
        side_effects=SideEffectPolicy.block_all_external_side_effects,
    )
    known = {"id": "cap", "name": "Cap", **capability}
    found = barred(policy, known)
    assert (found.code if found else None) == code
    assert standing_in(policy, known) is (Standing.denied if code else Standing.required)


@pytest.mark.slow
async def test_only_capabilities_of_named_servers_and_connectors_are_mounted(bench: Bench) -> None:
    module = await bench.begin()
    ours = await bench.capability("Docket", mcp_server_ref="courts")
    theirs = await bench.capability("Scrape", mcp_server_ref="web")
    mail = await bench.capability("Mail", connector_ref="gmail")
    plain = await bench.capability("Plain")
    for one in (ours, theirs, mail, plain):
        await bench.link(module, "REQUIRES", one)
    assert set(await bench.has()) == {"Docket", "Scrape", "Mail", "Plain"}
    await bench.policy(module_key="B", allowed_mcp_servers=["courts"], connector_refs=["outlook"])
    assert set(await bench.has()) == {"Docket", "Plain"}
    assert await bench.results(theirs, mail) == ["mcp_server_not_allowed", "connector_not_allowed"]
    told = await bench.capabilities()
    assert (told.allowed_mcp_servers, told.connector_refs) == (("courts",), ("outlook",))
    assert set(told.denied) == {theirs, mail}


@pytest.mark.slow
async def test_what_acts_on_the_outside_world_is_blocked_or_waits_for_a_person_also_from_the_start(
    bench: Bench,
) -> None:
    module = await bench.begin()
    mail = await bench.capability("Mail", **SEND)
    await bench.link(module, "REQUIRES", mail)
    assert await bench.has() == {"Mail": "required"}
    await bench.policy(module_key="B", side_effect_policy="allow_with_confirmation")
    assert await bench.has() == {}
    [asked] = (await bench.ask(mail)).result["outcomes"]
    assert asked["result"] == "approval_required"
    await bench.decide(asked["gate_key"], "approved")
    assert await bench.results(mail) == ["added"]
    assert await bench.has() == {"Mail": "added"}
    await bench.policy(name="Hold", side_effect_policy="block_all_external_side_effects")
    assert await bench.has() == {}
    assert await bench.results(mail) == ["side_effects_blocked"]
    told = (await bench.capabilities()).side_effect_policy
    assert told is SideEffectPolicy.block_all_external_side_effects


@pytest.mark.slow
async def test_a_receipt_names_the_policies_that_decided_and_the_packet_that_the_module_had(bench: Bench) -> None:
    module, pacer = await bench.begin(), await bench.capability("PACER", mcp_server_ref="courts")
    other = await bench.capability("Other")
    policy = await bench.policy(module_key="B", capabilities_outside_allowlist_require_approval=False)
    await bench.link(module, "ALLOWS", pacer)
    await bench.database.run_alone(
        "MATCH (r:Run {source_key: 'run-1'}) CREATE (:ContextPacket:Record {run_id: r.id, module_key: 'B', "
        "activation_seq: 1, packet_generation_id: 'gen_7', audience: r.audience})"
    )
    assert await bench.results(pacer, other) == ["added", "validation.runtime_expansion_outside_allowlist"]
    receipt = await bench.executor.one("ExpansionReceipt")
    assert (receipt["policy_id"], receipt["packet_generation_id"]) == (policy, "gen_7")
    held = await bench.executor.one("Snapshot", snapshot_kind="policy")
    assert (held["decision_kind"], held["decision"], held["policy_refs"]) == (
        "capability_mount",
        "degraded",
        [f"{policy}@1"],
    )
    assert held["reason_codes"] == ["validation.runtime_expansion_outside_allowlist"]
    capabilities = await bench.executor.one("Snapshot", snapshot_kind="capability")
    assert (capabilities["mounted_capabilities"], capabilities["mcp_server_refs"]) == ([pacer], ["courts"])
    rows = await bench.database.read("MATCH (:ExpansionReceipt)-[:HELD_UNDER]->(s) RETURN s.snapshot_kind AS kind")
    assert sorted(row["kind"] for row in rows) == ["capability", "policy"]


@pytest.mark.slow
async def test_a_policy_can_do_without_receipts_and_snapshots_but_what_is_added_stays_mounted(bench: Bench) -> None:
    module, pacer = await bench.begin(), await bench.capability("PACER")
    denied = await bench.capability("Denied")
    await bench.link(module, "ALLOWS", pacer)
    await bench.link(module, "DENIES", denied)
    policy = await bench.policy(module_key="B", snapshot_required=False)
    await bench.ask(denied)
    assert (await bench.executor.one("Snapshot"))["snapshot_kind"] == "policy"
    silence = {"emit_expansion_receipt": False}
    await bench.records.save(await viewer_of(bench.database), "Policy", silence, record_id=policy)
    nothing = (await bench.ask(denied)).result
    assert (nothing["id"], nothing["outcomes"][0]["result"]) == (None, "blocked")
    assert await bench.executor.count("ExpansionReceipt") == 1
    added = (await bench.ask(pacer)).result
    assert (await bench.has(), await bench.executor.count("Snapshot")) == ({"PACER": "added"}, 1)
    silent = await bench.executor.one("ExpansionReceipt", id=added["id"])
    assert (silent["detected_need"], silent["explanation"]) == ("", "")


@pytest.mark.slow
async def test_a_field_of_capabilities_stands_in_no_other_policy(bench: Bench) -> None:
    for values in ({"allowed_mcp_servers": ["x"]}, {"snapshot_required": True}, {"side_effect_policy": "draft"}):
        with pytest.raises(TaskloreError):
            await bench.new("Policy", name="Artifacts", policy_kind="artifact", **values)


@pytest.mark.slow
async def test_preferred_procedures_are_told_to_who_may_see_them(bench: Bench) -> None:
    await bench.begin()
    policy = await bench.policy(module_key="B")
    open_one = await bench.new("Procedure", name="Intake", statement="How filings are taken in.")
    closed = await bench.new("Procedure", name="Secret", statement="Hidden.", data_class="privileged")
    for one in (open_one, closed):
        await bench.link(policy, "PREFERS", one)
    assert set((await bench.capabilities()).preferred_procedure_ids) == {open_one, closed}
    seen = await bench.capabilities(principal_id="prin_other", matters=[], clearance="internal")
    assert seen.preferred_procedure_ids == (open_one,)
