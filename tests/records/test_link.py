"""Links between records: only those that the registry knows, former facts kept, stubs for the unknown."""

import pytest

from graph_schema.model.fields import DataClass
from graph_schema.model.times import read_time_or_day
from service.commands import RecordRef
from service.commands.errors import InputInvalid, KindNeeded, RecordMissing, RefInvalid, TimeInvalid, WrongKind
from service.commands.work import card_id
from service.records.errors import RelationManaged, RelationUnknown
from tests.records.conftest import Desk
from tests.viewers import viewer_of


async def test_a_link_is_made_once_and_says_what_it_says(desk: Desk) -> None:
    person, matter = (
        await desk.new("Entity", name="Ada", kind="person"),
        await desk.new("Entity", name="M", kind="matter"),
    )
    for role in ("witness", "witness", "expert"):
        await desk.link(person, "INVOLVED_IN", matter, {"role": role})
    rows = await desk.database.read("MATCH ({id: $id})-[r:INVOLVED_IN]->() RETURN r.role AS role", id=person)
    assert [row["role"] for row in rows] == ["expert"]
    rows = await desk.database.read("MATCH ({id: $id})-[:FORMER_LINK]->(v:Version) RETURN v.role AS role", id=person)
    assert [row["role"] for row in rows] == ["witness"]


async def test_a_time_is_saved_in_one_form_and_a_bare_date_is_refused(desk: Desk) -> None:
    one, other = await desk.new("Entity", name="A", kind="folder"), await desk.new("Entity", name="B", kind="folder")
    await desk.link(one, "PART_OF", other, {"valid_from": "2026-01-31T10:30:00+01:00"})
    row = await desk.database.read_one("MATCH ({id: $id})-[r:PART_OF]->() RETURN r.valid_from AS since", id=one)
    assert row == {"since": "2026-01-31T09:30:00.000Z"}
    for given in ("2026-01-31T10:30:00", "2026-01-31", read_time_or_day("2026-01-31")):
        with pytest.raises(TimeInvalid) as refused:
            await desk.link(one, "PART_OF", other, {"valid_from": given})
        assert str(refused.value.field).endswith("valid_from")


async def test_a_link_taken_away_stays_reachable(desk: Desk) -> None:
    one, other = await desk.new("Entity", name="A", kind="folder"), await desk.new("Entity", name="B", kind="folder")
    await desk.link(one, "PART_OF", other)
    viewer = await viewer_of(desk.database)
    await desk.records.link(viewer, RecordRef(id=one), "PART_OF", RecordRef(id=other), {}, remove=True)
    row = await desk.database.read_one(
        "MATCH (n {id: $id}) RETURN COUNT { (n)-[:PART_OF]->() } AS links, COUNT { (n)-[:FORMER_LINK]->() } AS former",
        id=one,
    )
    assert row == {"links": 0, "former": 1}


async def test_only_relations_of_the_registry_are_allowed(desk: Desk) -> None:
    goal = await desk.new("Goal", name="G", goal_type="risk_control_goal", goal_statement="S")
    entity = await desk.new("Entity", name="E", kind="project")
    with pytest.raises(RelationUnknown) as refused:
        await desk.link(entity, "CONCERNS", goal)
    assert "none" in str(refused.value.remedy)
    with pytest.raises(RelationUnknown) as refused:
        await desk.link(goal, "LIKES", entity)
    assert "CONCERNS" in str(refused.value.remedy)
    with pytest.raises(RelationManaged):
        await desk.link(entity, "MERGED_INTO", await desk.new("Entity", name="F", kind="project"))
    with pytest.raises(InputInvalid):
        await desk.link(goal, "CONCERNS", entity, {"mood": "bad"})


async def test_an_unknown_outside_key_makes_a_stub_that_a_later_save_fills(desk: Desk) -> None:
    goal = await desk.new("Goal", name="G", goal_type="risk_control_goal", goal_statement="S")
    reporter = await viewer_of(desk.database, "prin_reporter")
    ref = RecordRef(kind="Entity", source="mail", key="thread-7")
    linked = await desk.records.link(reporter, RecordRef(id=goal), "CONCERNS", ref, {})
    stub = await desk.stored(linked.result["head"])
    assert (stub["stub"], stub["audience"], stub["name"]) == (True, "internal|", "thread-7")
    await desk.save("Entity", {"name": "Thread", "kind": "conversation", "source": "mail", "source_key": "thread-7"})
    filled = await desk.stored(linked.result["head"])
    assert (filled["stub"], filled["audience"], filled["kind"]) == (False, "internal|", "conversation")
    assert (await desk.stored(card_id(filled["id"])))["describes_kind"] == "Entity"
    assert "Conversation" in filled["labels"]


async def test_a_reference_must_name_one_record_of_the_right_kind(desk: Desk) -> None:
    goal = await desk.new("Goal", name="G", goal_type="risk_control_goal", goal_statement="S")
    viewer = await viewer_of(desk.database)
    link = desk.records.link
    with pytest.raises(RefInvalid):
        await link(viewer, RecordRef(), "CONCERNS", RecordRef(id=goal), {})
    with pytest.raises(RefInvalid):
        await link(viewer, RecordRef(id=goal, kind="Goal"), "CONCERNS", RecordRef(id=goal), {})
    with pytest.raises(RecordMissing):
        await link(viewer, RecordRef(id=goal), "CONCERNS", RecordRef(id="ent_none"), {})
    with pytest.raises(KindNeeded):
        await link(viewer, RecordRef(id=goal), "CONCERNS", RecordRef(kind="Dragon", source="s", key="k"), {})
    await desk.save("Entity", {"name": "E", "kind": "other", "source": "s", "source_key": "k"})
    viewer = await viewer_of(desk.database)
    with pytest.raises(WrongKind):
        await link(viewer, RecordRef(id=goal), "SUPPORTS", RecordRef(kind="Goal", source="s", key="k"), {})


async def test_a_card_follows_its_record_in_class_and_matter(desk: Desk) -> None:
    matter = await desk.new("Entity", name="M", kind="matter")
    goal = await desk.new("Goal", name="G", goal_type="risk_control_goal", goal_statement="S")
    await desk.save("Goal", {"data_class": "privileged", "matter_ids": [matter]}, record_id=goal)
    row = await desk.database.read_one(
        "MATCH (c:Card)-[:DESCRIBES]->(g {id: $id}) MATCH (e:Event {about: $id}) "
        "RETURN c.audience AS card, g.audience AS goal, collect(DISTINCT e.audience) AS events",
        id=goal,
    )
    expected = f"privileged|{matter}"
    assert row == {"card": expected, "goal": expected, "events": [expected]}
    outsider = await viewer_of(desk.database, "prin_out", clearance=DataClass.privileged, matters=[])
    assert expected not in outsider.audiences
