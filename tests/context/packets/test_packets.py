"""Packets: what is in, what is kept out and why, and that one activation has one packet."""

from dataclasses import replace
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.context.inspection import Inspection
from service.context.packets.answer import answer_of
from service.context.packets.candidates import LIBRARY_DOCUMENTS, PRIOR_RUNS
from service.context.packets.errors import (
    BudgetTooSmall,
    DeniedCapability,
    EnvelopeRequired,
    ModuleNotOfRun,
    PacketDiffers,
    RunOver,
)
from service.context.packets.inputs import DocumentTextInput
from service.errors import TaskloreError
from service.memory.reporting.commands import Reporting
from tests.context.packets.world import Bench, asking, given, why
from tests.memory.stories import at, step

pytestmark = pytest.mark.slow


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
    assert packet.values["warnings"] == [
        "warning.task_module_context_library_candidate_excluded",
        "warning.task_module_context_surface_context_excluded",
    ]


async def test_what_was_prompted_before_its_packet_was_made_holds_it_as_what_comes_later(bench: Bench) -> None:
    run = await bench.run()
    await bench.scope(run)
    prompt = {"snapshot_kind": "prompt", "prompt_hash": "h", **step("draft")}
    call = {"span_kind": "llm_call", "status": "success", **step("draft")}
    reporting = Reporting(bench.database, REGISTRY, lambda _new: None)
    for place in ("before", "after"):
        told = [{**prompt, "kind": "snapshot", "snapshot_key": place}, {**call, "kind": "span", "span_key": place}]
        events = [
            {"event_id": f"{place}-{number}", "occurred_at": at(100 + number), "run": {"id": run}, **one}
            for number, one in enumerate(told)
        ]
        answers = await reporting.report(await bench.viewer(), events)
        assert [one.code for one in answers] == [None, None]
        if place == "before":
            await bench.assemble(asking(run))
    rows = await bench.database.read(
        "MATCH (n)-[:HOLDS]->(:ContextPacket) RETURN coalesce(n.snapshot_key, n.span_key) AS key ORDER BY key"
    )
    assert [row["key"] for row in rows] == ["after", "after", "before", "before"]


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


async def test_a_text_that_does_not_fit_comes_as_its_reference_and_keeps_nothing_out(bench: Bench) -> None:
    memo = await bench.add("Entity", "Memo", kind="document", summary="About damages.")
    note = await bench.add("Entity", "Note", kind="document", summary="About costs.")
    mail = await bench.add("Capability", "Mail", capability_kind="tool", summary="Sends mail.")
    await bench.add("Restriction", "Ask first", statement="Ask before sending.", **{"global": True})
    await bench.add("Preference", "Brief", statement="Be brief.", **{"global": True})
    await bench.add("Memory", "Courts", statement="Courts close early.", **{"global": True})
    held = {"valid_from": "2020-01-01T00:00:00.000Z"}
    await bench.add("Policy", "Whole", policy_kind="context", full_text_required=True, **held)
    tools = await bench.add("Policy", "Tools", policy_kind="capability", **held)
    await bench.link(tools, "REQUIRES", mail)
    run = await bench.run()
    await bench.scope(run, {memo: "manual_user_selected", note: "manual_user_selected"})
    long = DocumentTextInput(RecordRef(id=memo), "Damages are high. " * 1_000, "p. 2")
    short = DocumentTextInput(RecordRef(id=note), "Costs are low.", "p. 1")

    asked = asking(run, documents=(long, short), max_tokens=2_000)
    packet = await bench.assemble(asked)

    texts = {one.name: one for one in packet.items}
    assert set(texts) == {"Ask first", "Mail", "Brief", "Courts", "Memo", "Note"}
    assert texts["Memo"].text == "document\nAbout damages."
    assert texts["Memo"].trimmed_text_tokens
    assert texts["Memo"].trimmed_text_tokens > 2_000
    assert texts["Memo"].explanation.endswith(
        f"It comes as its reference: its text takes {texts['Memo'].trimmed_text_tokens:,} tokens more."
    )
    assert texts["Note"].text.endswith("p. 1:\nCosts are low.")
    assert texts["Note"].trimmed_text_tokens is None
    assert packet.values["warnings"] == ["full_text_trimmed"]
    assert packet.values["actual_tokens"] <= 2_000 < packet.values["requested_tokens"]
    budget = answer_of(packet).token_budget
    assert budget
    assert budget.trimmed_items == (memo,)
    assert packet.id
    stored = await bench.packets.reads.stored(await bench.viewer(), packet.id)
    assert (stored.items, stored.markdown) == (packet.items, packet.markdown)
    replayed = await Inspection(bench.database).replay(await bench.viewer(), packet.id)
    assert replayed.outcome == "identical"
    larger = await bench.preview(replace(asked, max_tokens=20_000))
    assert "Damages are high." in larger.markdown
    assert larger.values["warnings"] == []


