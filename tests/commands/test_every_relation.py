"""Whatever the relation, whatever the order: a record is as closed as what it comes from, on every way to read it."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import pytest

from embeddings import EmbeddingQueue
from graph_schema.model.fields import DataClass
from graph_schema.model.names import api_name
from graph_schema.model.parts import APART, LAST_OF, PART_OF
from graph_schema.model.relation import RelationField
from graph_schema.registry import REGISTRY
from resolvers import ground
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.limits import Limits
from resolvers.schema import build_schema
from service.access.audience import Access
from service.access.viewer import KeyScope, Viewer
from service.capability import Services
from service.graph.database import Database
from service.memory.reporting.inheritance import close
from service.memory.reporting.node import Node
from service.memory.reporting.world import RunState, World
from service.runtime.compose import services_alone
from service.search.request import searchable_kinds
from tests.commands.pairs import CLOSED, ENDS, NAME, OPEN, End, Pair, Place, Told, all_pairs
from tests.conftest import empty
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow

ROOM = Limits(page_size=10_000, cost=10**12)
AT_ONCE = 30
"""Records that one document asks for by `node`."""
TOGETHER = 4
"""Documents that are planned at the same time."""
CLASSES = ("public", "internal", "privileged", "local_only")


@dataclass(frozen=True)
class Reader:
    """Somebody who reads, and what they may see by a plain reckoning of class and matters."""

    name: str
    clearance: str
    matters: frozenset[str] | None
    """None for all of them."""
    viewer: Viewer

    def sees(self, told: Told, place: Place) -> bool:
        wanted, needed = (CLOSED, {told.matter}) if told.is_closed(place) else (OPEN, set[str]())
        inside = self.matters is None or needed <= self.matters
        return inside and CLASSES.index(self.clearance) >= CLASSES.index(wanted)


@dataclass(frozen=True)
class Desk:
    """All pairs in the graph, the schema to ask for them, and everybody who asks."""

    told: Told
    database: Database
    readers: list[Reader]
    schema: ReadSchema
    services: Services

    async def ask(self, reader: Reader, document: str, **variables: Any) -> dict[str, Any]:
        context = Context(reader.viewer, self.database, "request", self.services)
        answer = await self.schema.execute(document, variables, context)
        assert answer.errors is None, answer.errors
        assert answer.data
        return answer.data

    def wrong(self, reader: Reader, asked: Iterable[Place], found: set[str]) -> list[str]:
        """What this reader sees that is not theirs to see, and what they miss."""
        return [
            f"{reader.name} {'misses' if theirs else 'sees'} the {place[1]} of {self.told.pair(place)}"
            for place in asked
            if (theirs := reader.sees(self.told, place)) != (self.told.ids[place] in found)
        ]


@pytest.fixture(scope="module")
async def desk(migrated: Database) -> AsyncGenerator[Desk]:
    await empty(migrated)
    told = Told()
    await told.tell(migrated, await viewer_of(migrated, "prin_executor"))
    # Who searches for common words alone needs no vectors; the model's name is all that is asked of it.
    queue = SimpleNamespace(embedder=SimpleNamespace(key="none", unrelated=0.0))
    services = services_alone(migrated, cast("EmbeddingQueue", queue))
    schema = build_schema(fields=[ground.FIELDS], limits=ROOM)
    yield Desk(told, migrated, await _readers(migrated, told.matter), schema, services)
    await empty(migrated)


async def _readers(database: Database, matter: str) -> list[Reader]:
    people: list[tuple[str, DataClass, list[str] | None, tuple[KeyScope, ...]]] = [
        ("an administrator", DataClass.local_only, None, tuple(KeyScope)),
        ("a cleared member", DataClass.privileged, [matter], (KeyScope.read,)),
        ("a member who is not cleared", DataClass.internal, [matter], (KeyScope.read,)),
        ("who is cleared but no member", DataClass.privileged, ["ent_other"], (KeyScope.read,)),
        ("an outsider", DataClass.public, [], (KeyScope.read,)),
        ("prin_executor", DataClass.internal, [], (KeyScope.read, KeyScope.report)),
    ]
    return [
        Reader(
            name,
            clearance.value,
            None if matters is None else frozenset(matters),
            await viewer_of(database, name, clearance=clearance, matters=matters, scopes=scopes),
        )
        for name, clearance, matters, scopes in people
    ]


def test_every_relation_every_label_and_every_order_is_among_the_pairs() -> None:
    pairs = all_pairs()
    for relation in (one for one in REGISTRY.relations if one.inherits):
        own = [one for one in pairs if one.relation is relation]
        assert {one.tail for one in own} == {*REGISTRY.members(relation.tails)}
        assert {one.head for one in own} == {*REGISTRY.members(relation.heads)}
        handing_down = [one for one in own if all(map(one.is_closed, ENDS))]
        assert {one.order.index("close") for one in handing_down} == {1, 2, 3}
    assert {one.head for one in pairs if one.relation is None} == {*REGISTRY.parts}
    assert {one.label(end) for one in pairs for end in ENDS} == {*REGISTRY.types}


def test_what_is_a_part_or_is_said_to_be_apart_takes_over_access() -> None:
    """The tables of erasure say it a second time: a relation that stops handing down access is noticed."""
    ends = {**PART_OF, **LAST_OF}
    assert {*APART} <= {one.type for one in REGISTRY.relations if one.inherits}
    for one in REGISTRY.relations:
        if one.type in ends and one.type != "MERGED_INTO":  # a duplicate has the access that it had
            assert one.inherits in (ends[one.type], "both"), one.type


def test_a_report_settles_what_it_speaks_of_by_the_same_rule() -> None:
    for pair in all_pairs():
        world = World(REGISTRY, cast("Viewer", None), "2026-01-01T00:00:00.000Z")
        tail, head = (_node(pair, end) for end in ENDS)
        world.nodes = {(pair.tail, "of", "tail"): tail, (pair.head, "of", "head"): head}
        if pair.relation:
            world.link(tail, pair.relation.type, head, dict(pair.facts))
        else:
            world.runs = {(pair.tail, "of", "tail"): RunState((pair.tail, "of", "tail"), tail.id, cast("Any", None))}
        close(world)
        for end, node in zip(ENDS, (tail, head), strict=True):
            assert node.properties["data_class"] == (CLOSED if pair.is_closed(end) else OPEN), f"{end} of {pair}"


def _node(pair: Pair, end: End) -> Node:
    access = Access(DataClass(CLOSED if end == pair.closed else OPEN), frozenset({"m"} if end == pair.closed else ()))
    of_run = {"run_id": "tail"} if pair.relation is None and end == "head" else {}
    return Node(pair.label(end), {"id": end, **access.values(), **of_run}, is_new=False)


async def test_ids_lead_to_what_the_rule_lets_everybody_see(desk: Desk) -> None:
    ids = desk.told.ids
    sample = desk.told.sample
    wrong: list[str] = []
    for reader in desk.readers:
        data = await desk.ask(reader, "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=[*ids.values()])
        wrong += desk.wrong(reader, ids, {one["id"] for one in data["nodes"] if one})
        found: set[str] = set()
        for start in range(0, len(sample), AT_ONCE):
            asked = [ids[place] for place in sample[start : start + AT_ONCE]]
            asked += ["goal_missing"] * (AT_ONCE - len(asked))
            data = await desk.ask(reader, NODES, **{f"id{place}": one for place, one in enumerate(asked)})
            found |= {one["id"] for one in data.values() if one}
        wrong += desk.wrong(reader, sample, found)
    assert wrong == []


NODES = f"""query ({" ".join(f"$id{place}: ID!" for place in range(AT_ONCE))}) {{
  {" ".join(f"n{place}: node(id: $id{place}) {{ id }}" for place in range(AT_ONCE))} }}"""


async def test_lists_counts_and_relations_show_what_the_rule_lets_everybody_see(desk: Desk) -> None:
    turns = asyncio.Semaphore(TOGETHER)

    async def listed(label: str) -> list[str]:
        async with turns:
            return [line for reader in desk.readers for line in await _listed(desk, reader, label)]

    assert [line for lines in await asyncio.gather(*map(listed, REGISTRY.types)) for line in lines] == []


async def _listed(desk: Desk, reader: Reader, label: str) -> list[str]:
    told = desk.told
    places = [place for place in told.ids if told.label(place) == label]
    relations = {api_name(one.name): one for one in _asked(label)}
    below = " ".join(f"{name} {{ {_count(one)} nodes {{ ... on Node {{ id }} }} }}" for name, one in relations.items())
    document = f"""query ($ids: [ID!]!) {{ page: {api_name(REGISTRY.types[label].plural)}(
      first: 5000, filter: {{id: {{in: $ids}}}}) {{ totalCount nodes {{ id {below} }} }} }}"""
    page = (await desk.ask(reader, document, ids=[told.ids[place] for place in places]))["page"]
    wrong = desk.wrong(reader, places, {one["id"] for one in page["nodes"]})
    if page["totalCount"] != len(page["nodes"]):
        wrong.append(f"{reader.name} counts {page['totalCount']} of {label} and sees {len(page['nodes'])}")
    for record in page["nodes"]:
        for name, relation in relations.items():
            wanted = [one for one in _linked(told, record["id"], relation) if reader.sees(told, told.places[one])]
            shown = [one["id"] for one in record[name]["nodes"]]
            if sorted(shown) != sorted(wanted) or record[name].get("totalCount", len(shown)) != len(shown):
                wrong.append(f"{reader.name}: {label}.{name} of {told.pair(told.places[record['id']])}")
    return wrong


def _count(field: RelationField) -> str:
    """Counted from one end alone: to plan it is what takes the time."""
    return "totalCount" if field.outgoing else ""


def _asked(label: str) -> Iterator[RelationField]:
    """The relations that are asked for of this label: each from one label at either end, of many another each time."""
    for place, relation in enumerate(one for one in REGISTRY.relations if one.inherits):
        for one in REGISTRY.relation_fields(label).values():
            ends = REGISTRY.members(relation.tails if one.outgoing else relation.heads)
            if one.relation is relation and ends[place % len(ends)] == label:
                yield one


def _linked(told: Told, record_id: str, field: RelationField) -> Iterator[str]:
    here, there = ("tail", "head") if field.outgoing else ("head", "tail")
    for link in told.links:
        if link["type"] == field.relation.type and link[here] == record_id:
            label = REGISTRY.type_of_id(link["tail"])
            if label and label.label in REGISTRY.members(field.relation.tails):
                yield link[there]


async def test_former_states_are_for_who_sees_the_record_today(desk: Desk) -> None:
    told = desk.told
    fragments = " ".join(f"... on {label} {{ history {{ states {{ version }} }} }}" for label in REGISTRY.types)
    document = f"query ($ids: [ID!]!) {{ nodes(ids: $ids) {{ id {fragments} }} }}"
    for reader in desk.readers:
        data = await desk.ask(reader, document, ids=[told.ids[place] for place in told.sample])
        found = {one["id"]: len(one["history"]["states"]) for one in data["nodes"] if one}
        assert desk.wrong(reader, told.sample, {*found}) == []
        for record_id, states in found.items():
            number, end = told.places[record_id]
            assert states == (2 if told.pairs[number].closed == end else 1)


async def test_search_finds_what_the_rule_lets_everybody_see(desk: Desk) -> None:
    told = desk.told
    kinds = searchable_kinds(REGISTRY)
    carded = [place for place in told.sample if told.label(place) in kinds]
    assert carded
    document = "query ($t: String!, $k: [String!]) { search(text: $t, kinds: $k, first: 100) { hits { id } } }"
    for reader in desk.readers:
        data = await desk.ask(reader, document, t=NAME, k=[*kinds])
        assert desk.wrong(reader, carded, {one["id"] for one in data["search"]["hits"]}) == []


async def test_events_are_for_who_sees_what_they_are_about(desk: Desk) -> None:
    told = desk.told
    rows = await desk.database.read("MATCH (e:Event) RETURN e.about AS about, e.audience AS audience")
    assert {row["about"] for row in rows} == {*told.ids.values()}
    for reader in desk.readers:
        heard = {row["about"] for row in rows if row["audience"] in reader.viewer.audiences}
        assert desk.wrong(reader, told.ids, heard) == []
