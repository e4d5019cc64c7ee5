"""Why, what differs, whether it replays, and whether matters bled, on packets that are really stored."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graph_schema.memory.words import RetentionClass
from graph_schema.model.fields import DataClass
from service import clock
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.context.inspection import Inspection
from service.context.inspection.bleed import BleedKind, BleedQuestion
from service.context.inspection.diff import DifferenceKind
from service.context.inspection.errors import PacketMissing, PacketNotKept
from service.context.inspection.why import NeverBecause, PacketWhy, WhyOutcome
from service.context.packets.inputs import ContextPort, PortInputInput
from service.memory.audit import AuditExports
from service.memory.audit.rules import read
from service.memory.retention import Ages, retain
from service.memory.views import Part, RunIndex, load_run, steps
from service.memory.views.prompts import prompts
from service.replay import ReplayOutcome
from tests.context.packets.world import Bench, asking, given

pytestmark = pytest.mark.slow

EVER = {"global": True}


class Asker:
    """Asks about one run's module."""

    def __init__(self, bench: Bench, asked: Inspection, run: str) -> None:
        self.bench, self.asked, self.run = bench, asked, run

    async def why(self, record: str, **viewer: Any) -> PacketWhy:
        looking = await self.bench.viewer(**viewer)
        return await self.asked.why_excluded(looking, RecordRef(id=self.run), "draft", 1, RecordRef(id=record))

    async def why_injected(self, record: str) -> PacketWhy:
        looking = await self.bench.viewer()
        return await self.asked.why_injected(looking, RecordRef(id=self.run), "draft", 1, RecordRef(id=record))


async def archive(bench: Bench, record: str) -> None:
    ref = RecordRef(id=record)
    await bench.records.set_state(await bench.viewer(), ref, archived=True, command_id=None, if_version=None)


async def test_why_tells_the_gate_the_others_and_what_was_needed(bench: Bench, asking_of: Inspection) -> None:
    marex, other = await bench.matter("Marex"), await bench.matter("Narayanan")
    matrix = await bench.add("Preference", "Issue matrix", statement="Use matrices.", **EVER)
    recipes = await bench.add(
        "Preference", "Recipes", statement="Less salt.", task_types=["cooking"], data_class="privileged"
    )
    docket = await bench.add("Preference", "Docket notes", statement="Monitor dockets.", matter_ids=[other])
    old = await bench.add("Preference", "Old habit", statement="Use fax.", **EVER)
    await archive(bench, old)
    library = await bench.add("Entity", "CSA research", kind="library")
    paper = await bench.add("Entity", "Paper", kind="document")
    await bench.link(paper, "PART_OF", library)
    loose = await bench.add("Entity", "Loose sheet", kind="document")
    run = await bench.run(matter_ids=[marex])
    await bench.scope(run, {marex: "email_bound"}, scope_matter_ids=[marex])
    await bench.assemble(asking(run, offered=(RecordRef(id=library),)))
    late = await bench.add("Preference", "Late", statement="Late.", **EVER)
    ask = Asker(bench, asking_of, run)

    kept = await ask.why(recipes)
    assert (kept.outcome, kept.stage, kept.code) == ("excluded", "visibility", "source_visibility_blocked")
    assert [one.code for one in kept.also_failed] == ["wrong_task_type"]
    assert kept.would_have_needed == (
        "The run's scope would have to allow privileged.",
        "The run's task would have to be of one of these types.",
    )
    assert "Its task_types were cooking." in kept.evidence
    in_it = await ask.why_injected(matrix)
    assert (in_it.outcome, in_it.stage, in_it.also_failed) == ("injected", "budget", ())
    assert (await ask.why(matrix)).sentence.startswith("It was not kept out. “Issue matrix” was given")
    assert (await ask.why_injected(recipes)).sentence.startswith("It was not given. “Recipes” was kept out")

    covered = await ask.why(paper)
    assert (covered.outcome, covered.code, covered.container_id) == ("covered_by_container", "wrong_library", library)
    expected = {
        docket: NeverBecause.other_matter,
        old: NeverBecause.archived,
        loose: NeverBecause.nothing_led_to_it,
        late: NeverBecause.made_since,
        run: NeverBecause.own_run,
    }
    for record, because in expected.items():
        found = await ask.why(record)
        assert (found.outcome, found.never_because) == (WhyOutcome.never_a_candidate, because)
    [step] = await bench.database.read("MATCH (a:Activation) RETURN a.id AS id")
    assert (await ask.why(step["id"])).never_because is NeverBecause.kind_never_held

    # Not seen is not there: for the record, and for the run.
    with pytest.raises(RecordMissing) as hidden:
        await ask.why(docket, matters=[marex])
    with pytest.raises(RecordMissing) as missing:
        await ask.why("pref_missing", matters=[marex])
    assert hidden.value.message.replace(docket, "X") == missing.value.message.replace("pref_missing", "X")
    with pytest.raises(RecordMissing):
        await ask.why(matrix, matters=[other])
    with pytest.raises(PacketMissing):
        await asking_of.why_excluded(await bench.viewer(), RecordRef(id=run), "draft", 2, RecordRef(id=matrix))


