"""The doctor finds each kind of damage that it claims to find, and nothing in a graph that is well."""

from collections.abc import AsyncGenerator, Sequence
from typing import LiteralString

import pytest

from embeddings import EmbeddingQueue, Vectors
from graph_schema.output.ddl import vector_property
from graph_schema.registry import REGISTRY
from service.access.viewer import OPERATOR, KeyScope
from service.doctor import CHECKS, MENDED, Finding, Mender, Severity, examine
from service.doctor.finding import Tally
from service.doctor.references import References
from service.doctor.schema import check_schema
from service.graph.database import Database
from service.graph.migrations import migrate
from service.graph.migrations.migrate import Found, find, plan_for
from service.ids import new_id
from service.principals.owner import operator_commands
from tests.graph.conftest import GROWN, Add, drop_vectors
from tests.graph.test_cards import DIMENSIONS, Hashing

VECTOR = vector_property("doctor_q1")

# The links that a graph of these records may have, a former state, an event, and vectors for all cards.
COMPLETE: LiteralString = """
MATCH (goal:Goal {id: 'goal_a'}), (matter:Matter {id: 'ent_m'}), (document:Document {id: 'ent_d'})
CREATE (goal)-[:CONCERNS]->(matter)
CREATE (document)-[:PART_OF {valid_from: '2026-01-31T09:30:00.000Z'}]->(matter)
CREATE (:Event {event_id: 'evt_a', about: goal.id, kind: 'goal.updated'})
SET goal.version = 3
CREATE (goal)-[:PREVIOUS]->(:Version {record_id: goal.id, version: 2})
  -[:PREVIOUS]->(:Version {record_id: goal.id, version: 1})
CREATE (goal)-[:FORMER_LINK]->(:Version {record_id: goal.id})
WITH 1 AS done
MATCH (card:Card)
SET card[$vector] = [0.5, 0.5, 0.5, 0.5], card.embedding_model = $model, card.embedded_hash = card.text_hash,
  card.embedded_at = card.created_at
"""


@pytest.fixture(scope="module")
async def no_vector_index_afterwards(migrated: Database) -> AsyncGenerator[None]:
    yield
    await drop_vectors(migrated)


@pytest.fixture
async def with_vector_index(migrated: Database, no_vector_index_afterwards: None) -> None:
    """Of one model alone. A test that changes the schema drops it."""
    shown = await migrated.read("SHOW VECTOR INDEXES YIELD name RETURN name")
    if not shown or not all(row["name"].endswith("_doctor_q1") for row in shown):
        await drop_vectors(migrated)
        await migrate(migrated, REGISTRY, embedder_key="doctor_q1", dimensions=4)


@pytest.fixture
async def world(database: Database, add: Add, with_vector_index: None) -> Database:
    """A small graph in which nothing is wrong."""
    await add("Entity", "ent_m", name="Marex", kind="matter", matter_ids=["ent_m"])
    await add("Entity", "ent_d", name="Contract", kind="document", matter_ids=["ent_m"], data_class="privileged")
    await add("Entity", "ent_p", name="Ada", kind="person", aliases=["A. L."], source="crm", source_key="7")
    await add(
        "Goal", "goal_a", name="Close", goal_type="task_outcome_goal", goal_statement="Close it.", matter_ids=["ent_m"]
    )
    await add("Preference", "pref_a", name="Brief", statement="Keep it brief.", **{"global": True})
    await add("Tombstone", "goal_gone", name="Erased Goal", erased_kind="Goal", erased_at="2026-01-31T09:30:00.000Z")
    await database.run_alone(COMPLETE, vector=VECTOR, model="doctor_q1")
    return database


async def _findings(database: Database) -> list[Finding]:
    return await examine(database, REGISTRY, embedder_key="doctor_q1", dimensions=4)


async def _checks(database: Database) -> set[str]:
    return {one.check for one in await _findings(database)}


@pytest.mark.slow
async def test_nothing_is_wrong_with_a_good_graph(world: Database) -> None:
    assert await _findings(world) == []


async def test_nothing_is_wrong_with_an_empty_graph(database: Database, with_vector_index: None) -> None:
    assert await _findings(database) == []


