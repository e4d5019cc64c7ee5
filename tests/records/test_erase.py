"""Archiving, holding, erasing and merging."""

import pytest

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.commands.errors import NotAllowed
from service.records.errors import HeldForLaw, KindsDiffer
from service.records.read import Histories
from tests.records.conftest import Desk
from tests.viewers import viewer_of

FORGOTTEN = "Ermengarde Quill"


@pytest.mark.slow
async def test_archived_is_hidden_but_reachable_and_can_come_back(desk: Desk) -> None:
    goal = await desk.new("Goal", name="G", goal_type="risk_control_goal", goal_statement="S")
    for archived, state in ((True, "archived"), (False, "active")):
        viewer = await viewer_of(desk.database)
        await desk.records.set_state(viewer, RecordRef(id=goal), archived=archived, command_id=None, if_version=None)
        row = await desk.database.read_one(
            "MATCH (c:Card)-[:DESCRIBES]->(g {id: $id}) RETURN c.lifecycle_state AS card, g.lifecycle_state AS goal",
            id=goal,
        )
        assert row == {"card": state, "goal": state}


async def test_a_record_with_a_vector_is_changed_like_any_other_and_keeps_it(desk: Desk) -> None:
    goal = await desk.new("Goal", name="Goal", goal_type="risk_control_goal", goal_statement="S")
    await desk.database.run_alone("MATCH (c:Card) SET c.embedding_some_model_1 = [0.5, 0.5]")
    [row] = await desk.database.read("MATCH (c:Card)-[:DESCRIBES]->({id: $id}) RETURN c.id AS id", id=goal)
    await desk.records.set_state(
        await viewer_of(desk.database), RecordRef(id=row["id"]), archived=True, command_id=None, if_version=None
    )
    [card] = await desk.database.read("MATCH (c:Card) RETURN c.lifecycle_state AS state, c.embedding_some_model_1 AS v")
    assert card == {"state": "archived", "v": [0.5, 0.5]}


async def test_history_shows_what_was_and_only_to_who_may_see_it(desk: Desk) -> None:
    goal = await desk.new("Goal", name="First", goal_type="risk_control_goal", goal_statement="S")
    await desk.save("Goal", {"name": "Second", "data_class": "privileged"}, record_id=goal)
    past = await Histories(desk.database, REGISTRY).history(await viewer_of(desk.database), goal, 10)
    assert [(one.version, one.values["name"]) for one in past.states] == [(1, "First")]
    assert "audience" not in past.states[0].values
    low = await viewer_of(desk.database, "prin_low", clearance=DataClass.internal)
    assert (await Histories(desk.database, REGISTRY).history(low, goal, 10)).states == ()


async def test_an_erased_record_is_gone_from_everywhere_but_its_tombstone(desk: Desk) -> None:
    person = await desk.new("Entity", name=FORGOTTEN, kind="person", summary=f"{FORGOTTEN} lives here.")
    await desk.save("Entity", {"aliases": [f"Old {FORGOTTEN}"]}, record_id=person, command_id="change")
    matter = await desk.new("Entity", name="M", kind="matter")
    await desk.link(person, "INVOLVED_IN", matter, {"role": FORGOTTEN})
    viewer = await viewer_of(desk.database)
    await desk.records.erase(viewer, RecordRef(id=person), "asked to be forgotten")
    rows = await desk.database.read(
        "MATCH (n) UNWIND keys(n) AS k WITH n, n[k] AS value "
        "WHERE CASE WHEN value IS :: STRING THEN value CONTAINS $secret "
        "WHEN value IS :: LIST<STRING> THEN any(x IN value WHERE x CONTAINS $secret) END "
        "RETURN labels(n) AS labels",
        secret=FORGOTTEN,
    )
    assert rows == []
    links = await desk.database.read("MATCH ()-[r]->() WHERE r.role = $secret RETURN r", secret=FORGOTTEN)
    assert links == []
    stone = await desk.stored(person)
    assert stone["labels"] == ["Record", "Tombstone"]
    assert (stone["erased_kind"], stone["reason"]) == ("Entity", "asked to be forgotten")
    events = await desk.database.read("MATCH (e:Event {about: $id}) RETURN e.kind AS kind", id=person)
    assert [one["kind"] for one in events] == ["entity.erased"]
    again = await desk.save("Entity", {"aliases": [f"Old {FORGOTTEN}"]}, record_id=person, command_id="change")
    assert again.result == {"erased": True}


