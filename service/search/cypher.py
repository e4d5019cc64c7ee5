"""What search reads. A statement gives one row, and a card passes the firewall before anything of it is read.

Parameters that they share: `audiences` (the firewall), `kinds` and `hidden_states` (what was asked for), `model`,
`property` and `vector` (the request's; null when it has no words that carry meaning). An asset's card has its prototype
in `property` and the vector of its own text in `text_property`: scores are calibrated for texts, so they take that one.
"""

from typing import LiteralString

from service.graph.visibility import visible

# Cards of which the request holds an exact identifier. Keys are looked at one by one, so `keyed` is null unless the
# request looks as if it held one.
_EXACT: LiteralString = (
    """
OPTIONAL CALL () {
  MATCH (card:Card)-[:DESCRIBES]->(:Record {id: $id})
  RETURN card
  UNION
  WITH $keyed AS keyed WHERE keyed IS NOT NULL
  MATCH (card:Card)-[:DESCRIBES]->(entity:Entity)
  WHERE """
    + visible("entity")
    + """
    AND any(key IN entity.keys WHERE toLower(key) = keyed OR size(key) >= $shortest_key AND keyed CONTAINS toLower(key))
  RETURN card ORDER BY card.id LIMIT $want
}
"""
)

# The facts that the ranker needs of every card in `cards`.
_FACTS: LiteralString = (
    """
CALL (cards) {
  UNWIND cards AS card
  WITH DISTINCT card
  WHERE """
    + visible("card")
    + """ AND card.describes_kind IN $kinds AND NOT card.lifecycle_state IN $hidden_states
  MATCH (card)-[:DESCRIBES]->(record:Record)
  WHERE """
    + visible("record")
    + """
  WITH card, record, coalesce(card.embedded_hash = card.text_hash AND card.embedding_model = $model, false) AS current
  RETURN collect(record {
    .id, .name, .aliases, .keys, kind: card.describes_kind, state: card.lifecycle_state, text: card.text,
    current: current,
    similarity: CASE WHEN current
      THEN vector.similarity.cosine(coalesce(card[$text_property], card[$property]), $vector) END
  }) AS found
}
"""
)

# Both indexes and the exact identifiers propose; `want` visible cards of each index are kept. How many cards an index
# proposed before the firewall tells the caller whether it had more to give. A vector index that gave all it has is
# small or being filled: then the visible cards without a current vector are counted (behind UNWIND, because the planner
# would test a WHERE on each card after reading it).
CANDIDATES: LiteralString = (
    """
CALL () {
  WITH $vector AS vector WHERE vector IS NOT NULL
  CALL db.index.vector.queryNodes($vector_index, $depth, vector) YIELD node
  RETURN collect(node) AS near
}
CALL () {
  CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
  CALL db.index.fulltext.queryNodes($text_index, $lucene, {limit: $depth}) YIELD node
  RETURN collect(node) AS worded
}
"""
    + _EXACT
    + """
WITH near, worded, collect(card) AS exact
WITH size(near) AS near_proposed, size(worded) AS worded_proposed, exact,
  [card IN near WHERE """
    + visible("card")
    + """ AND card.describes_kind IN $kinds
    AND NOT card.lifecycle_state IN $hidden_states] AS near,
  [card IN worded WHERE """
    + visible("card")
    + """ AND card.describes_kind IN $kinds
    AND NOT card.lifecycle_state IN $hidden_states] AS worded
WITH near_proposed, worded_proposed, size(near) AS near_visible, size(worded) AS worded_visible,
  near[..$want] + worded[..$want] + exact AS cards
"""
    + _FACTS
    + """
CALL (near_proposed) {
  UNWIND CASE WHEN near_proposed < $depth AND $vector IS NOT NULL THEN [1] ELSE [] END AS counted
  MATCH (card:Card)
  WHERE """
    + visible("card")
    + """ AND card.describes_kind IN $kinds AND NOT card.lifecycle_state IN $hidden_states
    AND NOT coalesce(card.embedded_hash = card.text_hash AND card.embedding_model = $model, false)
  RETURN count(card) AS behind
}
RETURN near_proposed, worded_proposed, near_visible, worded_visible, found, behind
"""
)

# Every visible card in the order of an estimate of its score. It needs no index, and nothing that is hidden from the
# viewer takes part in it.
SCAN: LiteralString = (
    """
CALL () {
  MATCH (card:Card)
  WHERE """
    + visible("card")
    + """ AND card.describes_kind IN $kinds AND NOT card.lifecycle_state IN $hidden_states
  WITH card, toLower(card.text) AS text,
    coalesce(card.embedded_hash = card.text_hash AND card.embedding_model = $model, false) AS current
  WITH card, size([word IN $words WHERE text CONTAINS word]) * $word_weight AS lexical,
    CASE WHEN toLower(card.name) = $phrase THEN 2 WHEN text CONTAINS $phrase THEN 1 ELSE 0 END AS named,
    CASE WHEN current
      THEN vector.similarity.cosine(coalesce(card[$text_property], card[$property]), $vector) END AS similarity
  WITH card, named, lexical, (2 * similarity - 1 - $unrelated) / (1 - $unrelated) AS likeness
  WITH card, named + lexical
    + $semantic_weight * CASE WHEN likeness < 0 THEN 0 ELSE coalesce(likeness, $neutral) END AS estimate
  ORDER BY estimate DESC, card.id LIMIT $scanned
  RETURN collect(card) AS scanned
}
"""
    + _EXACT
    + """
WITH scanned, collect(card) AS exact
WITH scanned + exact AS cards
"""
    + _FACTS
    + """
RETURN found
"""
)

# How much there is to search: all that the viewer may see, what remains of it after the filters, and how much of that
# has no current vector.
EXTENT: LiteralString = (
    """
MATCH (card:Card)
WHERE """
    + visible("card")
    + """
WITH card, card.describes_kind IN $kinds AND NOT card.lifecycle_state IN $hidden_states AS inside,
  coalesce(card.embedded_hash = card.text_hash AND card.embedding_model = $model, false) AS current
RETURN count(card) AS visible, sum(CASE WHEN inside THEN 1 ELSE 0 END) AS inside,
  sum(CASE WHEN inside AND NOT current THEN 1 ELSE 0 END) AS behind
"""
)