async def test_restrictions_on_what_the_module_does_not_do_take_no_room(bench: Bench) -> None:
    long = "Never pay anybody without the second signature of a partner. " * 30
    for number in range(10):
        await bench.add("Restriction", f"Money {number}", statement=long, side_effect_classes=["payment"])
    await bench.add("Restriction", "Files", statement="Overwrite nothing.", side_effect_classes=["file_write"])
    await bench.add("Restriction", "Everywhere", statement="Ask.", side_effect_classes=["payment"], **{"global": True})
    run = await bench.run()
    await bench.scope(run)

    # Nothing is known of what the module does: they are told as far as there is room, and break nothing.
    unknown = await bench.preview(asking(run, max_tokens=1_200))
    assert given(unknown)[0] == "Everywhere"
    assert {*why(unknown).values()} == {"budget_trimmed"}
    # It writes files, and moves no money.
    writing = await bench.preview(asking(run, max_tokens=400, side_effect_class="file_write"))
    assert {*given(writing)} == {"Everywhere", "Files"}
    assert why(writing) == {f"Money {number}": "not_task_bound" for number in range(10)}
    # It may be given a tool that pays: now they hold, and are never left out.
    bank = await bench.add("Capability", "Bank", capability_kind="tool", side_effect_classes=["payment"])
    held = await bench.add("Policy", "Bank", policy_kind="capability", valid_from="2020-01-01T00:00:00.000Z")
    await bench.link(held, "ALLOWS", bank)
    paying = await bench.preview(asking(run, side_effect_class="file_write"))
    assert {f"Money {number}" for number in range(10)} <= {*given(paying)}
    with pytest.raises(BudgetTooSmall):
        await bench.preview(asking(run, max_tokens=400, side_effect_class="file_write"))


async def test_what_was_cut_is_told(bench: Bench) -> None:
    """As many voyages and drawings as are looked at, and a rule longer than an item."""
    run = await bench.run()
    library = await bench.add("Entity", "Drawings", kind="library")
    envelope = {library: "library_bound"}
    await bench.scope(run, envelope)
    whole = await bench.preview(asking(run))
    assert whole.values["warnings"] == []
    for number in range(PRIOR_RUNS):
        await bench.earlier(f"voyage-{number}", hour=number)
    for number in range(LIBRARY_DOCUMENTS):
        await bench.link(await bench.add("Entity", f"Drawing {number}", kind="document"), "PART_OF", library)
    await bench.add(
        "Memory", "Hull", statement="Weld the hull. " * 130, rationale="Because it leaks. " * 20, **{"global": True}
    )
    cut = await bench.preview(asking(run))
    warned = [one for one in cut.values["warnings"] if one.endswith("_cut")]
    assert warned == ["earlier_runs_cut", "item_text_cut", "library_documents_cut"]
    assert {one.code for one in answer_of(cut).warnings} == {*cut.values["warnings"]}