async def test_a_legal_hold_beats_erasure(desk: Desk) -> None:
    matter = await desk.new("Entity", name="M", kind="matter")
    memo = await desk.new("Entity", name="Memo", kind="document", matter_ids=[matter])
    viewer = await viewer_of(desk.database)
    await desk.records.set_legal_hold(viewer, RecordRef(id=matter), hold=True)
    for held in (memo, matter):
        with pytest.raises(HeldForLaw):
            await desk.records.erase(viewer, RecordRef(id=held), None)
    await desk.records.set_legal_hold(viewer, RecordRef(id=matter), hold=False)
    erased = await desk.records.erase(viewer, RecordRef(id=matter), None)
    assert erased.result == {"id": matter, "erased": 2}
    assert (await desk.stored(memo))["erased_kind"] == "Entity"


async def test_erasing_a_matter_spares_what_another_matter_shares(desk: Desk) -> None:
    one, other = (
        await desk.new("Entity", name="One", kind="matter"),
        await desk.new("Entity", name="Other", kind="matter"),
    )
    shared = await desk.new("Entity", name="Shared", kind="document", matter_ids=[one, other])
    await desk.records.erase(await viewer_of(desk.database), RecordRef(id=one), None)
    assert (await desk.stored(shared))["name"] == "Shared"


async def test_erasing_needs_an_administrator(desk: Desk) -> None:
    goal = await desk.new("Goal", name="G", goal_type="risk_control_goal", goal_statement="S")
    curator = await viewer_of(desk.database, scopes=[KeyScope.read, KeyScope.curate])
    with pytest.raises(NotAllowed):
        await desk.records.erase(curator, RecordRef(id=goal), None)


async def test_two_entities_become_one_and_both_ids_still_lead_there(desk: Desk) -> None:
    keep = await desk.new("Entity", name="Ada Lovelace", kind="person", keys=["ada@example.com"])
    double = await desk.new("Entity", name="A. Lovelace", kind="person", aliases=["Ada"], data_class="privileged")
    matter = await desk.new("Entity", name="Engine", kind="project")
    memo = await desk.new("Entity", name="Memo", kind="document")
    await desk.link(double, "INVOLVED_IN", matter, {"role": "author"})
    await desk.link(memo, "MENTIONS", double)
    await desk.link(memo, "MENTIONS", keep)
    viewer = await viewer_of(desk.database)
    await desk.records.merge(viewer, RecordRef(id=keep), RecordRef(id=double), "same address")
    kept = await desk.stored(keep)
    assert (kept["aliases"], kept["data_class"]) == (["A. Lovelace", "Ada"], "privileged")
    row = await desk.database.read_one(
        "MATCH (k {id: $keep})<-[:MERGED_INTO]-(d {id: $double}) "
        "RETURN d.lifecycle_state AS state, COUNT { (k)<-[:MENTIONS]-() } AS mentions, "
        "[(k)-[r:INVOLVED_IN]->() | r.role] AS roles, COUNT { (d)-[:INVOLVED_IN|MENTIONS]-() } AS left",
        keep=keep,
        double=double,
    )
    assert row == {"state": "archived", "mentions": 1, "roles": ["author"], "left": 0}


async def test_unlike_entities_are_not_merged(desk: Desk) -> None:
    person, folder = (
        await desk.new("Entity", name="P", kind="person"),
        await desk.new("Entity", name="F", kind="folder"),
    )
    matters = [await desk.new("Entity", name=name, kind="matter") for name in ("M", "N")]
    viewer = await viewer_of(desk.database)
    for keep, merge in ((person, folder), (person, person), (matters[0], matters[1])):
        with pytest.raises(KindsDiffer):
            await desk.records.merge(viewer, RecordRef(id=keep), RecordRef(id=merge), None)