async def test_a_difference_is_told_with_the_fact_that_made_it(bench: Bench, asking_of: Inspection) -> None:
    note = await bench.add("Memory", "Note", statement="Courts close early.", **EVER)
    style = await bench.add("Preference", "Style", statement="Be brief.", task_types=["complaint_evaluation"])
    memo = await bench.add("Entity", "Memo", kind="document")
    first = await bench.run("run-1")
    await bench.scope(first)
    a = await bench.assemble(asking(first, offered=(RecordRef(id=memo),)))
    await bench.records.save(await bench.viewer(), "Memory", {"statement": "Courts close late."}, record_id=note)
    await bench.records.save(await bench.viewer(), "Preference", {"task_types": ["cooking"]}, record_id=style)
    late = await bench.add("Memory", "Late", statement="Late.", **EVER)
    second = await bench.run("run-2")
    await bench.scope(second, {memo: "explicit_task_scope"})
    b = await bench.assemble(asking(second, max_tokens=5_000, offered=(RecordRef(id=memo),)))
    assert a.id
    assert b.id

    found = await asking_of.diff(await bench.viewer(), a.id, b.id)
    told = {one.record_id: one for one in found.differences}
    assert told[note].kind is DifferenceKind.changed
    assert {one.field for one in told[note].changed} >= {"version", "text"}
    assert told[note].because[0] == "The Memory was changed from version 1 to 2."
    assert (told[style].kind, told[style].b) == (DifferenceKind.only_in_a, "kept out by scope: wrong_task_type")
    assert "Its task_types changed from complaint_evaluation to cooking." in told[style].because
    assert (told[memo].kind, told[memo].because) == (DifferenceKind.only_in_b, ("The run is bound to it now.",))
    assert told[late].because == ("It was made after the first packet.",)
    assert "The budget was 20,000 tokens against 5,000." in found.ground
    assert "max_tokens" in {one.field for one in found.asked}
    assert not found.identical
    same = await asking_of.diff(await bench.viewer(), a.id, a.id)
    assert (same.identical, same.count, same.ground) == (True, 0, ())

    # Replays read the facts of then, whatever the records are now.
    for one in (a.id, b.id):
        again = await asking_of.replay(await bench.viewer(), one)
        assert (again.outcome, again.content_hash_now) == (ReplayOutcome.identical, again.content_hash_then)
    # A receipt stays when its record is put away, and tells nothing of it when it is erased.
    await archive(bench, note)
    assert "Note" in given(await bench.packets.reads.stored(await bench.viewer(), a.id))
    assert (await asking_of.replay(await bench.viewer(), a.id)).outcome is ReplayOutcome.identical
    await bench.records.erase(await bench.viewer(), RecordRef(id=note), "They asked for it.")
    gone = await asking_of.replay(await bench.viewer(), a.id)
    assert (gone.outcome, gone.erased, gone.withheld) == (ReplayOutcome.not_in_full, 1, False)
    stored = await bench.packets.reads.stored(await bench.viewer(), a.id)
    assert "Courts close" not in stored.markdown + str(stored.items)


