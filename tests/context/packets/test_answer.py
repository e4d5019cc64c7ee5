"""What a packet tells beside its items: whose it is, what came from where, and what the module's policy prefers."""

from typing import Any

import pytest

from service.context.packets.answer import answer_of
from tests.context.packets.world import Bench, asking, given, why

pytestmark = pytest.mark.slow

LONG_AGO = "2020-01-01T00:00:00.000Z"


async def _policy(bench: Bench, **values: Any) -> str:
    given = {"policy_kind": "capability", "valid_from": LONG_AGO, "module_key": "draft", **values}
    return await bench.add("Policy", "Policy", **given)


async def test_a_packet_names_its_step_its_surfaces_and_where_its_sources_are_kept(bench: Bench) -> None:
    complaint = await bench.add("Entity", "Complaint", kind="document", storage_ref="dms://complaint")
    chat = await bench.add("SurfaceContext", "Chat", surface_kind="chat")
    run = await bench.run()
    bound = {complaint: "explicit_task_scope", chat: "selected_surface_context"}
    await bench.scope(run, bound, launch_surface="chat", surface_context_policy="explicit_selected")
    preview, stored = answer_of(await bench.preview(asking(run))), answer_of(await bench.assemble(asking(run)))
    assert (stored.run_id, stored.module_key, stored.activation_seq) == (run, "draft", 1)
    assert (stored.module_type, stored.surface_context_policy) == ("step.agent_task", "explicit_selected")
    assert stored.source_refs == ("dms://complaint",)
    assert stored.surface_context_refs == (chat,)
    assert stored.surface_context_reason
    await bench.records.save(await bench.viewer(), "Entity", {"storage_ref": "dms://moved"}, record_id=complaint)
    again = answer_of(await bench.assemble(asking(run)))
    assert (again.source_refs, again.surface_context_refs) == (stored.source_refs, stored.surface_context_refs)
    assert (preview.source_refs, preview.id) == (stored.source_refs, None)


async def test_who_may_not_see_a_document_is_not_told_where_it_is_kept(bench: Bench) -> None:
    secret = await bench.add("Entity", "Secret", kind="document", storage_ref="dms://secret", data_class="privileged")
    run = await bench.run()
    await bench.scope(run, {secret: "explicit_task_scope"}, visibility_ceiling="privileged", data_class="public")
    packet = await bench.assemble(asking(run))
    assert answer_of(packet).source_refs == ("dms://secret",)
    await bench.database.run_alone("MATCH (p:ContextPacket) SET p.audience = 'internal|'")
    stranger = await bench.viewer(principal_id="prin_other", matters=[], clearance="internal")
    assert packet.id
    assert answer_of(await bench.packets.reads.stored(stranger, packet.id)).source_refs == ()


async def test_a_procedure_that_the_policy_prefers_needs_no_likeness_and_comes_first(bench: Bench) -> None:
    far = await bench.add("Procedure", "Filing", statement="How boxes are stored in the cellar.")
    await bench.add("Procedure", "Evaluating", statement="Evaluate the complaint against the exhibits, line by line.")
    run = await bench.run()
    await bench.scope(run)
    await bench.embed()
    assert why(await bench.preview(asking(run)))["Filing"] == "low_relevance"
    await bench.link(await _policy(bench), "PREFERS", far)
    packet = await bench.preview(asking(run))
    assert given(packet)[:1] == ["Filing"]
    assert packet.items[0].explanation == "The module's policy prefers it."


async def test_a_tool_is_kept_out_where_its_server_is_not_named_or_its_effects_are_not_confirmed(bench: Bench) -> None:
    scrape = await bench.add("Capability", "Scrape", capability_kind="tool", mcp_server_ref="web")
    mail = await bench.add("Capability", "Mail", capability_kind="tool", side_effect_classes=["external_send"])
    policy = await _policy(bench)
    for one in (scrape, mail):
        await bench.link(policy, "ALLOWS", one)
    run = await bench.run()
    await bench.scope(run)
    assert set(given(await bench.preview(asking(run)))) == {"Scrape", "Mail"}
    values = {"allowed_mcp_servers": ["courts"], "side_effect_policy": "allow_with_confirmation"}
    await bench.records.save(await bench.viewer(), "Policy", values, record_id=policy)
    packet = await bench.preview(asking(run))
    assert (given(packet), why(packet)) == ([], dict.fromkeys(("Scrape", "Mail"), "module_config_denied"))
    told = {one.name: one.message for one in packet.excluded}
    assert "confirmed" in told["Mail"]


async def test_the_capabilities_that_held_are_kept_unless_the_policy_does_without(bench: Bench) -> None:
    policy = await _policy(bench, module_key=None)
    run = await bench.run(modules=("draft", "other"))
    await bench.scope(run)
    await bench.assemble(asking(run))
    await bench.records.save(await bench.viewer(), "Policy", {"snapshot_required": False}, record_id=policy)
    await bench.assemble(asking(run, module_key="other"))
    rows = await bench.database.read(
        "MATCH (p:ContextPacket)-[:HELD_UNDER]->(s) RETURN p.module_key AS module, s.snapshot_kind AS kind, "
        "s.policy_refs AS refs ORDER BY module, kind"
    )
    assert [(row["module"], row["kind"]) for row in rows] == [
        ("draft", "capability"),
        ("draft", "policy"),
        ("other", "policy"),
    ]
    assert rows[1]["refs"] == [f"{policy}@1"]
