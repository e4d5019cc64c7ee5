"""The example of the specification: A says to check the PACER docket, and B was set up for legal research."""

import pytest

from service.commands import RecordRef
from tests.context.expansion.conftest import NEED, Bench

pytestmark = pytest.mark.slow

SAID = RecordRef(kind="Artifact", source="exec", key="run-1-said")


async def test_pacer_is_allowed_and_mounted_with_a_receipt(bench: Bench) -> None:
    module, pacer = await bench.begin(), await bench.capability("PACER docket search")
    await bench.link(module, "ALLOWS", pacer)
    assert await bench.has() == {}
    outcome = await bench.ask(pacer, because_of=SAID)
    [told] = outcome.result["outcomes"]
    assert told["explanation"] == "PACER docket search was added: it is allowed by Module."
    assert await bench.has() == {"PACER docket search": "added"}
    receipt = await bench.executor.one("ExpansionReceipt")
    assert (receipt["detected_need"], receipt["approval_required"]) == (NEED, False)
    rows = await bench.database.read(
        "MATCH (:ExpansionReceipt)-[r]-(n:Record) RETURN type(r) AS type, n.name AS name ORDER BY type, name"
    )
    assert [(row["type"], row["name"]) for row in rows] == [
        ("ADDED", "PACER docket search"),
        ("BECAUSE_OF", "What A said"),
        ("EXPANDED", "B #1"),
        ("HAS_EXPANSION", "run-1"),
        ("HELD_UNDER", "Capabilities of B #1"),
        ("HELD_UNDER", "Policies of B #1"),
    ]
    assert await bench.results(pacer) == ["already_mounted"]


async def test_pacer_is_not_allowed_and_refused(bench: Bench) -> None:
    await bench.begin()
    pacer = await bench.capability("PACER docket search")
    await bench.policy(task_key="legal-research", capabilities_outside_allowlist_require_approval=False)
    assert await bench.results(pacer) == ["validation.runtime_expansion_outside_allowlist"]
    assert await bench.has() == {}
    rows = await bench.database.read("MATCH (:ExpansionReceipt)-[:BLOCKED]->(c:Capability) RETURN c.id AS id")
    assert [row["id"] for row in rows] == [pacer]


async def test_pacer_is_not_allowed_and_waits_for_approval(bench: Bench) -> None:
    await bench.begin()
    pacer = await bench.capability("PACER docket search")
    await bench.policy(task_key="legal-research", capabilities_outside_allowlist_require_approval=True)
    [asked] = (await bench.ask(pacer)).result["outcomes"]
    assert asked["result"] == "approval_required"
    assert await bench.has() == {}
    gate = await bench.executor.one("Gate")
    assert (gate["gate_kind"], gate["status"], gate["id"]) == ("approval", "open", asked["gate_id"])
    again = (await bench.ask(pacer)).result["outcomes"]
    assert [again[0][name] for name in ("result", "gate_id")] == ["approval_required", gate["id"]]
    assert await bench.executor.count("Gate") == 1
    await bench.decide(asked["gate_key"], "approved")
    assert await bench.has() == {}
    outcome = await bench.ask(pacer)
    assert outcome.result["outcomes"][0]["result"] == "added"
    receipt = await bench.executor.one("ExpansionReceipt", id=outcome.result["id"])
    assert receipt["approval_ref"] == gate["id"]
    assert await bench.has() == {"PACER docket search": "added"}


async def test_pacer_is_denied_and_blocked_whatever_asks(bench: Bench) -> None:
    module, pacer = await bench.begin(), await bench.capability("PACER docket search")
    await bench.link(module, "REQUIRES", pacer)
    await bench.link(module, "ALLOWS", pacer)
    [asked] = (await bench.ask(pacer)).result["outcomes"]
    assert asked["result"] == "already_mounted"
    policy = await bench.policy()
    await bench.link(policy, "DENIES", pacer)
    outcome = await bench.ask(pacer)
    [told] = outcome.result["outcomes"]
    assert told["code"] == "validation.capability_denied_but_requested"
    assert told["explanation"] == "PACER docket search is denied by Policy. What is denied is never mounted."
    assert outcome.result["mounted"] == []
    assert await bench.has() == {}


async def test_a_denial_takes_back_what_was_added_and_what_was_approved(bench: Bench) -> None:
    module, pacer = await bench.begin(), await bench.capability("PACER docket search")
    [asked] = (await bench.ask(pacer)).result["outcomes"]
    await bench.decide(asked["gate_key"], "approved")
    assert await bench.results(pacer) == ["added"]
    await bench.link(module, "DENIES", pacer)
    assert await bench.has() == {}
    assert await bench.results(pacer) == ["validation.capability_denied_but_requested"]