async def test_who_may_not_see_all_is_told_that_something_is_withheld(bench: Bench, asking_of: Inspection) -> None:
    await bench.add("Memory", "Note", statement="Courts close early.", **EVER)
    await bench.add("Memory", "Secret", statement="Between us.", data_class="privileged", **EVER)
    chat = await bench.add("SurfaceContext", "Secret chat", surface_kind="chat", data_class="privileged")
    memo = await bench.add("Entity", "Memo", kind="document")
    await bench.link(chat, "SHOWS", memo)
    run = await bench.run()
    await bench.scope(run)
    packet = await bench.assemble(asking(run))
    assert packet.id
    seen = await bench.viewer(clearance=DataClass.internal)
    again = await asking_of.replay(seen, packet.id)
    assert (again.outcome, again.withheld) == (ReplayOutcome.not_in_full, True)
    assert again.sentence.startswith("It cannot be replayed in full by you: some of its receipts")
    # A receipt names no other record that its reader may not see.
    why = await asking_of.why_excluded(seen, RecordRef(id=run), "draft", 1, RecordRef(id=memo))
    assert (why.code, "another surface" in why.sentence) == ("active_context_recency_only", True)
    assert "Secret" not in str(why) + str(await bench.packets.reads.stored(seen, packet.id))
    ephemeral = await bench.run("run-2", memory_mode="full_ephemeral_test")
    await bench.scope(ephemeral)
    bare = await bench.assemble(asking(ephemeral))
    assert bare.id
    assert (await asking_of.replay(await bench.viewer(), bare.id)).outcome is ReplayOutcome.not_kept
    with pytest.raises(PacketNotKept):
        await asking_of.diff(await bench.viewer(), bare.id, packet.id)
    with pytest.raises(RecordMissing):
        await asking_of.replay(await bench.viewer(), "pack_missing")


async def test_what_came_in_at_a_port_and_was_erased_is_not_told_as_an_ephemeral_test(
    bench: Bench, asking_of: Inspection
) -> None:
    note = await bench.add("Memory", "Note", statement="Courts close early.", **EVER)
    sheet = await bench.add("Entity", "Sheet", kind="document")
    run = await bench.run()
    await bench.scope(run)
    port = PortInputInput(ContextPort.data, "the sheet", (RecordRef(id=sheet),))
    packet = await bench.assemble(asking(run, ports=(port,)))
    assert packet.id
    assert "Sheet" in given(packet)
    await bench.records.erase(await bench.viewer(), RecordRef(id=sheet), "They asked for it.")
    again = await asking_of.replay(await bench.viewer(), packet.id)
    assert (again.outcome, again.erased, "ephemeral" in again.sentence) == (ReplayOutcome.not_in_full, 1, False)
    asker = Asker(bench, asking_of, run)
    assert (await asker.why_injected(note)).outcome is WhyOutcome.injected
    with pytest.raises(PacketNotKept) as refused:
        await asking_of.diff(await bench.viewer(), packet.id, packet.id)
    assert "ephemeral" not in refused.value.message


async def test_a_receipt_names_nothing_that_was_moved_out_of_sight_since(bench: Bench, asking_of: Inspection) -> None:
    other = await bench.matter("Other")
    library = await bench.add("Entity", "Open shelf", kind="library", summary="Complaints and exhibits.")
    paper = await bench.add("Entity", "Vantrello", kind="document", summary="Evaluate the complaint and exhibits.")
    await bench.link(paper, "PART_OF", library)
    rule = await bench.add("Preference", "By day", statement="By day.")
    await bench.link(rule, "APPLIES_TO", paper)
    run = await bench.run()
    await bench.scope(run, {library: "manual_user_selected"})
    packet = await bench.assemble(asking(run))
    assert packet.id
    member: dict[str, Any] = {"principal_id": "m", "matters": [], "scopes": (KeyScope.read,)}

    async def told() -> str:
        looking = await bench.viewer(**member)
        why = await asking_of.why_injected(looking, RecordRef(id=run), "draft", 1, RecordRef(id=rule))
        assert why.outcome is WhyOutcome.injected
        return str(why) + str(await bench.packets.reads.stored(looking, packet.id or ""))

    assert "It applies to “Vantrello”" in await told()
    await bench.records.save(await bench.viewer(), "Entity", {"matter_ids": [other]}, record_id=paper)
    assert "Vantrello" not in await told()
    assert "It applies to “another record”" in await told()


