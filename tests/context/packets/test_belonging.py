"""What belongs in a packet: what is kept out with what it is in, what a broad scope opens, earlier runs, libraries."""

from dataclasses import replace
from typing import Any

import pytest

from graph_schema.context.words import TriggerKind
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.context.inspection import Inspection
from service.context.inspection.bleed import BleedQuestion
from service.context.packets.inputs import ContextPort, PortInputInput
from service.context.packets.packet import Packet
from service.context.scope import RunScopeInput, ScheduleEvidenceInput, Scopes, TriggerEvidenceInput
from service.library.blueprints import BlueprintInput, PartInput
from service.library.commands import Library
from tests.context.packets.world import Bench, asking, given, why

pytestmark = pytest.mark.slow
EVER: dict[str, Any] = {"global": True}
UNLIKE = "Kettles are descaled with vinegar on Sundays."
"""Nothing that a module which evaluates complaints does."""


def refs(*ids: str) -> tuple[RecordRef, ...]:
    return tuple(RecordRef(id=one) for one in ids)


async def test_what_is_kept_out_takes_along_all_that_is_in_it(bench: Bench) -> None:
    marex, other = await bench.matter("Marex"), await bench.matter("Narayanan")
    library = await bench.add("Entity", "Old library", kind="library")
    folder = await bench.add("Entity", "Shelf", kind="folder")
    memo, exhibit, note, filed = [
        await bench.add("Entity", one, kind="document") for one in ("Memo", "Exhibit", "Note", "Filed")
    ]
    sources = await bench.add("Entity", "Sources", kind="source_set")
    chat = await bench.add("SurfaceContext", "Chat", surface_kind="chat")
    task = await bench.add("Task", "Docket watch", source="exec", source_key="watch")
    for tail, kind, head in (
        (folder, "PART_OF", library), (memo, "PART_OF", folder), (exhibit, "PART_OF", library),
        (exhibit, "PART_OF", sources), (filed, "PART_OF", sources), (chat, "SHOWS", note),
    ):  # fmt: skip
        await bench.link(tail, kind, head)
    await bench.add("Preference", "Of Narayanan", statement="Short dockets.", matter_ids=[other])
    await bench.add("Restriction", "Wall", statement="Tell nobody.", matter_ids=[other])
    await bench.earlier("watched", task="watch", matter_ids=[marex], workflow_summary="Evaluates the complaint.")
    bound = dict.fromkeys([memo, note, sources], "explicit_task_scope")
    port = PortInputInput(ContextPort.data, "Data", refs(exhibit))
    run = await bench.run(matter_ids=[marex, other])
    await bench.scope(run, bound, [library, other, chat, task], scope_matter_ids=[marex])
    packet = await bench.preview(asking(run, ports=(port,), offered=refs(folder)))
    assert set(given(packet)) == {"Marex", "Sources", "Wall"}  # hard rules can be kept from no module
    assert [("Filed" in one.text, "Exhibit" in one.text) for one in packet.items if one.name == "Sources"] == [
        (True, False)
    ]
    kept = why(packet)
    left = {"Memo", "Exhibit", "Note", "Shelf", "Of Narayanan", "watched", "Old library", "Narayanan", "Chat"}
    assert {name: kept.get(name) for name in left} == dict.fromkeys(left, "policy_blocked")
    # Without the exclusions the same are given, where something binds them.
    free = await bench.run("run-2", matter_ids=[marex, other])
    await bench.scope(free, bound, scope_matter_ids=[marex])
    found = await bench.preview(asking(free, ports=(port,)))
    assert {"Memo", "Exhibit", "Note", "Of Narayanan", "Wall", "watched"} <= {*given(found)}


async def _broad(
    bench: Bench, key: str, ask: Any = (), reaches: Any = (), viewer: Viewer | None = None, **values: Any
) -> Packet:
    run = await bench.run(key)
    declared: dict[str, Any] = {"broad_scope": "All of the firm.", **values}
    await bench.scope(run, reaches=reaches, **declared)
    return await bench.preview(asking(run, offered=refs(*ask)), viewer)


