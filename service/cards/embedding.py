"""Vectors of cards and phrases: made after the write that changed a text, and kept apart for each model."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from embeddings import EmbeddingQueue
from graph_schema.model.registry import Registry
from graph_schema.output.ddl import (
    drop_statement,
    embedded_labels,
    text_vector_property,
    vector_index,
    vector_index_prefix,
    vector_labels,
    vector_property,
)
from service import clock
from service.cards import MATCHED, cypher
from service.cards.prototypes import make_prototypes
from service.graph.database import Database, Row, Transaction
from service.graph.migrations import migrate
from service.graph.migrations.schema import shown_indexes
from service.lexical import WORDS_VERSION
from service.progress import Part

BATCH = 64
_ALL = 2**31

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Reembedded:
    """What `reembed` did."""

    model: str
    embedded: int
    vectors_removed: int
    indexes_dropped: tuple[str, ...]


async def embed_behind(database: Database, queue: EmbeddingQueue, limit: int) -> int:
    """Embed up to `limit` texts that are marked or whose vector is of another model; return how many.

    A card or phrase whose text changes meanwhile keeps its mark as behind, and is embedded the next time. The
    prototypes of assets whose texts are all embedded follow at once.
    """
    done = 0
    while done < limit:
        cards = await _behind(database, queue, min(BATCH, limit - done))
        settled = [card for card in cards if card["current"] and card["second_current"]]
        if settled:
            await _settle(database, settled)
        behind = [card for card in cards if not (card["current"] and card["second_current"])]
        stored = await _embed(database, queue, behind) if behind else 0
        if not stored and not settled:
            break
        done += stored
    made = await make_prototypes(database, queue.embedder.key)
    if done or made:
        await database.run_alone(cypher.AWAIT_TEXT_INDEX)
    return done


async def mark_behind(database: Database, queue: EmbeddingQueue) -> None:
    """Mark what is behind without a mark: of a graph that an earlier version wrote, or that was changed by hand, or
    that had no second model."""
    await database.run_alone(cypher.MARK_BEHIND, words=WORDS_VERSION, **_second(queue))


async def count_behind(database: Database, queue: EmbeddingQueue) -> int:
    [row] = await database.read(cypher.COUNT_BEHIND, model=queue.embedder.key, limit=_ALL, **_second(queue))
    return row["behind"]


async def reembed(database: Database, registry: Registry, queue: EmbeddingQueue, progress: Progress) -> Reembedded:
    """Give every card and phrase a vector of the current model, then remove those of others.

    Every batch is kept as it is done, so that an interrupted run is simply started again. Other models' vectors go
    last: until then a service that still runs with one of them finds what it found before.
    """
    key = queue.embedder.key
    await migrate(database, registry, embedder_key=key, dimensions=queue.embedder.dimensions, progress=progress)
    await mark_behind(database, queue)
    total = await count_behind(database, queue)
    progress(f"{total:,} cards and phrases to embed with {key}")
    embedded = 0
    while stored := await embed_behind(database, queue, BATCH):
        embedded += stored
        progress(Part("Embedded", embedded, max(total, embedded)))
    removed = await _remove_other_vectors(database, registry, queue, progress)
    dropped = await _drop_other_indexes(database, registry, key)
    return Reembedded(key, embedded, removed, dropped)


async def _behind(database: Database, queue: EmbeddingQueue, limit: int) -> list[Row]:
    [row] = await database.read(cypher.BEHIND, model=queue.embedder.key, limit=limit, **_second(queue))
    return row["cards"]


def _second(queue: EmbeddingQueue) -> dict[str, Any]:
    """What statements know of the second model."""
    key = queue.second.embedder.key if queue.second else None
    return {"second": key, "second_property": vector_property(key) if key else "", "matched": list(MATCHED)}


async def _settle(database: Database, cards: Sequence[Row]) -> None:
    """Take the mark from texts that have their vector."""

    async def work(transaction: Transaction) -> None:
        await transaction.run(cypher.SETTLE_VECTORS, rows=[{"id": card["id"]} for card in cards])

    await database.write(work)


async def _embed(database: Database, queue: EmbeddingQueue, cards: Sequence[Row]) -> int:
    """What lacks both vectors has both at once, or neither; what lacks the second only comes after."""
    lacking = [card for card in cards if not card["current"]]
    lacking_second = [card for card in lacking or cards if not card["second_current"]]
    rows, second = await asyncio.gather(_rows(queue, lacking), _rows(queue.second, lacking_second))

    async def work(transaction: Transaction) -> int:
        also = await _store_second(transaction, queue, second) if second else 0
        return await _store(transaction, queue, rows) if rows else also

    return await database.write(work)


async def _rows(queue: EmbeddingQueue | None, cards: Sequence[Row]) -> list[Row]:
    if queue is None or not cards:
        return []
    vectors = await queue.embed_texts([card["text"] for card in cards])
    return [
        {"id": card["id"], "text_hash": card["text_hash"], "vector": vector}
        for card, vector in zip(cards, vectors.tolist(), strict=True)
    ]


async def _store(transaction: Transaction, queue: EmbeddingQueue, rows: Sequence[Row]) -> int:
    row = await transaction.one(
        cypher.STORE_VECTORS,
        rows=rows,
        property=vector_property(queue.embedder.key),
        text_property=text_vector_property(queue.embedder.key),
        model=queue.embedder.key,
        at=clock.now(),
    )
    return row["stored"] if row else 0


async def _store_second(transaction: Transaction, queue: EmbeddingQueue, rows: Sequence[Row]) -> int:
    known = _second(queue)
    row = await transaction.one(
        cypher.STORE_SECOND, rows=rows, property=known["second_property"], model=known["second"]
    )
    return row["stored"] if row else 0


async def _remove_other_vectors(
    database: Database, registry: Registry, queue: EmbeddingQueue, progress: Progress
) -> int:
    key, second = queue.embedder.key, _second(queue)["second_property"]
    prefix = vector_property("a").removesuffix("a")
    own = {name for label in embedded_labels(registry) for name in registry.types[label].fields}
    ours = [vector_property(key), text_vector_property(key), second]
    keep = [*ours, *sorted(name for name in own if name.startswith(prefix))]
    removed = 0
    for row in await database.run_alone(cypher.OTHER_VECTORS, prefix=prefix, keep=keep):
        [count] = await database.run_alone(cypher.COUNT_VECTORS, property=row["key"])
        progress(f"removing {count['vectors']:,} vectors of another model ({row['key']})")
        await database.run_alone(cypher.REMOVE_VECTORS, property=row["key"])
        removed += count["vectors"]
    return removed


async def _drop_other_indexes(database: Database, registry: Registry, key: str) -> tuple[str, ...]:
    labels = vector_labels(registry)
    ours = {vector_index(label, key) for label in labels}
    prefixes = tuple(vector_index_prefix(label) for label in labels)
    others = sorted(
        name
        for name, row in (await shown_indexes(database)).items()
        if row["type"] == "VECTOR" and name.startswith(prefixes) and name not in ours
    )
    for name in others:
        await database.run_alone(drop_statement(name, owned_by_constraint=False))
    return tuple(others)