async def planted(bench: Bench, packet: str | None, record: str, **said: Any) -> None:
    """A record in a packet that no gate let in, and what its receipt claims."""
    receipt = {"kind": "document", "stage": "budget", "explanation": "x", "version": 1, "rank": 99, "via": "none"}
    await bench.database.run_alone(
        "MATCH (p:ContextPacket {id: $p}) MATCH (n:Record {id: $n}) CREATE (p)-[r:INJECTED]->(n) SET r = $said",
        p=packet,
        n=record,
        said={**receipt, "layer": "documents", "tokens": 1, **said},
    )


async def test_bleed_is_empty_until_something_is_put_where_it_does_not_belong(
    bench: Bench, asking_of: Inspection
) -> None:
    marex, other = await bench.matter("Marex"), await bench.matter("Narayanan")
    rule = await bench.add("Restriction", "Ask first", statement="Ask before sending.", **EVER)
    bound = await bench.add("Entity", "CSA research", kind="library")
    inside = await bench.add("Entity", "Exhibit", kind="document", matter_ids=[marex])
    run = await bench.run(matter_ids=[marex])
    binds = {marex: "email_bound", bound: "library_bound", inside: "explicit_task_scope"}
    await bench.scope(run, binds, scope_matter_ids=[marex])
    packet = await bench.assemble(asking(run))
    wide = await bench.run("run-2")
    await bench.scope(wide, broad_scope="All dockets of the firm.")
    await bench.assemble(asking(wide))
    assert packet.id

    async def bled(**asked: Any) -> dict[str, BleedKind]:
        named: dict[str, Any] = {"runs": (RecordRef(id=run),), **asked}
        question = BleedQuestion(**named)
        return {one.name: one.how for one in (await asking_of.bleed(await bench.viewer(), question)).items}

    assert await bled() == {}
    span = await asking_of.bleed(await bench.viewer(), BleedQuestion(since="2020-01-01T00:00:00.000Z"))
    assert (span.clean, span.packets_checked, span.runs_checked) == (True, 2, 2)
    assert [one.declared for one in span.broad_runs] == ["All dockets of the firm."]
    page = await asking_of.bleed(await bench.viewer(), BleedQuestion(since="2020-01-01T00:00:00.000Z", first=1))
    assert page.end_cursor
    rest = BleedQuestion(since="2020-01-01T00:00:00.000Z", first=1, after=page.end_cursor)
    last = await asking_of.bleed(await bench.viewer(), rest)
    assert (last.packets_checked, last.end_cursor, last.items_checked + page.items_checked) == (
        1,
        None,
        span.items_checked,
    )

    strange = {
        await bench.add("Memory", "Docket note", statement="x", matter_ids=[other]): "memory_excerpts",
        await bench.add("Entity", "Other library", kind="library"): "libraries",
        await bench.add("SurfaceContext", "Chat", surface_kind="chat"): "memory_excerpts",
        await bench.add("Entity", "Loose sheet", kind="document"): "documents",
    }
    for record, layer in strange.items():
        await planted(bench, packet.id, record, layer=layer)
    found = {"Docket note": "matter", "Other library": "library", "Chat": "surface", "Loose sheet": "unbound"}
    assert await bled() == found
    assert await bled(runs=(), since="2020-01-01T00:00:00.000Z") == found
    assert await bled(runs=(), until="2020-01-01T00:00:00.000Z") == {}
    await bench.records.save(await bench.viewer(), "Restriction", {"matter_ids": [other]}, record_id=rule)
    assert (await bled())["Ask first"] is BleedKind.matter_since

    # Whoever may not see the other matter is told nothing of what is of it.
    seen = await asking_of.bleed(await bench.viewer(matters=[marex]), BleedQuestion((RecordRef(id=run),)))
    assert "Docket note" not in {one.name for one in seen.items}
    with pytest.raises(RecordMissing):
        await asking_of.bleed(await bench.viewer(matters=[other]), BleedQuestion((RecordRef(id=run),)))
    with pytest.raises(InputInvalid):
        await asking_of.bleed(await bench.viewer(), BleedQuestion())

    # What the run is about takes the run along.
    await bench.records.save(await bench.viewer(), "Entity", {"matter_ids": [marex, other]}, record_id=inside)
    assert {"Exhibit", "Docket note", "Ask first"}.isdisjoint(await bled())