async def test_a_broad_scope_opens_what_it_declares_and_nothing_else(bench: Bench) -> None:
    marex, other = await bench.matter("Marex"), await bench.matter("Narayanan")
    for matter, name in ((marex, "Marex"), (other, "Narayanan")):
        await bench.add("Memory", f"Memory of {name}", statement=UNLIKE, matter_ids=[matter])
        await bench.add("WorkProduct", f"Brief of {name}", matter_ids=[matter])
        await bench.add("Restriction", f"Rule of {name}", statement="Tell nobody.", matter_ids=[matter])
        await bench.add("Preference", f"Wish of {name}", statement="Be brief.", matter_ids=[matter])
        await bench.earlier(f"Run of {name}", matter_ids=[matter])
    await bench.earlier("Still running", ended=False, matter_ids=[marex])
    await bench.earlier("Private", matter_ids=[marex], memory_mode="memory_incognito")
    library, shown = [await bench.add("Entity", one, kind="library") for one in ("Offered", "Shown")]
    chat = await bench.add("SurfaceContext", "Chat", surface_kind="chat")
    await bench.link(chat, "SHOWS", shown)
    never = {"Rule of Marex", "Wish of Marex", "Rule of Narayanan", "Wish of Narayanan", "Chat", "Shown", "Private"}

    of_marex = await _broad(bench, "b1", reaches=[marex])
    assert set(given(of_marex)) == {"Marex", "Memory of Marex", "Brief of Marex", "Run of Marex"}
    kinds = await _broad(bench, "b2", reaches=[marex], broad_kinds=["Run", "Task"])
    assert given(kinds) == ["Run of Marex"]
    # A kind and a span of time bound it; what it is about, the text says.
    kettles = "What is known of kettles and vinegar"
    span = await _broad(
        bench, "b3", broad_kinds=["Memory"], broad_since="2026-01-01T09:00:00.000Z", broad_scope=kettles
    )
    assert set(given(span)) == {"Memory of Marex", "Memory of Narayanan"}
    sailing = await _broad(bench, "b8", broad_kinds=["Memory"], broad_scope="What is known of sailing")
    assert given(sailing) == []
    assert given(await _broad(bench, "b4", broad_kinds=["Run"], broad_until="2026-01-01T09:00:00.000Z")) == []
    # Whoever may not see what is declared is given nothing instead.
    assert given(await _broad(bench, "b0", reaches=[marex], viewer=await bench.viewer(matters=[other]))) == []
    # With a text alone, the text decides.
    by_text = await _broad(bench, "b5", broad_scope=kettles)
    assert set(given(by_text)) == {"Memory of Marex", "Memory of Narayanan"}
    unlike = await _broad(bench, "b6", [library], broad_scope="What is known of sailing")
    assert given(unlike) == []
    assert why(unlike)["Offered"] == "low_relevance"
    # A library that nobody offered or declared stays shut, and one that was declared is open.
    assert why(by_text)["Shown"] == "wrong_library"
    assert given(await _broad(bench, "b7", [library], [library])) == ["Offered"]
    for packet in (of_marex, kinds, span, by_text, unlike):
        assert not never & {*given(packet)}
        assert "warning.task_module_context_broad_scope_declared" in packet.values["warnings"]


async def test_earlier_runs_are_over_remembered_and_before_this_one(bench: Bench) -> None:
    marex, other = await bench.matter("Marex"), await bench.matter("Narayanan")
    ours: dict[str, Any] = {"matter_ids": [marex]}
    for place in range(6):  # they would take all places
        await bench.earlier(f"Private {place}", memory_mode="memory_incognito", **ours)
    await bench.earlier("Before", hour=8, **ours)
    await bench.earlier("Running", ended=False, **ours)
    await bench.earlier("Later", hour=11, **ours)
    await bench.earlier(
        "Other task", task="watch", workflow_summary="Evaluates the complaint against exhibits.", **ours
    )
    await bench.earlier("Unlike", task="brew", workflow_summary=UNLIKE, **ours)
    await bench.earlier("Other matter", matter_ids=[other])
    run = await bench.run(**ours)
    await bench.scope(run, scope_matter_ids=[marex])
    packet = await bench.preview(asking(run))
    assert set(given(packet)) == {"Marex", "Before", "Other task"}
    assert why(packet) == {"Unlike": "low_relevance"}


async def test_what_is_confined_to_such_work_needs_no_likeness(bench: Bench) -> None:
    marex = await bench.matter("Marex")
    confined: dict[str, dict[str, Any]] = {
        "By matter": {"matter_ids": [marex]},
        "By field": {"domains": ["legal"]},
        "By trigger": {"trigger_kinds": ["email"]},
        "By type": {"task_types": ["complaint_evaluation"]},
        "By nothing": {},
    }
    for label in ("Memory", "Preference", "Procedure"):
        for name, values in confined.items():
            await bench.add(label, f"{label} {name}", statement=UNLIKE, **values)
    await bench.embed()
    run = await bench.run(matter_ids=[marex], trigger_kind="email")
    await bench.scope(run, scope_matter_ids=[marex])
    packet = await bench.preview(asking(run))
    unconfined = {f"{label} By nothing" for label in ("Memory", "Preference", "Procedure")}
    assert why(packet) == dict.fromkeys(unconfined, "low_relevance")
    assert len(given(packet)) == 13  # with the card of its matter
    assert packet.values["warnings"] == []


