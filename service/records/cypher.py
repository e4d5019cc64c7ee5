"""Statements of the commands on records."""

from typing import LiteralString

from service.graph.visibility import called, visible

# Records by their ids or by what outside systems call them, for who may see them.
NAMED: LiteralString = (
    """
UNWIND $refs AS ref
CALL (ref) {
  MATCH (n:Record {id: ref.id}) RETURN n
  UNION
  """
    + called("n", "ref.source", "ref.key")
    + """
}
WITH ref, n WHERE """
    + visible("n")
    + """ AND (ref.kinds = [] OR any(kind IN ref.kinds WHERE kind IN labels(n)))
RETURN collect([ref.handle, n.id, n.source, n.source_key]) AS found
"""
)

MOVE_LINKS: LiteralString = """
MATCH (loser:Record {id: $loser})
MATCH (keeper:Record {id: $keeper})
CALL (loser, keeper) {
  MATCH (loser)-[r]->(other:Record) WHERE NOT type(r) IN $own AND other <> keeper
  WITH r, other, keeper, type(r) AS kind, properties(r) AS facts
  DELETE r
  MERGE (keeper)-[moved:$(kind)]->(other)
  ON CREATE SET moved = facts
}
CALL (loser, keeper) {
  MATCH (loser)<-[r]-(other:Record) WHERE NOT type(r) IN $own AND other <> keeper
  WITH r, other, keeper, type(r) AS kind, properties(r) AS facts
  DELETE r
  MERGE (keeper)<-[moved:$(kind)]-(other)
  ON CREATE SET moved = facts
}
CALL (loser, keeper) {
  MATCH (loser)-[r]-(keeper) WHERE NOT type(r) IN $own DELETE r
}
"""

# All of it, hidden states too: what they held decides what of the others is shown. Of work products PREVIOUS leads to
# records as well; those have histories of their own.
HISTORY: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN properties(n) AS today,
  COLLECT {
    MATCH (n)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(v:Version)
    RETURN properties(v) AS former ORDER BY v.version DESC LIMIT $most
  } AS states,
  COLLECT {
    MATCH (n)-[:FORMER_LINK]->(v:Version)
    WHERE EXISTS { MATCH (head:Record {id: v.link_head}) WHERE """
    + visible("head")
    + """ }
    RETURN properties(v) AS former ORDER BY v.replaced_at DESC LIMIT $most
  } AS links
"""
)

# What a part belongs to, by its graph, by its blueprint or as their group: what guards them guards it.
OWNERS: LiteralString = """
MATCH (part:Record {id: $id})
CALL (part) {
  MATCH (part)<-[:HAS_BLUEPRINT|HAS_GRAPH|IN_GROUP]-(owner:Record) RETURN owner
  UNION
  MATCH (part)<-[:HAS_MODULE]-(:GraphSnapshot)<-[:HAS_GRAPH]-(owner:Record) RETURN owner
  UNION
  MATCH (part)<-[:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]-(:Blueprint)
    <-[:HAS_BLUEPRINT]-(owner:Record)
  RETURN owner
}
RETURN labels(owner) AS labels, properties(owner) AS properties
"""
