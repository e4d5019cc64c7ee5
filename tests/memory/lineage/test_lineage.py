"""Lineage of what was reported: records, links, sentences, limits."""

from typing import Any

import pytest

from graph_schema.memory.lineage import FLOWS, lineage_labels
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import Commands, RecordRef
from service.commands.errors import RecordMissing, RefInvalid
from service.errors import TaskloreError
from service.memory.lineage import LineageCutReason, LineageDirection, LineageSide, cypher
from service.memory.lineage.errors import LineageOutOfBounds, LineageWordUnknown, NoLineage
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.lineage.conftest import Archive, art, doc, document, links, names, sources
from tests.memory.stories import Story, step, whole_run
from tests.plans import operators, plan_anew
from tests.viewers import viewer_of

RUN_2 = {"source": "exec", "key": "run-2"}


def drafting() -> Story:
    """A contract becomes a memo, the memo a draft in a loop of two, the draft a work product and a mail."""
    story = Story().tell("run_started", name="Drafting")
    story.tell("artifact_consumed", item=document("contract"), **step("read"))
    story.tell("artifact_produced", artifact_key="memo", artifact_kind="document", name="Memo", **step("read"))
    story.tell("activation_started", **step("draft"), triggered_by=[step("read"), step("check")])
    story.tell("artifact_consumed", item={"key": "memo"}, **step("draft"))
    story.tell("activation_started", **step("check"), triggered_by=[step("draft")])
    story.tell("artifact_produced", artifact_key="draft", artifact_kind="document", name="Draft",
               output_class="final_output", derived_from=sources("memo"), port_name="out", **step("draft"))  # fmt: skip
    story.tell("artifact_promoted", artifact_key="draft", promoted_by="will", work_product_key="brief",
               work_product_name="Brief")  # fmt: skip
    story.tell("delivery", idempotency_key="mail", delivery_kind="email", status="delivered", artifact_key="draft",
               name="Mail", delivered_to=["a@example.com"], **step("send"))  # fmt: skip
    return story


def test_the_table_names_relations_of_the_registry_once_each() -> None:
    named = [one.type for one in FLOWS]
    assert len(named) == len(set(named))
    assert set(named) <= {one.type for one in REGISTRY.relations}
    for flow in FLOWS:
        assert all("{up}" in one and "{down}" in one for one in (flow.back, flow.on))
    assert {"Run", "Activation", "Artifact", "Entity", "WorkProduct", "Delivery", "Tombstone"} <= set(
        lineage_labels(REGISTRY)
    )


async def test_upstream_tells_where_it_came_from(archive: Archive) -> None:
    await archive.tell(drafting())
    found = await archive.lineage(await archive.id_of("mail"))
    assert names(found) == {
        "Mail",
        "send #1",
        "Draft",
        "draft #1",
        "Drafting",
        "Memo",
        "read #1",
        "check #1",
        "Contract",
    }
    assert ("Draft", "DELIVERED_BY", "Mail") in links(found)
    assert ("check #1", "TRIGGERED", "draft #1") in links(found)
    assert ("draft #1", "TRIGGERED", "check #1") in links(found)
    assert not found.truncated
    assert (found.of.name, found.of.depth, found.of.side, found.of.path) == ("Mail", 0, LineageSide.start, ())


async def test_downstream_tells_what_came_of_it_and_both_tells_both(archive: Archive) -> None:
    await archive.tell(drafting())
    down = await archive.lineage(art("memo"), direction=LineageDirection.downstream)
    assert names(down) == {"Memo", "draft #1", "check #1", "Draft", "Brief", "Mail"}
    both = await archive.lineage(art("memo"), direction=LineageDirection.both)
    up = await archive.lineage(art("memo"))
    assert names(both) == names(up) | names(down)
    assert links(both) == links(up) | links(down)
    loop = await archive.lineage(await archive.id_of("draft#1"), direction=LineageDirection.both)
    sides = {one.name: one.side for one in loop.nodes}
    assert (sides["check #1"], sides["Memo"], sides["Draft"]) == (
        LineageSide.both,
        LineageSide.upstream,
        LineageSide.downstream,
    )
    assert len({one.id for one in loop.nodes}) == len(loop.nodes)


