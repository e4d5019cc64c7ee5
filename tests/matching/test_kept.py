"""A kept match tells what was weighed, and is the same again until something changes."""

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import Commands
from service.commands.errors import RecordMissing
from service.matching.keep import KeptMatches
from service.matching.request import MatchRequest
from tests.matching.world import FAMILY, Shelf

pytestmark = pytest.mark.slow

WANTED = MatchRequest("audit this complaint", inputs=("complaint",), entities=("ent_unknown",))


def kept(shelf: Shelf) -> KeptMatches:
    commands = Commands(shelf.database, REGISTRY, lambda _new_audience: None)
    return KeptMatches(commands, shelf.database, shelf.matching)


async def keep(shelf: Shelf, viewer: Viewer, command_id: str | None = None) -> str:
    return (await kept(shelf).keep(viewer, "Template", WANTED, command_id=command_id)).result["id"]


async def test_a_match_is_kept_once_with_all_that_was_weighed(shelf: Shelf) -> None:
    await shelf.family()
    viewer = await shelf.viewer()
    match = await keep(shelf, viewer, "first")
    assert await keep(shelf, viewer, "first") == match
    rows = await shelf.database.read(
        "MATCH (m:MatchDecision)-[w:WEIGHED]->(t:Template) RETURN m.outcome AS outcome, t.name AS name ORDER BY w.rank"
    )
    assert len(rows) == len(FAMILY)
    assert (rows[0]["name"], rows[0]["outcome"]) == ("Complaint Evaluation", "match")


async def test_replayed_it_is_the_same_until_the_library_changes(shelf: Shelf) -> None:
    ids = await shelf.family()
    viewer = await shelf.viewer()
    match = await keep(shelf, viewer)
    again = await kept(shelf).compare(viewer, match)
    assert (again.same, again.same_ranker) == (True, True)
    await shelf.records.save(viewer, "Template", {"description": "Audits."}, record_id=ids["Complaint Evaluation"])
    await shelf.embed()
    changed = await kept(shelf).compare(viewer, match)
    assert not changed.same
    assert [one.name for one in changed.moved if one.changed] == ["Complaint Evaluation"]


async def test_a_match_that_weighed_what_is_hidden_is_hidden(shelf: Shelf) -> None:
    await shelf.family()
    matter = await shelf.add("Narayanan", label="Entity", kind="matter")
    await shelf.add("Secret Audit", ("audit this complaint",), matter_ids=[matter])
    await shelf.embed()
    match = await keep(shelf, await shelf.viewer())
    outsider = await shelf.viewer(principal_id="prin_other", matters=[])
    with pytest.raises(RecordMissing):
        await kept(shelf).compare(outsider, match)