async def test_bleed_is_found_where_the_scope_is_broad_and_among_earlier_runs(
    bench: Bench, asking_of: Inspection
) -> None:
    """What was planted is judged by what that packet's own scope declares."""
    ward, other, third = [await bench.matter(one) for one in ("Ward 4", "Ward 7", "Theatre")]
    await bench.add("Memory", "Handover of 7", statement="Handover notes.", matter_ids=[other])
    wide = await bench.run("wide", matter_ids=[ward])
    await bench.scope(
        wide, reaches=[other], scope_matter_ids=[ward], broad_scope="What Ward 7 left", broad_kinds=["Memory"]
    )
    opened = await bench.assemble(asking(wide))
    assert "Handover of 7" in given(opened)
    by_text = await bench.run("by-text", matter_ids=[ward])
    await bench.scope(by_text, scope_matter_ids=[ward], broad_scope="Handovers")
    texts = await bench.assemble(asking(by_text))
    await bench.earlier("before", task="evaluate", matter_ids=[ward])
    narrow = await bench.run("narrow", matter_ids=[ward])
    await bench.scope(narrow, scope_matter_ids=[ward])
    after = await bench.assemble(asking(narrow))
    assert "before" in given(after)

    async def bled(run: str) -> dict[str, str]:
        found = await asking_of.bleed(await bench.viewer(), BleedQuestion((RecordRef(id=run),)))
        return {one.name: one.how.value for one in found.items}

    assert [await bled(one) for one in (wide, by_text, narrow)] == [{}, {}, {}]
    note = await bench.add("Memory", "Note of the theatre", statement="x", matter_ids=[third])
    rule = await bench.add("Restriction", "Rule of 7", statement="x", matter_ids=[other])
    sheet = await bench.add("Entity", "Sheet of 7", kind="document", matter_ids=[other])
    chat = await bench.add("SurfaceContext", "Chat of 7", surface_kind="chat", matter_ids=[other])
    for one in (note, rule, sheet, chat):
        await planted(bench, opened.id, one)
    foreign = {"Note of the theatre": "matter", "Rule of 7": "matter", "Sheet of 7": "matter", "Chat of 7": "matter"}
    assert await bled(wide) == foreign
    [told] = (await asking_of.bleed(await bench.viewer(), BleedQuestion((RecordRef(id=wide),)))).broad_runs
    assert told.items == 1
    await planted(bench, texts.id, note, score=0.1, threshold=0.3)
    assert await bled(by_text) == {"Note of the theatre": "matter"}

    runs: dict[str, dict[str, Any]] = {
        "private": {"memory_mode": "memory_incognito"},
        "still at it": {"ended": False},
        "elsewhere": {"task": "x"},
    }
    for key, how in runs.items():
        await bench.earlier(key, **how)
        [row] = await bench.database.read("MATCH (r:Run {source_key: $key}) RETURN r.id AS id", key=key)
        await planted(bench, after.id, row["id"], layer="prior_task_runs", via="explicit_task_scope")
    assert await bled(narrow) == {"private": "forgotten", "still at it": "not_earlier", "elsewhere": "unbound"}


