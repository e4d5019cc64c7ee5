"""Statements about cards, phrases and their vectors. Both carry the same marks, so `card` stands for either."""

from typing import LiteralString

BEHIND: LiteralString = """
MATCH (card:Card|Phrase)
WHERE card.embedded_hash IS NULL OR card.embedded_hash <> card.text_hash
  OR card.embedding_model IS NULL OR card.embedding_model <> $model
WITH card LIMIT $limit
RETURN collect(card {.id, .text, .text_hash}) AS cards
"""

COUNT_BEHIND: LiteralString = """
MATCH (card:Card|Phrase)
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
CALL (card, row) {
  WITH card, row WHERE card.members_hash IS NOT NULL
  CALL db.create.setNodeVectorProperty(card, $text_property, row.vector)
}
SET card.embedding_model = $model, card.embedded_hash = row.text_hash, card.embedded_at = $at,
  card.prototype_hash = null
RETURN count(card) AS stored
"""

# Assets whose texts all have their vectors, while the prototype is still that of other texts or of another model.
PROTOTYPES_BEHIND: LiteralString = """
MATCH (card:Card)
WHERE card.members_hash IS NOT NULL AND card.embedded_hash = card.text_hash AND card.embedding_model = $model
  AND (card.prototype_hash IS NULL OR card.prototype_hash <> card.members_hash OR card.prototype_model <> $model)
  AND NOT EXISTS {
    MATCH (card)-[:DESCRIBES]->()<-[:INVOKES]-(phrase:Phrase)
    WHERE phrase.embedded_hash IS NULL OR phrase.embedded_hash <> phrase.text_hash
      OR phrase.embedding_model IS NULL OR phrase.embedding_model <> $model
  }
WITH card LIMIT $limit
RETURN collect(card {
  .id, .text, .text_hash, .members_hash, vector: card[$text_property],
  phrases: COLLECT {
    MATCH (card)-[:DESCRIBES]->()<-[:INVOKES]-(phrase:Phrase)
    RETURN phrase {.text, .text_hash, vector: phrase[$property]} ORDER BY phrase.id
  }
}) AS cards
"""

STORE_PROTOTYPES: LiteralString = """
UNWIND $rows AS row
MATCH (card:Record {id: row.id})
WHERE card.members_hash = row.made.prototype_hash AND card.embedded_hash = card.text_hash
CALL db.create.setNodeVectorProperty(card, $property, row.vector)
SET card += row.made
RETURN count(card) AS stored
"""

OTHER_VECTORS: LiteralString = """
MATCH (card:Card|Phrase)
UNWIND keys(card) AS key
WITH DISTINCT key WHERE key STARTS WITH $prefix AND NOT key IN $keep
RETURN key
"""

REMOVE_VECTORS: LiteralString = """
MATCH (card:Card|Phrase)
WHERE card[$property] IS NOT NULL
CALL (card) { SET card[$property] = null } IN TRANSACTIONS OF 1000 ROWS
"""

COUNT_VECTORS: LiteralString = """
MATCH (card:Card|Phrase)
WHERE card[$property] IS NOT NULL
RETURN count(card) AS vectors
"""