async def test_every_link_and_every_way_is_told_in_sentences(archive: Archive) -> None:
    await archive.tell(drafting())
    found = await archive.lineage(await archive.id_of("mail"))
    reasons = {one.reason for one in found.edges}
    assert "The step “draft #1” made the artifact “Draft” (port out)." in reasons
    assert "The document “Contract” was used by the step “read #1”." in reasons
    contract = next(one for one in found.nodes if one.name == "Contract")
    assert [one.sentence for one in contract.path] == [
        "The delivery “Mail” carried the artifact “Draft”.",
        "The artifact “Draft” was made from the artifact “Memo”.",
        "The artifact “Memo” was made by the step “read #1”.",
        "The step “read #1” worked from the document “Contract”.",
    ]
    ends = [(one.from_, one.to) for one in contract.path]
    assert ends[0][0] == found.of.id
    assert ends[-1][1] == contract.id
    assert len(contract.path) == contract.depth
    assert "run_truth" in found.evidence.note


async def test_through_and_until_narrow_it(archive: Archive) -> None:
    await archive.tell(drafting())
    made = await archive.lineage(art("draft"), through=["DERIVED_FROM"])
    assert names(made) == {"Draft", "Memo"}
    short = await archive.lineage(art("draft"), until=["Activation"])
    assert names(short) == {"Draft", "draft #1", "Memo", "read #1"}
    assert not short.truncated
    nowhere = await archive.lineage(
        doc("contract"), direction=LineageDirection.downstream, until=["Activation", "Document"]
    )
    assert names(nowhere) == {"Contract", "read #1"}


async def test_depth_is_cut_and_says_where(archive: Archive) -> None:
    await archive.tell(drafting())
    found = await archive.lineage(art("draft"), depth=1)
    assert names(found) == {"Draft", "draft #1", "Memo"}
    [cut] = found.cuts
    assert cut.reason is LineageCutReason.depth
    assert set(cut.at) == {one.id for one in found.nodes if one.depth == 1}
    assert ("draft #1", "CONSUMED", "Memo") in links(found)
    whole = await archive.lineage(art("draft"), depth=4)
    assert not whole.truncated


async def test_the_number_of_records_is_capped(archive: Archive) -> None:
    await archive.tell(drafting())
    found = await archive.lineage(await archive.id_of("mail"), max_nodes=4)
    assert len(found.nodes) == 4
    assert [one.reason for one in found.cuts] == [LineageCutReason.nodes]
    everything = await archive.lineage(await archive.id_of("mail"), max_nodes=9)
    assert (len(everything.nodes), everything.truncated) == (9, False)
    again = await archive.lineage(await archive.id_of("mail"), max_nodes=4)
    assert [one.id for one in again.nodes] == [one.id for one in found.nodes]


async def test_large_fan_outs_become_groups(archive: Archive) -> None:
    story = Story()
    for turn in range(1, 31):
        story.tell("artifact_consumed", item=document("manual"), **step("read", turn))
    await archive.tell(story)
    found = await archive.lineage(doc("manual"), direction=LineageDirection.downstream)
    assert names(found) == {"Manual"}
    [group] = found.groups
    assert (group.type, group.kind, group.count, group.at_least, len(group.samples)) == (
        "CONSUMED", "Activation", 30, False, 3,
    )  # fmt: skip
    assert group.reason == "The document “Manual” was used by 30 steps."
    assert [one.reason for one in found.cuts] == [LineageCutReason.fan_out]
    alone = await archive.lineage(doc("manual"), direction=LineageDirection.downstream, group_over=30)
    assert (len(alone.nodes), alone.groups) == (31, ())
    small = await archive.lineage(doc("manual"), direction=LineageDirection.downstream, group_over=1)
    assert [len(one.samples) for one in small.groups] == [1]


async def test_lineage_goes_on_through_what_was_erased(archive: Archive) -> None:
    await archive.tell(drafting())
    before = await archive.lineage(await archive.id_of("brief"))
    records = Records(Commands(archive.database, REGISTRY, lambda _new: None), hooks())
    admin = await viewer_of(archive.database, scopes=tuple(KeyScope))
    brief, draft = await archive.id_of("brief"), await archive.id_of("draft")
    for one in (draft, brief):
        await records.erase(admin, RecordRef(id=one), "asked for")
    after = await archive.lineage(brief)
    assert {one.id for one in after.nodes} == {one.id for one in before.nodes}
    assert {(one.from_, one.type, one.to) for one in after.edges} == {
        (one.from_, one.type, one.to) for one in before.edges
    }
    assert (after.of.kind, after.of.what) == ("Tombstone", "erased work product")
    assert "An erased artifact became an erased work product." in {one.reason for one in after.edges}
    assert "2 records were erased" in after.evidence.note
    told = await archive.provenance(brief)
    assert told.sentence.startswith("An erased work product was kept from an erased artifact, which was made by")