async def test_nothing_is_wrong_with_principals_that_were_changed(world: Database) -> None:
    """Administrators change principals and keys every day, and each change leaves a former state and an event."""
    commands = operator_commands(world)
    await commands.create_principal(OPERATOR, {"name": "ada"})
    created = await commands.create_key(OPERATOR, {"principal": "ada", "name": "a key", "scopes": [KeyScope.read]})
    for change in ({"clearance": "privileged"}, {"name": "Ada"}, {"all_matters": True}):
        await commands.change_principal(OPERATOR, "Ada" if "all_matters" in change else "ada", change)
    await commands.grant_matters(OPERATOR, "Ada", ["ent_m"])
    await commands.revoke_key(OPERATOR, created.key["id"])
    await commands.disable_principal(OPERATOR, "Ada")
    assert await _findings(world) == []


DAMAGES: dict[str, tuple[str, LiteralString]] = {
    "label Record is lost": ("label_without_record", "MATCH (n:Preference) REMOVE n:Record"),
    "label that nobody knows": ("label_unknown", "MATCH (n:Preference) REMOVE n:Preference SET n:Unheard"),
    "two kinds at once": ("label_unknown", "MATCH (n:Preference) SET n:Goal"),
    "second label is lost": ("label_second", "MATCH (n:Document) REMOVE n:Document"),
    "second label too many": ("label_second", "MATCH (n:Entity {id: 'ent_p'}) SET n:Library"),
    "no id": ("id_missing", "MATCH (n:Preference) REMOVE n.id"),
    "id is a number": ("id_missing", "MATCH (n:Preference) SET n.id = 7"),
    "id of another type": ("id_of_other_type", "MATCH (n:Preference) SET n.id = 'goal_other'"),
    "required property": ("property_missing", "MATCH (n:Goal) REMOVE n.goal_statement"),
    "common property": ("property_missing", "MATCH (n:Goal) REMOVE n.version"),
    "wrong type": ("property_invalid", "MATCH (n:Goal) SET n.confidence = 'high'"),
    "text as number": ("property_invalid", "MATCH (n:Goal) SET n.goal_statement = 7"),
    "temporal type": ("property_invalid", "MATCH (n:Goal) SET n.goal_statement = date('2026-01-31')"),
    "wrong enum value": ("property_invalid", "MATCH (n:Goal) SET n.goal_type = 'whim'"),
    "wrong list": ("property_invalid", "MATCH (n:Entity {id: 'ent_p'}) SET n.aliases = [1, 2]"),
    "too long": ("property_invalid", "MATCH (n:Goal) SET n.name = reduce(s = '', i IN range(0, 300) | s + 'x')"),
    "no timestamp": ("property_invalid", "MATCH (n:Goal) SET n.created_at = 'yesterday'"),
    "unknown property": ("property_unknown", "MATCH (n:Goal) SET n.mood = 'good'"),
    "state of another type": ("state_of_other_type", "MATCH (n:Goal) SET n.lifecycle_state = 'candidate_update'"),
    "half a natural key": ("natural_key_half", "MATCH (n:Entity {id: 'ent_p'}) REMOVE n.source_key"),
    "wrong audience": ("audience_wrong", "MATCH (n:Document) SET n.audience = 'public|'"),
    "class without audience": ("audience_wrong", "MATCH (n:Document) SET n.data_class = 'local_only'"),
    "audience without node": ("audience_unlisted", "MATCH (a:Audience {audience: 'internal|'}) DELETE a"),
    "card less protected": (
        "access_not_inherited",
        "MATCH (n:Card)-[:DESCRIBES]->(:Document) SET n.data_class = 'public', n.own_data_class = 'public'",
    ),
    "own class forgotten": ("access_not_inherited", "MATCH (n:Preference) SET n.own_data_class = 'local_only'"),
    "own matter forgotten": ("access_not_inherited", "MATCH (n:Preference) SET n.own_matter_ids = ['ent_m']"),
    "unknown relation": ("relation_unknown", "MATCH (g:Goal), (e:Matter) CREATE (g)-[:ADMIRES]->(e)"),
    "relation the wrong way": ("relation_misplaced", "MATCH (g:Goal), (e:Matter) CREATE (e)-[:CONCERNS]->(g)"),
    "unknown fact on a link": ("relation_property", "MATCH ()-[r:CONCERNS]->() SET r.mood = 'good'"),
    "wrong type on a link": ("relation_property", "MATCH ()-[r:PART_OF]->() SET r.valid_from = 7"),
    "matter that is none": (
        "matter_missing",
        """
        MATCH (n:Preference) SET n.matter_ids = ['ent_p'], n.audience = 'internal|ent_p'
        MERGE (:Audience {audience: 'internal|ent_p'})
        """,
    ),
    "matter that is gone": ("matter_missing", "MATCH (n:Preference) SET n.own_matter_ids = ['ent_gone']"),
    "event about nothing": ("event_dangling", "CREATE (:Event {event_id: 'evt_b', about: 'goal_never'})"),
    "former state cut off": (
        "version_chain",
        "MATCH (:Version)-[r:PREVIOUS]->(:Version) DELETE r",
    ),
    "former state of another record": ("version_chain", "MATCH (v:Version {version: 1}) SET v.record_id = 'goal_b'"),
    "former state lost": ("version_chain", "MATCH (:Goal)-[r:PREVIOUS]->(v) DETACH DELETE v"),
    "no former state": ("version_chain", "MATCH (p:Preference) SET p.version = 2"),
    "no card": ("card_missing", "MATCH (c:Card)-[:DESCRIBES]->(:Preference) DETACH DELETE c"),
    "card of nothing": ("card_orphan", "MATCH (c:Card)-[r:DESCRIBES]->(:Preference) DELETE r"),
    "two cards": (
        "card_duplicate",
        """
        MATCH (c:Card)-[:DESCRIBES]->(n:Preference) CREATE (d:Card:Record) SET d = c {.*, id: 'card_second'}
        CREATE (d)-[:DESCRIBES]->(n)
        """,
    ),
    "card with a former text": ("card_stale", "MATCH (n:Preference) SET n.statement = 'Go into detail.'"),
    "card not embedded": ("card_behind", "MATCH (c:Card) REMOVE c.embedded_hash"),
    "vector of a former text": ("card_behind", "MATCH (c:Card) SET c.embedded_hash = 'former'"),
    "card of another model": ("card_behind", "MATCH (c:Card) SET c.embedding_model = 'other_q1'"),
    "vector of another model": ("vector_of_other_model", "MATCH (c:Card) SET c.embedding_other_q1 = [1.0]"),
    "vector of the wrong size": ("vector_wrong_size", "MATCH (c:Card) SET c.embedding_doctor_q1 = [1.0, 0.0]"),
    "vector that is none": ("vector_wrong_size", "MATCH (c:Card) SET c.embedding_doctor_q1 = 'vector'"),
    "no vector": ("vector_missing", "MATCH (c:Card) REMOVE c.embedding_doctor_q1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
async def test_each_damage_is_found(world: Database, damage: str) -> None:
    check, statement = DAMAGES[damage]
    await world.run_alone(statement)
    found = {one.check: one for one in await _findings(world)}
    assert check in found
    assert found[check].count >= 1
    assert 1 <= len(found[check].samples) <= 5
    assert found[check].remedy


class Small(Hashing):
    """The model whose vectors the graph of these tests holds."""

    dimensions = 4

    def __init__(self) -> None:
        super().__init__("doctor")
        self.key = "doctor_q1"

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        return super().embed_texts(texts)[:, :4]


@pytest.fixture
async def mender(world: Database) -> AsyncGenerator[Mender]:
    queue = EmbeddingQueue(Small())
    yield Mender(world, REGISTRY, queue, lambda _line: None)
    await queue.aclose()


@pytest.mark.slow
@pytest.mark.parametrize("damage", [name for name, (check, _) in DAMAGES.items() if check in MENDED])
async def test_what_follows_from_something_else_is_mended(world: Database, mender: Mender, damage: str) -> None:
    check, statement = DAMAGES[damage]
    await world.run_alone(statement)
    mended, left = await mender.mend()
    if damage in CLOSED_BY_HAND:
        assert [(one.check, one.samples) for one in left] == [(check, ("ent_d",))]
        return
    assert left == []
    assert any(check in one.checks and one.count and one.samples and one.done for one in mended)
    assert await mender.mend() == ([], [])


CLOSED_BY_HAND = {"class without audience"}
"""Its class is stricter than what it was given and what it came from: which of them is right, a person knows."""

BEYOND: tuple[LiteralString, ...] = (
    "MATCH (n:Preference) SET n.mood = 'good'",
    "MATCH (n:Goal) REMOVE n.goal_statement",
    "MATCH (n:Entity {id: 'ent_p'}) REMOVE n.source_key",
    """
    MATCH (c:Card)-[:DESCRIBES]->(n:Entity {id: 'ent_p'})
    MERGE (a:Audience {audience: 'internal|ent_gone'})
    SET n.matter_ids = ['ent_gone'], n.audience = a.audience, c.matter_ids = ['ent_gone'], c.audience = a.audience
    """,
    "MATCH (g:Goal), (e:Matter) CREATE (g)-[:ADMIRES]->(e)",
    "MATCH ()-[r:PART_OF]->() SET r.valid_from = 7",
    "MATCH (:Version)-[r:PREVIOUS]->(:Version) DELETE r",
    "CREATE (:Unheard:Record {id: 'what_is_it'})",
)
WHOLE: LiteralString = """
MATCH (n) WHERE NOT n:Migration
WITH n ORDER BY elementId(n)
RETURN collect([labels(n), properties(n), COLLECT { MATCH (n)-[r]->(m) RETURN [type(r), m.id] ORDER BY m.id }]) AS whole
"""


@pytest.mark.slow
async def test_what_nobody_can_know_from_the_graph_is_left_with_advice(world: Database, mender: Mender) -> None:
    for statement in BEYOND:
        await world.run_alone(statement)
    before, found = await world.read(WHOLE), await _findings(world)
    mended, left = await mender.mend()
    assert mended == []
    assert left == found
    assert {one.check for one in left} == {
        "property_unknown",
        "property_missing",
        "natural_key_half",
        "matter_missing",
        "relation_unknown",
        "relation_property",
        "version_chain",
        "label_unknown",
    }
    assert all(one.remedy for one in left)
    assert await world.read(WHOLE) == before


@pytest.mark.slow
async def test_several_damages_at_once_are_mended_and_the_rest_is_left(world: Database, mender: Mender) -> None:
    await world.run_alone("MATCH (c:Card)-[:DESCRIBES]->(:Preference) DETACH DELETE c")
    await world.run_alone("MATCH (n:Document) SET n.audience = 'public|'")
    await world.run_alone("MATCH (n:Preference) SET n.mood = 'good'")
    mended, left = await mender.mend()
    assert [one.checks[0] for one in mended] == ["audience_wrong", "card_missing", "card_behind"]
    assert [one.check for one in left] == ["property_unknown"]


EMBEDDED: LiteralString = """
MATCH (card:Card {describes_kind: 'Template'})
SET card[$vector] = [0.5, 0.5, 0.5, 0.5], card.embedding_model = 'doctor_q1', card.embedded_hash = card.text_hash,
  card.embedded_at = card.created_at
"""
BESIDE: LiteralString = """
MATCH (card:Card {describes_kind: 'Template'})
SET card.embedding_beside_1 = $vector, card.second_model = 'beside_1', card.second_hash = card.text_hash
"""


async def test_the_second_models_vector_is_missed_where_something_can_be_matched(world: Database, add: Add) -> None:
    await add("Template", "tpl_a", name="Draft")
    await world.run_alone(EMBEDDED, vector=VECTOR)

    async def found() -> list[tuple[str, str]]:
        second = Hashing("beside")
        told = await examine(world, REGISTRY, embedder_key="doctor_q1", dimensions=4, second=second)
        return [(one.check, one.subject) for one in told]

    assert await found() == [("card_behind", "Card")]
    await world.run_alone(BESIDE, vector=[0.5] * DIMENSIONS)
    assert await found() == []
    assert await _checks(world) == {"vector_of_other_model"}
    await world.run_alone(BESIDE, vector=[0.5])
    assert await found() == [("vector_wrong_size", "embedding_beside_1")]
    await world.run_alone(BESIDE, vector=None)
    assert await found() == [("vector_missing", "embedding_beside_1")]


async def test_a_reference_to_a_missing_record(world: Database) -> None:
    """Today's records refer by id to matters alone; the check knows the fields of later ones by their names."""
    tally = Tally()
    references = References(GROWN, tally)
    never = new_id("goal")
    values = {"goal_ids": ["goal_a", "goal_gone", never, "goal_agent", "their own id"], "matter_of_taste": never}
    references.note("later_a", GROWN.types["Later"], values)
    await references.settle(world)
    [found] = tally.findings()
    assert (found.check, found.subject, found.samples) == (
        "reference_dangling",
        f"Later.goal_ids {never}",
        ("later_a",),
    )


STUB: LiteralString = """
MATCH (p:Preference {id: 'pref_a'})
CREATE (n:Goal:Record)
SET n = p {
  id: 'goal_stub', stub: true, audience: 'stub|prin_a', source: 'crm', source_key: '9', .name, .created_at,
  .updated_at, .version, .schema_version, .lifecycle_state, .data_class, .matter_ids, .own_data_class, .own_matter_ids
}
CREATE (:Audience {audience: 'stub|prin_a'})
"""


async def test_a_stub_needs_only_what_is_known_of_it(world: Database) -> None:
    await world.run_alone(STUB)
    assert await _findings(world) == []


SCHEMA_DAMAGES: dict[str, tuple[str, LiteralString]] = {
    "index dropped": ("index_missing", "DROP INDEX entity_created_at"),
    "constraint dropped": ("index_missing", "DROP CONSTRAINT event_event_id_unique"),
    "vector index dropped": ("index_missing", "DROP INDEX card_vector_doctor_q1"),
    "migrations forgotten": ("migration_pending", "MATCH (m:Migration) DELETE m"),
    "vector index of another model": (
        "index_of_other_model",
        """
        CREATE VECTOR INDEX card_vector_other_q1 FOR (n:Card) ON (n.embedding_other_q1)
        OPTIONS {indexConfig: {`vector.dimensions`: 4, `vector.similarity_function`: 'cosine'}}
        """,
    ),
}


@pytest.mark.slow
async def test_a_schema_is_mended_unless_data_stand_against_it(schema_put_back: Database, add: Add) -> None:
    await migrate(schema_put_back, REGISTRY, embedder_key="doctor_q1", dimensions=4)
    await schema_put_back.run_alone("DROP INDEX entity_created_at")
    await schema_put_back.run_alone("DROP INDEX run_task_key")
    await schema_put_back.run_alone("CREATE INDEX run_task_key FOR (n:Run) ON (n.title)")
    queue = EmbeddingQueue(Small())
    mender = Mender(schema_put_back, REGISTRY, queue, lambda _line: None)
    mended, left = await mender.mend()
    assert ([one.samples for one in mended], left) == ([("schema",)], [])
    await schema_put_back.run_alone("DROP CONSTRAINT record_source_source_key_realm_unique")
    for record_id in ("pref_a", "pref_b"):
        await add("Preference", record_id, name="Same", statement="Same.", source="crm", source_key="1", realm="")
    mended, left = await mender.mend()
    assert {"index_missing", "duplicate_key"} <= {one.check for one in left}
    assert not {"index_missing"} & {check for one in mended for check in one.checks}
    await queue.aclose()


@pytest.mark.parametrize("damage", SCHEMA_DAMAGES)
async def test_each_damage_of_the_schema_is_found(schema_put_back: Database, damage: str) -> None:
    await migrate(schema_put_back, REGISTRY, embedder_key="doctor_q1", dimensions=4)
    check, statement = SCHEMA_DAMAGES[damage]
    await schema_put_back.run_alone(statement)
    assert check in await _checks(schema_put_back)


async def test_an_index_with_another_definition(schema_put_back: Database) -> None:
    await schema_put_back.run_alone("DROP INDEX entity_created_at")
    await schema_put_back.run_alone("CREATE INDEX entity_created_at FOR (n:Entity) ON (n.media_type)")
    assert "index_different" in await _checks(schema_put_back)


async def test_duplicates_where_the_constraint_is_gone(schema_put_back: Database, add: Add) -> None:
    await schema_put_back.run_alone("DROP CONSTRAINT record_source_source_key_realm_unique")
    for record_id in ("pref_a", "pref_b"):
        await add("Preference", record_id, name="Same", statement="Same.", source="crm", source_key="1", realm="")
    [found] = [one for one in await _findings(schema_put_back) if one.check == "duplicate_key"]
    assert found.count == 1
    assert "source" in found.subject


@pytest.mark.parametrize(("state", "check"), [("FAILED", "index_failed"), ("POPULATING", "index_populating")])
async def test_an_index_that_does_not_answer(database: Database, state: str, check: str) -> None:
    """Neo4j cannot be made to fail an index on demand, so its row says so."""
    found = await find(database)
    shown = {**found.shown, "entity_created_at": {**found.shown["entity_created_at"], "state": state}}
    tally = Tally()
    await check_schema(database, REGISTRY, plan_for(REGISTRY, None, None, ()), Found(found.recorded, shown), tally)
    assert [one.check for one in tally.findings()] == [check]


def test_every_check_says_what_to_do() -> None:
    assert all(one.remedy and one.meaning and isinstance(one.severity, Severity) for one in CHECKS.values())


def test_every_check_is_tested() -> None:
    tested = {check for check, _ in (*DAMAGES.values(), *SCHEMA_DAMAGES.values())}
    apart = {"index_different", "duplicate_key", "index_failed", "index_populating", "reference_dangling"}
    assert tested | apart == CHECKS.keys()