async def test_a_run_shows_its_packets_and_exports_their_receipts(bench: Bench, tmp_path: Path) -> None:
    style = await bench.add("Preference", "Style", statement="Be brief.", **EVER)
    await bench.add("Preference", "Recipes", statement="Less salt.", task_types=["cooking"])
    hidden = await bench.add("Memory", "Secret", statement="Between us.", data_class="privileged", **EVER)
    run = await bench.run()
    await bench.scope(run)
    packet = await bench.assemble(asking(run))
    seen = await bench.viewer(clearance=DataClass.internal)
    facts = await load_run(bench.database, seen, run)
    assert facts
    index = RunIndex(facts, clock.now())
    [row] = steps(index).rows
    assert row.has_context_packet
    [prompt] = prompts(index).prompts
    assert (prompt.snapshot_id, prompt.packet_id) == (None, packet.id)
    assert [one.record_id for one in prompt.injected_items] == [style]
    assert [(one.name, one.code) for one in prompt.excluded_items] == [("Recipes", "wrong_task_type")]
    without = await load_run(bench.database, seen, run, {Part.flow, Part.held})
    assert without
    assert (len(without.packets), without.receipts) == (1, ())

    exports = AuditExports(bench.commands, bench.database, tmp_path)
    told: dict[str, str] = {}
    for profile in ("external_redacted", "full_local_audit"):
        viewer = await bench.viewer()
        done = await exports.export(viewer, RecordRef(id=run), read(profile, ["folder"], ["doc24_context_packets"]))
        files = await exports.files(viewer, done.result["id"])
        told[profile] = b"".join(files.values()).decode()
        assert done.result["decision"] == "allowed"
        assert all(
            one in told[profile] for one in (style, hidden, '"INJECTED"', '"wrong_task_type"', '"ContextPacket"')
        )
        assert "Recipes" not in told[profile]
    assert "Be brief." not in told["external_redacted"]
    assert "Be brief." in told["full_local_audit"]


async def test_a_receipt_stays_when_what_it_is_about_is_compacted(bench: Bench, asking_of: Inspection) -> None:
    await bench.earlier("earlier", retention_class="standard", workflow_summary="Evaluates a complaint.")
    await bench.earlier("beside", ended=False)
    run = await bench.run()
    await bench.scope(run)
    before = await bench.assemble(asking(run))
    assert before.id
    assert [one.name for one in before.items] == ["earlier"]
    [other] = await bench.database.read("MATCH (r:Run {source_key: 'beside'}) RETURN r.id AS id")
    beside = await Asker(bench, asking_of, run).why(other["id"])
    assert (beside.never_because, "was not over before this run began" in beside.sentence) == ("not_earlier", True)
    ages = Ages(dict.fromkeys(RetentionClass, 365))
    done = await retain(bench.database, ages, now=datetime(2027, 6, 1, tzinfo=UTC))
    assert done.counts
    after = await bench.packets.reads.stored(await bench.viewer(), before.id)
    assert [(one.id, one.text) for one in after.items] == [(one.id, one.text) for one in before.items]
    assert (await asking_of.replay(await bench.viewer(), before.id)).outcome is ReplayOutcome.identical


async def test_what_is_part_of_a_given_source_set_was_given_with_it(bench: Bench, asking_of: Inspection) -> None:
    sources = await bench.add("Entity", "Sources", kind="source_set")
    exhibit = await bench.add("Entity", "Exhibit A", kind="document")
    await bench.link(exhibit, "PART_OF", sources)
    run = await bench.run()
    await bench.scope(run, {sources: "manual_user_selected"})
    packet = await bench.assemble(asking(run))
    assert "- Exhibit A" in packet.items[0].text
    given = await Asker(bench, asking_of, run).why_injected(exhibit)
    assert (given.outcome, given.container_id) == ("covered_by_container", sources)
    assert given.sentence.startswith("“Exhibit A” was given to the module as part of “Sources”")
    assert (await Asker(bench, asking_of, run).why(exhibit)).sentence.startswith("It was not kept out. “Exhibit A” was")
