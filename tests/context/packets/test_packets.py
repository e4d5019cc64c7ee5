"""Packets: what is in, what is kept out and why, and that one activation has one packet."""

import pytest

from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.context.packets.errors import (
    BudgetTooSmall,
    DeniedCapability,
    EnvelopeRequired,
    ModuleNotOfRun,
    PacketDiffers,
    RunOver,
)
from tests.context.packets.world import Bench, asking, given, why


async def test_what_is_bound_is_given_and_what_is_open_elsewhere_is_not(bench: Bench) -> None:
    marex = await bench.matter("Marex")
    other = await bench.matter("Narayanan")
    memo = await bench.add("Entity", "Exhibits", kind="source_set", matter_ids=[marex])
    await bench.add("Preference", "Issue matrix", statement="Use issue matrices.", task_types=["complaint_evaluation"])
    await bench.add("Preference", "Recipes", statement="Cook with less salt.", task_types=["cooking"])
    await bench.add("Preference", "Docket notes", statement="Monitor dockets.", matter_ids=[other])
    chat = await bench.add("SurfaceContext", "DOC73 spec review", surface_kind="chat")
    library = await bench.add("Entity", "CSA research", kind="library")
    await bench.link(chat, "SHOWS", library)
    run = await bench.run(matter_ids=[marex])
    await bench.scope(run, {marex: "email_bound", memo: "explicit_task_scope"}, scope_matter_ids=[marex])

    packet = await bench.assemble(asking(run))

    assert set(given(packet)) == {"Marex", "Exhibits", "Issue matrix"}
    assert why(packet) == {
        "DOC73 spec review": "surface_context_not_applicable",
        "CSA research": "wrong_library",
        "Recipes": "wrong_task_type",
    }
    assert packet.values["considered_count"] == 6
    assert packet.values["task_context_binding"] == "explicit_task_scope"
    assert "warning.task_module_context_library_candidate_excluded" in packet.values["warnings"]


async def test_one_activation_has_one_packet(bench: Bench) -> None:
    note = await bench.add("Memory", "Note", statement="Courts close early.", **{"global": True})
    run = await bench.run()
    await bench.scope(run)
    first = await bench.assemble(asking(run))
    await bench.records.save(await bench.viewer(), "Memory", {"statement": "Changed."}, record_id=note)

    again = await bench.assemble(asking(run))
    assert again.id == first.id
    assert again.items == first.items
    assert again.markdown == first.markdown
    with pytest.raises(PacketDiffers):
        await bench.assemble(asking(run, max_tokens=5_000))
    preview = await bench.preview(asking(run))
    assert [one.text for one in preview.items] == ["Changed."]


async def test_restrictions_are_never_trimmed(bench: Bench) -> None:
    await bench.add("Restriction", "Ask first", statement="Ask before sending.", **{"global": True})
    await bench.add("Memory", "Note", statement="Courts close early. " * 20, **{"global": True})
    run = await bench.run()
    await bench.scope(run)
    whole = await bench.preview(asking(run))
    assert given(whole) == ["Ask first", "Note"]
    less = await bench.preview(asking(run, max_tokens=whole.values["requested_tokens"] - 1))
    assert given(less) == ["Ask first"]
    assert why(less) == {"Note": "budget_trimmed"}
    assert "warning.task_module_context_relevant_memory_trimmed" in less.values["warnings"]
    with pytest.raises(BudgetTooSmall):
        await bench.preview(asking(run, max_tokens=10))


async def test_bad_input_stores_nothing(bench: Bench) -> None:
    run = await bench.run()
    with pytest.raises(EnvelopeRequired):
        await bench.assemble(asking(run))
    await bench.scope(run)
    with pytest.raises(ModuleNotOfRun):
        await bench.assemble(asking(run, module_key="elsewhere"))
    with pytest.raises(InputInvalid):
        await bench.assemble(asking(run, max_tokens=0))
    with pytest.raises(RecordMissing):
        await bench.assemble(asking(run, offered=(RecordRef(id="ent_missing"),)))
    with pytest.raises(RecordMissing):
        await bench.assemble(asking("run_missing"))
    mail = await bench.add("Capability", "Mail", capability_kind="tool")
    policy = await bench.add("Policy", "No mail", policy_kind="capability", valid_from="2020-01-01T00:00:00.000Z")
    await bench.link(policy, "DENIES", mail)
    with pytest.raises(DeniedCapability):
        await bench.assemble(asking(run, capabilities=(RecordRef(id=mail),)))
    row = await bench.database.read_one("RETURN COUNT { (:ContextPacket) } AS packets")
    assert row == {"packets": 0}


async def test_a_run_that_is_over_gets_no_more(bench: Bench) -> None:
    run = await bench.run()
    await bench.scope(run)
    await bench.database.run_alone("MATCH (r:Run {id: $id}) SET r.status = 'completed'", id=run)
    with pytest.raises(RunOver):
        await bench.assemble(asking(run))
