"""Saving records: once, with versions, within bounds, and only what the writer may give."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from graph_schema.model.texts import control_in
from service.access.viewer import KeyScope
from service.commands.errors import (
    ClassNotAllowed,
    CommandReused,
    InputInvalid,
    MatterNotAllowed,
    NotAllowed,
    RecordMissing,
    TextTooLong,
    VersionConflict,
)
from service.errors import TaskloreError
from service.records.errors import FieldUnknown
from tests.laws import law
from tests.records.conftest import Desk
from tests.viewers import viewer_of

GOAL = {"name": "Depth", "goal_type": "output_quality_goal", "goal_statement": "Go deep where it matters."}


async def test_a_saved_record_has_its_card_its_event_and_its_command(desk: Desk) -> None:
    outcome = await desk.save("Goal", GOAL)
    stored = await desk.stored(outcome.result["id"])
    assert stored["labels"] == ["Goal", "Record"]
    assert (stored["version"], stored["audience"], stored["goal_source"]) == (1, "internal|", "user_stated")
    row = await desk.database.read_one(
        "MATCH (c:Card)-[:DESCRIBES]->(g:Goal {id: $id}) MATCH (e:Event {about: $id}) "
        "MATCH (k:Command {command_id: e.command_id}) "
        "RETURN c.text AS text, c.audience AS audience, e.kind AS kind, k.command AS command",
        id=outcome.result["id"],
    )
    assert row
    assert GOAL["goal_statement"] in row["text"]
    assert (row["audience"], row["kind"], row["command"]) == ("internal|", "goal.created", "saveGoal")


async def test_the_same_command_again_returns_the_first_result(desk: Desk) -> None:
    first = await desk.save("Goal", GOAL, command_id="c1")
    again = await desk.save("Goal", GOAL, command_id="c1")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.result == first.result
    with pytest.raises(CommandReused):
        await desk.save("Goal", {**GOAL, "name": "Other"}, command_id="c1")
    other_caller = await viewer_of(desk.database, "prin_other")
    assert not (await desk.records.save(other_caller, "Goal", GOAL, command_id="c1")).replayed


async def test_the_same_command_at_the_same_moment_takes_effect_once(desk: Desk) -> None:
    outcomes = await asyncio.gather(*(desk.save("Goal", GOAL, command_id="same") for _ in range(8)))
    assert {one.result["id"] for one in outcomes} == {outcomes[0].result["id"]}
    assert [one.replayed for one in outcomes].count(False) == 1
    rows = await desk.database.read("MATCH (g:Goal) RETURN count(g) AS goals")
    assert rows[0]["goals"] == 1


async def test_a_change_keeps_the_former_state_and_repeats_even_when_the_version_moved(desk: Desk) -> None:
    goal = (await desk.save("Goal", GOAL)).result["id"]
    for version, name in enumerate(["Two", "Three", "Four"], start=1):
        changed = await desk.save("Goal", {"name": name}, record_id=goal, if_version=version, command_id=f"v{version}")
        assert changed.result == {"id": goal, "version": version + 1}
    again = await desk.save("Goal", {"name": "Two"}, record_id=goal, if_version=1, command_id="v1")
    assert (again.replayed, again.result["version"]) == (True, 2)
    rows = await desk.database.read("MATCH (:Goal)-[:PREVIOUS*]->(v:Version) RETURN v.name AS name ORDER BY v.version")
    assert [row["name"] for row in rows] == ["Depth", "Two", "Three"]


async def test_a_version_that_no_longer_holds_is_refused_with_the_current_one(desk: Desk) -> None:
    goal = (await desk.save("Goal", GOAL)).result["id"]
    outcomes = await asyncio.gather(
        *(desk.save("Goal", {"name": f"N{n}"}, record_id=goal, if_version=1) for n in range(5)),
        return_exceptions=True,
    )
    refused = [one for one in outcomes if isinstance(one, VersionConflict)]
    assert len(refused) == 4
    assert {one.facts["current_version"] for one in refused} == {2}


async def test_no_difference_is_no_change(desk: Desk) -> None:
    goal = (await desk.save("Goal", GOAL)).result["id"]
    assert (await desk.save("Goal", GOAL, record_id=goal)).result["version"] == 1
    rows = await desk.database.read("MATCH (e:Event {about: $id}) RETURN count(e) AS events", id=goal)
    assert rows[0]["events"] == 1


async def test_an_outside_key_finds_its_record(desk: Desk) -> None:
    keyed = {**GOAL, "source": "tracker", "source_key": "G-1"}
    first = await desk.save("Goal", keyed)
    second = await desk.save("Goal", {**keyed, "name": "Renamed"})
    assert (second.result["id"], second.result["version"]) == (first.result["id"], 2)
    with pytest.raises(InputInvalid):
        await desk.save("Goal", {**GOAL, "source": "tracker"})


async def test_a_null_clears_and_an_absent_field_stays(desk: Desk) -> None:
    values = {"name": "Ada", "kind": "person", "summary": "A person.", "aliases": ["A."]}
    entity = (await desk.save("Entity", values)).result["id"]
    await desk.save("Entity", {"summary": None}, record_id=entity)
    stored = await desk.stored(entity)
    assert "summary" not in stored
    assert stored["aliases"] == ["A."]


@pytest.mark.parametrize("field", ["data_class", "matter_ids"])
async def test_who_may_see_a_record_is_not_changed_by_nothing(desk: Desk, field: str) -> None:
    """It was taken and did nothing: whoever sent it believed the record open, or closed, and it was not."""
    matter = await desk.new("Entity", name="Marex", kind="matter")
    goal = await desk.new("Goal", **GOAL, data_class="privileged", matter_ids=[matter])
    with pytest.raises(InputInvalid) as refused:
        await desk.save("Goal", {field: None}, record_id=goal)
    assert (refused.value.field, (await desk.stored(goal))["data_class"]) == (field, "privileged")
    assert await desk.new("Goal", **GOAL, **{field: None})


async def test_the_second_label_follows_the_kind(desk: Desk) -> None:
    entity = (await desk.save("Entity", {"name": "Files", "kind": "library"})).result["id"]
    assert (await desk.stored(entity))["labels"] == ["Entity", "Library", "Record"]
    await desk.save("Entity", {"kind": "folder"}, record_id=entity)
    assert (await desk.stored(entity))["labels"] == ["Entity", "Record"]


@pytest.mark.parametrize(
    ("values", "error", "field"),
    [
        ({**GOAL, "goal_statement": "x" * 2_001}, TextTooLong, "goal_statement"),
        ({**GOAL, "goal_type": "wish"}, InputInvalid, "goal_type"),
        ({**GOAL, "confidence": 1.5}, InputInvalid, "confidence"),
        ({**GOAL, "name": ""}, InputInvalid, "name"),
        ({"name": "No type"}, InputInvalid, "goal_type"),
        ({**GOAL, "audience": "public|"}, FieldUnknown, "audience"),
        ({**GOAL, "version": 7}, FieldUnknown, "version"),
        ({**GOAL, "data_class": "secret"}, InputInvalid, "data_class"),
        ({**GOAL, "matter_ids": ["ent_missing"]}, RecordMissing, "matter_ids"),
    ],
)
async def test_a_refused_save_names_its_field_and_leaves_nothing(
    desk: Desk, values: dict[str, Any], error: type[TaskloreError], field: str
) -> None:
    with pytest.raises(error) as refused:
        await desk.save("Goal", values)
    assert refused.value.field == field
    rows = await desk.database.read("MATCH (n) WHERE n:Record OR n:Command OR n:Event RETURN count(n) AS nodes")
    assert rows[0]["nodes"] == 0


async def test_too_long_says_limit_and_size(desk: Desk) -> None:
    with pytest.raises(TextTooLong) as refused:
        await desk.save("Goal", {**GOAL, "goal_statement": "x" * 3_000})
    assert refused.value.facts == {"limit": 2_000, "size": 3_000}


async def test_a_writer_gives_away_no_more_than_they_hold(desk: Desk) -> None:
    matter = (await desk.save("Entity", {"name": "Marex", "kind": "matter"})).result["id"]
    outsider = await viewer_of(desk.database, "prin_out", clearance=DataClass.internal, matters=[])
    with pytest.raises(MatterNotAllowed):
        await desk.records.save(outsider, "Goal", {**GOAL, "matter_ids": [matter]})
    with pytest.raises(ClassNotAllowed):
        await desk.records.save(outsider, "Goal", {**GOAL, "data_class": "privileged"})
    with pytest.raises(RecordMissing):
        await desk.records.save(outsider, "Entity", {"name": "Taken"}, record_id=matter)
    reader = await viewer_of(desk.database, scopes=[KeyScope.read])
    with pytest.raises(NotAllowed):
        await desk.records.save(reader, "Goal", GOAL)


async def test_a_hidden_outside_key_is_as_free_as_any(desk: Desk) -> None:
    keyed = {**GOAL, "source": "tracker", "source_key": "G-1", "data_class": "privileged"}
    goal = (await desk.save("Goal", keyed)).result["id"]
    other = await viewer_of(desk.database, "prin_out", clearance=DataClass.internal)
    mine = {**keyed, "data_class": "internal", "name": "Mine now"}
    beside = (await desk.records.save(other, "Goal", mine)).result["id"]
    assert beside != goal
    assert (await desk.stored(goal))["name"] == "Depth"
    other = await viewer_of(desk.database, "prin_out", clearance=DataClass.internal)
    assert (await desk.records.save(other, "Goal", {**mine, "name": "Mine"})).result == {"id": beside, "version": 2}


HOSTILE = st.text(min_size=1, max_size=60).filter(lambda text: control_in(text) is None)


@law(8)
@given(name=HOSTILE, criteria=st.lists(HOSTILE, max_size=3))
async def test_any_text_comes_back_as_it_went_in(desk: Desk, name: str, criteria: list[str]) -> None:
    outcome = await desk.save("Goal", {**GOAL, "name": name, "success_criteria": criteria})
    stored = await desk.stored(outcome.result["id"])
    assert (stored["name"], stored["success_criteria"]) == (name, criteria)