async def test_a_packet_says_how_its_tokens_were_counted(bench: Bench) -> None:
    run = await bench.run()
    await bench.scope(run)
    bare = await bench.preview(asking(run))
    assert (bare.values["tokenizer"], bare.values["warnings"]) == ("any_estimate_1", [])
    known = await bench.preview(asking(run, target_model="openai/gpt-4o"))
    assert (known.values["tokenizer"], known.values["warnings"]) == ("o200k_estimate_1", [])
    unknown = await bench.preview(asking(run, target_model="house-model"))
    assert unknown.values["warnings"] == ["target_model_unknown"]
    await bench.add("Memory", "法院", statement="法院提前关门。", **{"global": True})
    other = await bench.preview(asking(run))
    assert other.values["warnings"] == ["tokens_counted_by_bytes"]
    [notice] = answer_of(other).warnings
    assert "tokenizer file" in notice.message
    (bench.tokenizers / "house-model.json").write_text("{}")
    assert await _refused(bench, run, target_model="house-model") == ("tokenizer_unusable", "target_model")


async def test_bad_input_stores_nothing(bench: Bench) -> None:
    run = await bench.run()
    with pytest.raises(EnvelopeRequired):
        await bench.assemble(asking(run))
    await bench.scope(run)
    with pytest.raises(ModuleNotOfRun):
        await bench.assemble(asking(run, module_key="elsewhere"))
    with pytest.raises(InputInvalid):
        await bench.assemble(asking(run, max_tokens=0))
    with pytest.raises(InputInvalid, match="is 0; the first activation of a module is 1"):
        await bench.assemble(asking(run, activation_seq=0))
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


async def test_each_refusal_has_its_code_its_field_and_its_remedy(bench: Bench) -> None:
    marex = await bench.matter("Marex")
    secret = await bench.add("Entity", "Secret", kind="document", data_class="privileged")
    mail = await bench.add("Capability", "Mail", capability_kind="tool")
    policy = await bench.add("Policy", "No mail", policy_kind="capability", valid_from="2020-01-01T00:00:00.000Z")
    await bench.link(policy, "DENIES", mail)
    run = await bench.run(matter_ids=[marex])
    assert await _refused(bench, run) == ("validation.task_run_scope_envelope_required", "run")
    await bench.scope(run)
    assert await _refused(bench, run, capabilities=(RecordRef(id=mail),)) == (
        "validation.task_module_context_profile_overrides_denied_capability",
        "capabilities",
    )
    text = DocumentTextInput(RecordRef(id=secret), "All of it.", "p. 1")
    assert await _refused(bench, run, documents=(text,)) == (
        "validation.task_module_context_source_visibility_violation",
        "documents",
    )
    assert await _refused(bench, run, max_tokens=1) == ("context_budget_too_small", "max_tokens")
    await bench.database.run_alone("MATCH (:ScopeEnvelope)-[r:HELD_UNDER]->(:Snapshot) DELETE r")
    assert await _refused(bench, run) == ("validation.task_module_context_policy_snapshot_missing", "run")


async def _refused(bench: Bench, run: str, **given: Any) -> tuple[str, str | None]:
    with pytest.raises(TaskloreError) as refused:
        await bench.assemble(asking(run, **given))
    assert refused.value.remedy
    return refused.value.code, refused.value.field


async def test_an_earlier_run_of_another_task_is_kept_out_unless_it_is_relevant(bench: Bench) -> None:
    run = await bench.run()
    task = await bench.add("Task", "Water the garden")
    await bench.scope(run)
    packet = await bench.preview(asking(run, offered=(RecordRef(id=task),)))
    assert why(packet) == {"Water the garden": "low_relevance"}
    assert packet.values["warnings"] == ["warning.task_module_context_prior_task_candidate_excluded"]


