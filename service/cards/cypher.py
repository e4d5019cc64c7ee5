"""Statements about cards and their vectors."""

from typing import LiteralString

BEHIND: LiteralString = """
MATCH (card:Card)
WHERE card.embedded_hash IS NULL OR card.embedded_hash <> card.text_hash
  OR card.embedding_model IS NULL OR card.embedding_model <> $model
WITH card LIMIT $limit
RETURN collect(card {.id, .text, .text_hash}) AS cards
"""

COUNT_BEHIND: LiteralString = """
MATCH (card:Card)
WHERE card.embedded_hash IS NULL OR card.embedded_hash <> card.text_hash
  OR card.embedding_model IS NULL OR card.embedding_model <> $model
RETURN count(card) AS behind
"""

# The procedure stores single-precision floats, half the size of a list of Cypher's own.
STORE_VECTORS: LiteralString = """
UNWIND $rows AS row
MATCH (card:Record {id: row.id})
WHERE card.text_hash = row.text_hash
CALL db.create.setNodeVectorProperty(card, $property, row.vector)
SET card.embedding_model = $model, card.embedded_hash = row.text_hash, card.embedded_at = $at
RETURN count(card) AS stored
"""

OTHER_VECTORS: LiteralString = """
MATCH (card:Card)
UNWIND keys(card) AS key
WITH DISTINCT key WHERE key STARTS WITH $prefix AND NOT key IN $keep
RETURN key
"""

REMOVE_VECTORS: LiteralString = """
MATCH (card:Card)
WHERE card[$property] IS NOT NULL
CALL (card) { SET card[$property] = null } IN TRANSACTIONS OF 1000 ROWS
"""

COUNT_VECTORS: LiteralString = """
MATCH (card:Card)
WHERE card[$property] IS NOT NULL
RETURN count(card) AS vectors
"""