async def test_a_way_through_something_hidden_is_cut_without_a_word(archive: Archive) -> None:
    hidden: dict[str, Any] = {"memory_mode": "standard", "data_class": "privileged", "matter_ids": []}
    middle = Story(RUN_2, hidden)
    middle.tell("artifact_consumed", item=document("contract"), **step("read"))
    middle.tell("artifact_produced", artifact_key="memo", artifact_kind="document", **step("read"))
    last = Story().tell("artifact_consumed", item={"key": "memo"}, **step("draft"))
    last.tell("artifact_produced", artifact_key="draft", artifact_kind="document", name="Draft", **step("draft"))
    await archive.tell(middle, last)
    assert "Contract" in names(await archive.lineage(art("draft")))
    contract = await archive.id_of("contract")
    await archive.database.run_alone(
        "MATCH (n:Record {id: $id}) MATCH (r:Run {source_key: 'run-1'}) SET n.audience = r.audience", id=contract
    )
    low = await archive.viewer(principal_id="prin_low", clearance="internal", scopes=[KeyScope.read])
    seen = await archive.lineage(art("draft"), low)
    assert names(seen) == {"Draft", "draft #1", "run-1"}
    assert (seen.truncated, seen.groups) == (False, ())
    used = await archive.lineage(contract, low, direction=LineageDirection.downstream)
    assert names(used) == {"Contract"}
    assert used.evidence.layers == ()
    with pytest.raises(RecordMissing) as missing:
        await archive.lineage(art("memo"), low)
    with pytest.raises(RecordMissing) as unknown:
        await archive.lineage(art("nothing"), low)
    assert missing.value.message.replace("memo", "nothing") == unknown.value.message


@pytest.mark.parametrize(
    ("asked", "error", "field"),
    [
        ({"depth": 31}, LineageOutOfBounds, "depth"),
        ({"depth": 0}, LineageOutOfBounds, "depth"),
        ({"max_nodes": 5_001}, LineageOutOfBounds, "maxNodes"),
        ({"group_over": 0}, LineageOutOfBounds, "groupOver"),
        ({"through": ["MENTIONS"]}, LineageWordUnknown, "through"),
        ({"until": ["Nothing"]}, LineageWordUnknown, "until"),
    ],
)
async def test_a_bad_request_is_refused_with_its_field(
    archive: Archive, asked: dict[str, Any], error: type[TaskloreError], field: str
) -> None:
    with pytest.raises(error) as refused:
        await archive.lineage("art_1", **asked)
    assert (refused.value.field, bool(refused.value.remedy)) == (field, True)


async def test_what_has_no_lineage_is_refused(archive: Archive) -> None:
    await archive.tell(drafting(), Story(RUN_2).tell("run_started", task_key="task", task_name="Task"))
    with pytest.raises(NoLineage):
        await archive.lineage(await archive.id_of("task"))
    with pytest.raises(NoLineage):
        await archive.provenance(await archive.id_of("run-1"))
    with pytest.raises(RecordMissing):
        await archive.lineage(RecordRef(kind="Artifact", source="dms", key="contract"))
    with pytest.raises(RefInvalid):
        await archive.lineage(RecordRef(kind="Artifact"))


@pytest.mark.slow
async def test_no_statement_scans(archive: Archive) -> None:
    """The cost follows the answer: every record is found by an index or by a link. Of few, all would be looked at."""
    await archive.tell(drafting())
    await archive.database.run_alone(
        "UNWIND range(1, 500) AS number "
        "CREATE (:Delivery:Record {id: 'del_' + number, audience: 'internal|', created_at: '2026-01-01T00:00:00.000Z'})"
    )
    await plan_anew(archive.database)
    shared = {"audiences": ["a"], "ids": ["a"], "types": ["MADE"], "group_over": 9, "samples": 3, "most": 9}
    one = {"id": "a", "source": "s", "key": "k"}
    for query in (cypher.START, cypher.UPSTREAM, cypher.DOWNSTREAM, cypher.DELIVERIES):
        used = await operators(archive.database, query, **shared, **one)
        assert not [one for one in used if one.endswith("Scan")], used


async def test_the_whole_story_has_one_root_for_each_input(archive: Archive) -> None:
    story = Story()
    story.events = whole_run()
    await archive.tell(story)
    found = await archive.lineage(art("run-1-draft"))
    ends = {one.name for one in found.nodes} - {
        called.name
        for called in found.nodes
        if called.id in {e.to if e.upstream == e.from_ else e.from_ for e in found.edges}
    }
    assert ends == {"Supply agreement"}
