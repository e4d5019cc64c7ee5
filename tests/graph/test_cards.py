"""Cards: their text, their vectors, and changing the model without ever mixing two."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import LiteralString

import numpy as np
import pytest

from embeddings import EmbeddingQueue, Vectors
from graph_schema.model.fields import LONG_TEXT_LENGTH
from graph_schema.registry import REGISTRY
from service.cards import cypher
from service.cards.embedding import count_behind, embed_behind, mark_behind, reembed
from service.commands.card_text import card_text, text_hash
from service.graph.database import Database
from service.graph.migrations.schema import shown_indexes
from tests.graph.conftest import Add
from tests.plans import operators, plan_anew

DIMENSIONS = 8
CHANGE_TEXT: LiteralString = """
MATCH (c:Card {id: 'card_pref_1'}) SET c.text = 'new', c.text_hash = 'new hash', c.vector_due = true
"""
MARKS: LiteralString = "RETURN COUNT { MATCH (c:Card) WHERE c.vector_due } AS marks"


class Hashing:
    """A model that needs no weights: a text's vector is made from its hash and the model's name."""

    version = "1"
    dimensions = DIMENSIONS
    max_tokens = 100
    unrelated = 0.0

    def __init__(self, name: str, on_embed: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self.key = f"{name}_1"
        self._on_embed = on_embed

    def embed_query(self, text: str) -> list[float]:
        return self.embed_texts([text])[0].tolist()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_texts(texts)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        self._on_embed()
        digests = [hashlib.sha256(f"{self.name} {text}".encode()).digest()[:DIMENSIONS] for text in texts]
        return np.array([list(digest) for digest in digests], dtype=np.float32) + 1

    def count_tokens(self, text: str) -> int:
        return len(text.split())


@pytest.fixture
async def queue_of() -> AsyncGenerator[Callable[..., EmbeddingQueue]]:
    opened: list[EmbeddingQueue] = []

    def make(name: str, on_embed: Callable[[], None] = lambda: None, second: str | None = None) -> EmbeddingQueue:
        opened.append(EmbeddingQueue(Hashing(name, on_embed), second=Hashing(second) if second else None))
        return opened[-1]

    yield make
    for queue in opened:
        await queue.aclose()


@pytest.fixture
async def goals(database: Database, add: Add) -> Database:
    for number in range(5):
        await add("Preference", f"pref_{number}", name=f"Preference {number}", statement=f"Do it {number} times.")
    return database


def silent(_text: str) -> None:
    return None


async def _vector_keys(database: Database) -> set[str]:
    rows = await database.read("MATCH (c:Card) UNWIND keys(c) AS key RETURN DISTINCT key")
    return {row["key"] for row in rows if row["key"].startswith("embedding_") and row["key"] != "embedding_model"}


def test_the_text_holds_what_is_searched_once_and_in_order() -> None:
    text = card_text(
        REGISTRY.types["Entity"],
        {"name": "Marex", "aliases": ["The  Marex\nmatter", "M"], "summary": "A claim.", "kind": "matter"},
    )
    assert text == "Marex\nA claim.\nThe Marex matter, M"
    assert card_text(REGISTRY.types["Preference"], {"name": "Brief", "statement": "Brief"}) == "Brief"


def test_the_text_is_bounded_at_the_end_of_a_name() -> None:
    text = card_text(REGISTRY.types["Entity"], {"name": "x", "aliases": ["alias " * 30] * 200})
    assert len(text) <= LONG_TEXT_LENGTH
    assert text.endswith("alias")


async def test_cards_are_embedded_once(goals: Database, queue_of: Callable[..., EmbeddingQueue]) -> None:
    queue = queue_of("first")
    assert await embed_behind(goals, queue, 3) == 3
    assert await count_behind(goals, queue) == 2
    assert await embed_behind(goals, queue, 100) == 2
    assert await embed_behind(goals, queue, 100) == 0
    [row] = await goals.read("MATCH (c:Card {id: 'card_pref_1'}) RETURN properties(c) AS card")
    card = row["card"]
    assert card["embedding_first_1"] == queue.embedder.embed_query(card["text"])
    assert card["embedded_hash"] == card["text_hash"] == text_hash(card["text"])
    assert card["embedding_model"] == "first_1"


async def test_a_changed_text_is_embedded_again(goals: Database, queue_of: Callable[..., EmbeddingQueue]) -> None:
    queue = queue_of("first")
    await embed_behind(goals, queue, 100)
    await goals.run_alone(CHANGE_TEXT)
    assert await embed_behind(goals, queue, 100) == 1


async def test_what_is_behind_without_a_mark_is_found_by_a_look_at_everything(
    goals: Database, queue_of: Callable[..., EmbeddingQueue]
) -> None:
    queue = queue_of("first")
    await embed_behind(goals, queue, 100)
    await goals.run_alone("MATCH (c:Card {id: 'card_pref_1'}) SET c.text_hash = 'new hash'")
    assert await embed_behind(goals, queue, 100) == 0
    await mark_behind(goals, queue)
    assert await embed_behind(goals, queue, 100) == 1
    assert await goals.read_one(MARKS) == {"marks": 0}


async def test_a_mark_without_a_cause_costs_no_embedding(
    goals: Database, queue_of: Callable[..., EmbeddingQueue]
) -> None:
    queue = queue_of("first")
    await embed_behind(goals, queue, 100)
    await goals.run_alone("MATCH (c:Card) SET c.vector_due = true")
    assert await count_behind(goals, queue) == 0
    assert await embed_behind(goals, queue, 100) == 0
    assert await goals.read_one(MARKS) == {"marks": 0}


async def test_another_model_embeds_what_has_no_mark(goals: Database, queue_of: Callable[..., EmbeddingQueue]) -> None:
    for name in ("first", "second", "another"):
        queue = queue_of(name)
        assert await count_behind(goals, queue) == 5
        assert await embed_behind(goals, queue, 100) == 5
        assert await count_behind(goals, queue) == 0


@pytest.mark.parametrize("statement", [cypher.BEHIND, cypher.COUNT_BEHIND, cypher.PROTOTYPES_BEHIND])
async def test_a_look_for_what_is_behind_reads_no_more_than_that(database: Database, statement: LiteralString) -> None:
    given = {"model": "m", "limit": 10, "property": "p", "text_property": "t"}
    given |= {"second": "s", "second_property": "p", "matched": ["Template"]}
    await plan_anew(database)
    used = await operators(database, statement, **given)
    assert not [one for one in used if "Scan" in one], used


async def test_a_text_that_changes_meanwhile_stays_behind(
    goals: Database, queue_of: Callable[..., EmbeddingQueue]
) -> None:
    loop = asyncio.get_running_loop()

    def change() -> None:
        asyncio.run_coroutine_threadsafe(goals.run_alone(CHANGE_TEXT), loop).result(10)

    assert await embed_behind(goals, queue_of("first", change), 5) == 5
    [row] = await goals.read("MATCH (c:Card {id: 'card_pref_1'}) RETURN c.text_hash AS hash, c.embedded_hash AS done")
    assert row == {"hash": "new hash", "done": "new hash"}


async def test_reembedding_goes_on_after_an_interruption(
    schema_put_back: Database, goals: Database, queue_of: Callable[..., EmbeddingQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cards.embedding.BATCH", 2)
    first = queue_of("first")
    await reembed(goals, REGISTRY, first, silent)

    def interrupt(told: object) -> None:
        if "2 of 5" in str(told):
            raise KeyboardInterrupt

    second = queue_of("second")
    with pytest.raises(KeyboardInterrupt):
        await reembed(goals, REGISTRY, second, interrupt)
    assert await count_behind(goals, second) == 3
    assert await _vector_keys(goals) == {"embedding_first_1", "embedding_second_1"}
    assert {"card_vector_first_1", "card_vector_second_1"} <= (await shown_indexes(goals)).keys()

    done = await reembed(goals, REGISTRY, second, silent)
    assert (done.embedded, done.vectors_removed, done.indexes_dropped) == (
        3,
        5,
        ("card_vector_first_1", "invocation_phrase_vector_first_1", "phrase_vector_first_1"),
    )
    assert await _vector_keys(goals) == {"embedding_second_1"}
    assert await reembed(goals, REGISTRY, second, silent) == type(done)("second_1", 0, 0, ())


async def test_a_search_never_sees_the_other_model(
    schema_put_back: Database, goals: Database, queue_of: Callable[..., EmbeddingQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cards.embedding.BATCH", 2)
    await reembed(goals, REGISTRY, queue_of("first"), silent)
    second = queue_of("second")
    await embed_behind(goals, second, 2)
    await goals.run_alone(
        "CREATE VECTOR INDEX card_vector_second_1 IF NOT EXISTS FOR (n:Card) ON (n.embedding_second_1) "
        "OPTIONS {indexConfig: {`vector.dimensions`: 8, `vector.similarity_function`: 'cosine'}}"
    )
    await goals.run_alone("CALL db.awaitIndexes(60)")
    found = await goals.read(
        "CALL db.index.vector.queryNodes('card_vector_second_1', 10, $vector) YIELD node RETURN node.id AS id",
        vector=second.embedder.embed_query("anything"),
    )
    assert len(found) == 2


@pytest.fixture
async def assets(goals: Database, add: Add) -> Database:
    """Beside what can only be found, something that can be matched."""
    for number in range(3):
        await add("Template", f"tpl_{number}", name=f"Template {number}")
    return goals


SECOND: LiteralString = """
MATCH (c:Card) WHERE c.embedding_beside_1 IS NOT NULL AND c.second_hash = c.text_hash AND c.second_model = 'beside_1'
RETURN collect(DISTINCT c.describes_kind) AS kinds, count(c) AS cards
"""


async def test_what_can_be_matched_has_a_second_vector(
    assets: Database, queue_of: Callable[..., EmbeddingQueue]
) -> None:
    queue = queue_of("first", second="beside")
    assert await count_behind(assets, queue) == 8
    assert await embed_behind(assets, queue, 100) == 8
    assert await assets.read_one(SECOND) == {"kinds": ["Template"], "cards": 3}
    assert await count_behind(assets, queue) == 0
    assert await assets.read_one(MARKS) == {"marks": 0}
    await assets.run_alone(
        "MATCH (c:Card {id: 'card_tpl_1'}) SET c.text = 'new', c.text_hash = 'new hash', c.vector_due = true"
    )
    assert await assets.read_one(SECOND) == {"kinds": ["Template"], "cards": 2}
    assert await embed_behind(assets, queue, 100) == 1
    assert await assets.read_one(SECOND) == {"kinds": ["Template"], "cards": 3}


async def test_a_graph_that_knew_no_second_model_gets_its_vectors_and_keeps_the_others(
    assets: Database, queue_of: Callable[..., EmbeddingQueue]
) -> None:
    await embed_behind(assets, queue_of("first"), 100)
    again: list[str] = []
    queue = queue_of("first", lambda: again.append("once more"), second="beside")
    assert await embed_behind(assets, queue, 100) == 0
    await mark_behind(assets, queue)
    assert await embed_behind(assets, queue, 100) == 3
    assert again == []
    assert await assets.read_one(SECOND) == {"kinds": ["Template"], "cards": 3}
    assert await assets.read_one(MARKS) == {"marks": 0}


async def test_a_second_model_that_is_turned_off_loses_its_vectors_when_all_is_embedded_again(
    schema_put_back: Database, assets: Database, queue_of: Callable[..., EmbeddingQueue]
) -> None:
    both = queue_of("first", second="beside")
    assert (await reembed(assets, REGISTRY, both, silent)).vectors_removed == 0
    assert await _vector_keys(assets) == {"embedding_first_1", "embedding_beside_1"}
    assert (await reembed(assets, REGISTRY, queue_of("first"), silent)).vectors_removed == 3
    assert await assets.read_one(SECOND) == {"kinds": [], "cards": 0}
    assert (await reembed(assets, REGISTRY, both, silent)).embedded == 3
    assert await assets.read_one(SECOND) == {"kinds": ["Template"], "cards": 3}
