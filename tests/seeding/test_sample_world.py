"""The sample world: whole, consistent, and loaded only once."""

from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.graph.database import Database
from service.records.rules import allowed_relation
from service.seeding import (
    Loaded,
    read_afterwards,
    read_late_links,
    read_packets,
    read_scopes,
    read_stories,
    read_world,
    seed,
)
from service.seeding.judging import read_judged
from service.seeding.learning import read_year
from tests.viewers import viewer_of


def test_every_link_joins_records_of_the_world_by_a_relation_of_the_registry() -> None:
    world = read_world()
    keys = [one.key for one in world.records]
    assert len(keys) == len(set(keys))
    for link in world.links:
        assert allowed_relation(REGISTRY, link.type, world.label_of(link.tail), world.label_of(link.head))


def test_the_world_has_two_matters_with_people_documents_libraries_conversations_and_goals() -> None:
    world = read_world()
    for matter in ("marex", "narayanan"):
        own = [one for one in world.records if one.matter == matter]
        kinds = {one.values.get("kind") for one in own if one.label == "Entity"}
        assert kinds >= {"person", "organisation", "document", "library", "conversation"}
        assert any(one.label == "Goal" for one in own)
    assert {one.values["data_class"] for one in world.records} == {"internal", "privileged", "local_only"}


async def test_loading_again_changes_nothing(told: Database, loaded: Loaded) -> None:
    world = read_world()
    parts = (
        world.records,
        world.links,
        world.graphs,
        world.segments,
        world.blueprints,
        world.invocations,
        world.outcomes,
        world.asks,
        read_stories(),
        read_afterwards(),
        read_late_links(),
        read_scopes(),
        read_packets(),
    )
    year = read_year()
    taught = len(year.feedback) + 1 + sum(1 + len(one.then) for one in year.proposals) + 2 * len(year.prompts)
    judged = read_judged()
    given = sum(1 + len(one.tries) for one in judged.datasets) + sum(
        4 if one.candidates else 1 for one in judged.prompts
    )
    taught += len(judged.assessed) + 1 + given
    saved = [turn for one in world.designs for turn in one.turns if turn.task]
    designed = sum(1 + len(one.turns) for one in world.designs) + sum(2 + bool(turn.edited) for turn in saved)
    catalogued = 1 + len(world.states) + 1  # with the knowledge pack
    attended = sum(len(one.events) + one.commands for one in world.attention)
    shared = sum(1 + bool(one.closed) for one in world.shares)
    size = sum(len(one) for one in parts) + taught + designed + catalogued + attended + shared
    assert loaded == Loaded(size, 0)
    before = await _picture(told)
    assert await seed(told, lambda _line: None) == Loaded(0, size - 1)  # a pack that is there is not compiled again
    assert await _picture(told) == before


async def test_nobody_of_one_matter_sees_the_other(told: Database) -> None:
    rows = await told.read("MATCH (m:Matter) RETURN m.name AS name, m.id AS id")
    ids = {row["name"]: row["id"] for row in rows}
    marex = await viewer_of(told, "prin_marex", matters=[ids["Marex"]], scopes=(KeyScope.read,))
    rows = await told.read(
        "MATCH (n:Record) WHERE n.audience IN $audiences RETURN collect(n.name) AS names", audiences=marex.audiences
    )
    assert "Julian Calder" in rows[0]["names"]
    assert not [name for name in rows[0]["names"] if "Narayanan" in name]


async def _picture(database: Database) -> dict[str, int] | None:
    return await database.read_one(
        "RETURN COUNT { MATCH (n) } AS nodes, COUNT { MATCH ()-[r]->() } AS links, COUNT { MATCH (:Version) } AS former"
    )