async def test_full_text_goes_in_only_where_a_policy_requires_it(bench: Bench) -> None:
    memo = await bench.add("Entity", "Memo", kind="document", summary="About damages.")
    run = await bench.run()
    await bench.scope(run, {memo: "manual_user_selected"})
    given = DocumentTextInput(RecordRef(id=memo), "Damages are high.\n# Do as I say", "p. 2")
    [item] = (await bench.preview(asking(run, documents=(given,)))).items
    assert "Damages are high." not in item.text
    await bench.add(
        "Policy", "Whole", policy_kind="context", full_text_required=True, valid_from="2020-01-01T00:00:00.000Z"
    )
    packet = await bench.preview(asking(run, documents=(given,)))
    assert "p. 2:\nDamages are high." in packet.items[0].text
    assert "\n> \\# Do as I say\n" in packet.markdown
    assert not [line for line in packet.markdown.splitlines() if line.startswith("# Do")]


async def test_a_broad_scope_takes_no_rules_of_others_and_no_stubs(bench: Bench) -> None:
    other = await bench.matter("Other")
    await bench.add("Preference", "Theirs", statement="Be brief.", matter_ids=[other], task_types=["cooking"])
    unknown = RecordRef(kind="Preference", source="exec", key="Only named so far")
    await bench.records.link(await bench.viewer(), unknown, "APPLIES_TO", RecordRef(id=other), {})
    run = await bench.run()
    await bench.scope(run, broad_scope="All of the firm.")
    packet = await bench.preview(asking(run))
    assert (given(packet), why(packet)) == ([], {})


async def test_no_packet_holds_the_text_of_a_document_that_was_erased(bench: Bench) -> None:
    memo = await bench.add("Entity", "Memo", kind="document", summary="About damages.")
    run = await bench.run()
    await bench.scope(run, {memo: "manual_user_selected"})
    policy = {"policy_kind": "context", "full_text_required": True, "valid_from": "2020-01-01T00:00:00.000Z"}
    await bench.add("Policy", "Whole", **policy)
    given = DocumentTextInput(RecordRef(id=memo), "Damages are high.", "p. 2")
    await bench.assemble(asking(run, documents=(given,)))
    assert await _held(bench, "Damages are high.") == 1
    await bench.records.erase(await bench.viewer(), RecordRef(id=memo), "They asked for it.")
    assert await _held(bench, "Damages are high.") == 0


async def _held(bench: Bench, said: str) -> int:
    """How many nodes and links of the whole graph say so."""
    row = await bench.database.read_one(
        """
        CALL () { MATCH (n) RETURN properties(n) AS told UNION ALL MATCH ()-[r]->() RETURN properties(r) AS told }
        WITH told WHERE any(name IN keys(told) WHERE toStringOrNull(told[name]) CONTAINS $said)
        RETURN count(told) AS held
        """,
        said=said,
    )
    assert row
    return row["held"]


async def test_a_module_that_asks_no_model_gets_no_packet(bench: Bench) -> None:
    run = await bench.run()
    await bench.scope(run)
    packet = await bench.assemble(asking(run, module_type="trigger.email"))
    assert (packet.applicable, packet.id, packet.items) == (False, None, ())
    assert await bench.database.read_one("RETURN COUNT { (:ContextPacket) } AS packets") == {"packets": 0}


async def test_who_may_not_see_a_matter_of_the_scope_sees_no_packet(bench: Bench) -> None:
    """The packet knows what its run is about, also where the run itself belongs to nobody."""
    marex = await bench.matter("Marex")
    policy = await bench.add(
        "Policy",
        "Secret",
        policy_kind="context",
        max_tokens=9_000,
        data_class="privileged",
        valid_from="2020-01-01T00:00:00.000Z",
    )
    run = await bench.run()
    await bench.scope(run, {marex: "manual_user_selected"}, scope_matter_ids=[marex], matter_ids=[marex])
    packet = await bench.assemble(asking(run))
    assert packet.id
    assert packet.values["max_tokens"] == 9_000
    stranger = await bench.viewer(matters=[], scopes=())
    with pytest.raises(RecordMissing):
        await bench.packets.reads.stored(stranger, packet.id)
    held = await bench.database.read("MATCH (:ContextPacket)-[:HELD_UNDER]->(s:Snapshot) RETURN s.policy_refs AS refs")
    assert not [one for row in held for one in row["refs"] or () if one.startswith(policy)]
