"""Prototypes: one vector for an asset, from its card and its phrases, with what matching needs to know beside it."""

from typing import Any

import numpy as np

from graph_schema.output.ddl import text_vector_property, vector_property
from service.cards import cypher
from service.cards.prototype import prototype
from service.commands.phrases import hash_of_members
from service.graph.database import Database, Row, Transaction
from service.lexical import WORDS_VERSION, words_of

BATCH = 64


async def make_prototypes(database: Database, model: str) -> int:
    """Make the prototypes that are behind while all their texts are embedded; return how many."""
    made = 0
    while True:
        [row] = await database.read(
            cypher.PROTOTYPES_BEHIND,
            model=model,
            property=vector_property(model),
            text_property=text_vector_property(model),
            words=WORDS_VERSION,
            limit=BATCH,
        )
        cards: list[Row] = row["cards"]
        settled = [card for card in cards if card["current"]]
        if settled:
            await _settle(database, settled)
        rows = [_made(card, model) for card in cards if not card["current"] and _whole(card)]
        stored = await _store(database, rows, model) if rows else 0
        made += stored
        if stored + len(settled) < BATCH:
            return made


def _whole(card: Row) -> bool:
    """Whether these are the texts that the record has now: a command may have changed them while they were read."""
    found = hash_of_members(card["text_hash"], (one["text_hash"] for one in card["phrases"]))
    return found == card["members_hash"]


def _made(card: Row, model: str) -> dict[str, Any]:
    members: list[Row] = [card, *card["phrases"]]
    mean = prototype(np.array([one["vector"] for one in members], dtype=np.float32))
    made = {
        "prototype_hash": card["members_hash"],
        "prototype_model": model,
        "members": mean.members,
        "cohesion": mean.cohesion,
        "word_stems": list(words_of(one["text"] for one in members)),
        "words_version": WORDS_VERSION,
    }
    return {"id": card["id"], "vector": mean.vector.tolist(), "made": made}


async def _settle(database: Database, cards: list[Row]) -> None:
    """Take the mark from prototypes that are those of their texts."""

    async def work(transaction: Transaction) -> None:
        await transaction.run(cypher.SETTLE_PROTOTYPES, rows=[{"id": card["id"]} for card in cards])

    await database.write(work)


async def _store(database: Database, rows: list[dict[str, Any]], model: str) -> int:
    async def work(transaction: Transaction) -> int:
        row = await transaction.one(cypher.STORE_PROTOTYPES, rows=rows, property=vector_property(model))
        return row["stored"] if row else 0

    return await database.write(work)