async def test_a_record_whose_vector_is_behind_is_compared_by_words_and_the_packet_says_so(bench: Bench) -> None:
    await bench.add("Memory", "Evaluate the complaint", statement="Evaluate the complaint against the exhibits.")
    await bench.add("Memory", "Kettles", statement=UNLIKE)
    run = await bench.run()
    await bench.scope(run)
    behind = await bench.preview(asking(run))
    assert (given(behind), why(behind)) == (["Evaluate the complaint"], {"Kettles": "low_relevance"})
    assert behind.values["warnings"] == ["warning.context_compared_by_words"]
    assert "by its words alone" in behind.items[0].explanation + behind.excluded[0].message
    await bench.embed()
    assert (await bench.preview(asking(run))).values["warnings"] == []


async def test_a_library_in_scope_brings_what_of_it_fits(bench: Bench) -> None:
    library, other = [await bench.add("Entity", one, kind="library") for one in ("Case law", "Cooking")]
    fits = await bench.add("Entity", "Complaint evaluation guide", kind="document",
                           summary="How to evaluate a complaint against its exhibits.")  # fmt: skip
    unlike = await bench.add("Entity", "Kettles", kind="document", summary=UNLIKE)
    strange = await bench.add("Entity", "Evaluate complaints", kind="document", summary="Evaluate the complaint.")
    for tail, head in ((fits, library), (unlike, library), (strange, other)):
        await bench.link(tail, "PART_OF", head)
    await bench.embed()
    run = await bench.run()
    await bench.scope(run, {library: "explicit_task_scope"})
    packet = await bench.preview(asking(run, offered=refs(strange)))
    assert set(given(packet)) == {"Case law", "Complaint evaluation guide"}
    assert why(packet) == {"Kettles": "low_relevance", "Evaluate complaints": "not_run_bound"}
    assert {one.name: one.via for one in packet.items}["Complaint evaluation guide"] == "library_bound"
    # A document in scope brings the card of its library, and no other document of it.
    second = await bench.run("run-2")
    await bench.scope(second, {strange: "email_bound"})
    assert set(given(await bench.assemble(asking(second)))) == {"Evaluate complaints", "Cooking"}
    await bench.assemble(asking(run))
    found = await Inspection(bench.database).bleed(await bench.viewer(), BleedQuestion(refs(run, second)))
    assert (found.clean, found.items_checked) == (True, 4)


async def test_criteria_and_reviews_of_the_blueprint_reach_the_module_that_writes(bench: Bench) -> None:
    await bench.add("Task", "Evaluate complaint", source="exec", source_key="evaluate")
    blueprint = BlueprintInput(
        {
            "name": "Evaluation",
            "business_or_personal_goal": "Know what the complaint is worth.",
            "task_type": "complaint_evaluation",
        },
        of=RecordRef(kind="Task", source="exec", key="evaluate"),
        parts={
            "criteria": [PartInput({"name": "Cited", "statement": "Every claim has its source."})],
            "review_points": [PartInput({"statement": "Whether it may go out."})],
        },
    )
    await Library(bench.commands).save_blueprint(await bench.viewer(), blueprint)
    run = await bench.run()
    await bench.scope(run)
    for kind in ("step.agent_task", "step.coding", "step.judge"):
        packet = await bench.preview(asking(run, module_type=kind))
        assert {"Cited", "Evaluation"} <= {*given(packet)}
        assert "a person looks: Whether it may go out." in packet.markdown
        assert {one.name: one.use for one in packet.items}["Cited"] == "follow"


async def test_a_matter_stays_an_entity_and_the_schedule_is_told(bench: Bench) -> None:
    marex = await bench.add("Entity", "Marex", kind="matter", keys=["thread-7"])
    weekly = await bench.add("Schedule", "Weekly", schedule_id="s-1", recurrence_rule="FREQ=WEEKLY;BYDAY=MO")
    turn = ScheduleEvidenceInput(RecordRef(id=weekly), "2026-01-05T00:00:00.000Z", "2026-01-12T00:00:00.000Z")
    run = await bench.run(trigger_kind="schedule", matter_ids=[marex])
    asked = RunScopeInput(RecordRef(id=run), trigger=TriggerEvidenceInput(TriggerKind.schedule, schedule=turn))
    await Scopes(bench.commands, bench.database).open(await bench.viewer(), asked)
    await bench.database.run_alone("MATCH (:ScopeEnvelope)-[b:BINDS]->(:Matter) SET b.role = 'thread'")
    packet = await bench.preview(asking(run))
    layers = {one.name: one.layer for one in packet.items}
    assert (layers["Marex"], layers["Weekly"]) == ("entity_cards", "recurrence_context")
    assert "recurs: FREQ=WEEKLY;BYDAY=MO" in packet.markdown
    assert "for the turn from 2026-01-05T00:00:00.000Z to 2026-01-12T00:00:00.000Z" in packet.markdown


