"""Statements about cards, phrases and their vectors. Both carry the same marks, so `card` stands for either."""

from typing import LiteralString

# Whether the second model's vector is that of the text, or none is wanted. `second` is null where there is no such
# model.
_SECOND_CURRENT: LiteralString = """
  ($second IS NULL OR NOT coalesce(card.describes_kind, '') IN $matched OR coalesce(
    card.second_hash = card.text_hash AND card.second_model = $second AND card[$second_property] IS NOT NULL, false))"""

# Marked by the command that changed the text, or of another model: both by index, so that a look at a library whose
# vectors are all there costs nothing. What came in bulk waits for what somebody saved by hand.
_DUE: LiteralString = (
    """
CALL () {
  MATCH (card:Card) WHERE card.vector_due = true AND card.vector_bulk IS NULL RETURN card LIMIT $limit
  UNION
  MATCH (card:Phrase) WHERE card.vector_due = true AND card.vector_bulk IS NULL RETURN card LIMIT $limit
  UNION
  MATCH (card:Card) WHERE card.vector_due = true RETURN card LIMIT $limit
  UNION
  MATCH (card:Phrase) WHERE card.vector_due = true RETURN card LIMIT $limit
  UNION
  MATCH (card:Card) WHERE card.embedding_model < $model RETURN card LIMIT $limit
  UNION
  MATCH (card:Card) WHERE card.embedding_model > $model RETURN card LIMIT $limit
  UNION
  MATCH (card:Phrase) WHERE card.embedding_model < $model RETURN card LIMIT $limit
  UNION
  MATCH (card:Phrase) WHERE card.embedding_model > $model RETURN card LIMIT $limit
}
WITH card, coalesce(card.embedded_hash = card.text_hash AND card.embedding_model = $model, false) AS current,
  """
    + _SECOND_CURRENT
    + """ AS second_current
"""
)

BEHIND: LiteralString = (
    _DUE
    + """
ORDER BY card.vector_bulk IS NOT NULL LIMIT $limit
RETURN collect(card {.id, .text, .text_hash, current: current, second_current: second_current}) AS cards
"""
)

COUNT_BEHIND: LiteralString = (
    _DUE
    + """
WHERE NOT current OR NOT second_current
RETURN count(card) AS behind
"""
)

# For marks that got lost, and graphs that are older than the marks: over everything, so at a start and not in the loop.
MARK_BEHIND: LiteralString = (
    """
MATCH (card:Card|Phrase)
WITH card, CASE WHEN coalesce(card.embedded_hash = card.text_hash, false) AND """
    + _SECOND_CURRENT
    + """
    THEN null ELSE true END AS vector,
  CASE WHEN card.members_hash IS NULL
    OR coalesce(card.prototype_hash = card.members_hash AND card.words_version = $words, false) THEN null
    ELSE true END AS prototype
WHERE (vector AND card.vector_due IS NULL) OR (prototype AND card.prototype_due IS NULL)
CALL (card, vector, prototype) {
  SET card.vector_due = coalesce(vector, card.vector_due),
    card.prototype_due = coalesce(prototype, card.prototype_due)
} IN TRANSACTIONS OF 1000 ROWS
"""
)

# The lock comes before the look: a command that changes the text meanwhile must not lose its mark.
_LOCKED: LiteralString = """
UNWIND $rows AS row
MATCH (card:Record {id: row.id})
SET card._lock = true
REMOVE card._lock
"""

# The procedure stores single-precision floats, half the size of a list of Cypher's own.
STORE_VECTORS: LiteralString = (
    _LOCKED
    + """
WITH card, row WHERE card.text_hash = row.text_hash
CALL db.create.setNodeVectorProperty(card, $property, row.vector)
CALL (card, row) {
  WITH card, row WHERE card.members_hash IS NOT NULL
  CALL db.create.setNodeVectorProperty(card, $text_property, row.vector)
  SET card.prototype_due = true
}
SET card.embedding_model = $model, card.embedded_hash = row.text_hash, card.embedded_at = $at,
  card.prototype_hash = null, card.vector_due = null
RETURN count(card) AS stored
"""
)

STORE_SECOND: LiteralString = (
    _LOCKED
    + """
WITH card, row WHERE card.text_hash = row.text_hash
CALL db.create.setNodeVectorProperty(card, $property, row.vector)
SET card.second_hash = row.text_hash, card.second_model = $model
RETURN count(card) AS stored
"""
)

SETTLE_VECTORS: LiteralString = (
    _LOCKED
    + """
WITH card WHERE card.embedded_hash = card.text_hash
SET card.vector_due = null
"""
)

# Assets whose texts all have their vectors, while the prototype is still that of other texts or of another model; and
# those that were marked although nothing changed.
PROTOTYPES_BEHIND: LiteralString = """
MATCH (card:Card) WHERE card.prototype_due = true
  AND card.members_hash IS NOT NULL AND card.embedded_hash = card.text_hash AND card.embedding_model = $model
  AND NOT EXISTS {
    MATCH (card)-[:DESCRIBES]->()<-[:INVOKES]-(phrase:Phrase)
    WHERE phrase.embedded_hash IS NULL OR phrase.embedded_hash <> phrase.text_hash
      OR phrase.embedding_model IS NULL OR phrase.embedding_model <> $model
  }
WITH card LIMIT $limit
RETURN collect(card {
  .id, .text, .text_hash, .members_hash, vector: card[$text_property],
  current: coalesce(card.prototype_hash = card.members_hash AND card.prototype_model = $model
    AND card.words_version = $words, false),
  phrases: COLLECT {
    MATCH (card)-[:DESCRIBES]->()<-[:INVOKES]-(phrase:Phrase)
    RETURN phrase {.text, .text_hash, vector: phrase[$property]} ORDER BY phrase.id
  }
}) AS cards
"""

STORE_PROTOTYPES: LiteralString = (
    _LOCKED
    + """
WITH card, row WHERE card.members_hash = row.made.prototype_hash AND card.embedded_hash = card.text_hash
CALL db.create.setNodeVectorProperty(card, $property, row.vector)
SET card += row.made, card.prototype_due = null
RETURN count(card) AS stored
"""
)

SETTLE_PROTOTYPES: LiteralString = (
    _LOCKED
    + """
WITH card WHERE card.prototype_hash = card.members_hash
SET card.prototype_due = null
"""
)

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

# Who finds no card marked does not wait for the full-text index.
AWAIT_TEXT_INDEX: LiteralString = "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()"