async def test_inputs_that_mean_the_same_are_the_same_inputs(bench: Bench) -> None:
    one, two = [await bench.add("Entity", name, kind="document", source="dms", source_key=name) for name in ("a", "b")]
    run = await bench.run()
    await bench.scope(run)
    data, files = PortInputInput(ContextPort.data, "Data", refs(one, two)), PortInputInput(ContextPort.file, "Files")
    first = asking(run, offered=refs(one, two), ports=(data, files))
    packet = await bench.assemble(first)
    named = tuple(RecordRef(kind=kind, source="dms", key=key) for kind, key in (("Entity", "b"), (None, "a")))
    again = replace(
        first,
        run=RecordRef(kind="Run", source="exec", key="run-1"),
        offered=(*named, RecordRef(id=one)),
        ports=(files, replace(data, refs=named)),
    )
    assert (await bench.assemble(again)).id == packet.id
    assert (await bench.preview(again)).values["inputs_hash"] == packet.values["inputs_hash"]


async def test_what_a_restriction_forbids_is_out_with_what_is_in_it_where_the_restriction_holds(bench: Bench) -> None:
    library = await bench.add("Entity", "Tabloids", kind="library")
    shelf = await bench.add("Entity", "Shelf", kind="folder")
    sources = await bench.add("Entity", "Sources", kind="source_set")
    gossip, memo, other = [await bench.add("Entity", one, kind="document") for one in ("Gossip", "Memo", "Other")]
    for tail, head in ((shelf, library), (gossip, shelf), (gossip, sources), (memo, sources), (other, sources)):
        await bench.link(tail, "PART_OF", head)
    here, elsewhere = [
        await bench.add("Restriction", name, statement="Do not use it.", task_types=[kind])
        for name, kind in (("No tabloids", "complaint_evaluation"), ("No memos", "cooking"))
    ]
    await bench.link(here, "APPLIES_TO", library, polarity="forbid")
    await bench.link(elsewhere, "APPLIES_TO", memo, polarity="forbid")
    run = await bench.run()
    await bench.scope(run, {sources: "manual_user_selected", library: "explicit_task_scope"}, [other])
    packet = await bench.assemble(asking(run))
    assert set(given(packet)) == {"No tabloids", "Sources"}
    told = {one.name: one.text for one in packet.items}["Sources"]
    assert ["Memo" in told, "Gossip" in told, "Other" in told] == [True, False, False]
    assert why(packet) == {
        "No memos": "wrong_task_type", "Tabloids": "policy_blocked", "Gossip": "policy_blocked",
        "Other": "policy_blocked", "Shelf": "policy_blocked",
    }  # fmt: skip
    # What was left out of the set is not said to have come with it.
    why_out = Inspection(bench.database).why_excluded
    about = await why_out(await bench.viewer(), RecordRef(id=run), "draft", 1, RecordRef(id=gossip))
    assert about.outcome == "excluded"


async def test_a_document_of_another_matter_at_a_port_opens_no_library(bench: Bench) -> None:
    ours, other = await bench.matter("Ward A"), await bench.matter("Ward B")
    library = await bench.add("Entity", "Charts of B", kind="library", matter_ids=[other])
    document = await bench.add("Entity", "Chart of B", kind="document", matter_ids=[other])
    await bench.link(document, "PART_OF", library)
    run = await bench.run(matter_ids=[ours])
    await bench.scope(run)
    port = PortInputInput(ContextPort.file, "A chart", refs(document))
    packet = await bench.preview(asking(run, ports=(port,)))
    assert why(packet)["Chart of B"] == "wrong_matter"
    assert "Charts of B" not in given(packet)


@pytest.mark.parametrize("mode", ["standard", "memory_incognito", "full_ephemeral_test"])
async def test_a_module_knows_the_matter_of_its_run(bench: Bench, mode: str) -> None:
    ours = await bench.matter("Hull 281")
    chat = await bench.add("SurfaceContext", "Paint talk", surface_kind="chat")
    await bench.link(chat, "SHOWS", ours)
    run = await bench.run(matter_ids=[ours], memory_mode=mode)
    await bench.scope(run)
    packet = await bench.preview(asking(run))
    assert "Hull 281" in given(packet)
    told = next(one for one in packet.items if one.name == "Hull 281")
    assert told.explanation == "The run belongs to this matter."
