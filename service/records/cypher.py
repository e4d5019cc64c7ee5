"""Statements of the commands on records."""

from typing import LiteralString

# Records by their ids or by what outside systems call them, for who may see them.
NAMED: LiteralString = """
UNWIND $refs AS ref
CALL (ref) {
  MATCH (n:Record {id: ref.id}) RETURN n
  UNION
  MATCH (n:Record {source: ref.source, source_key: ref.key})
  WHERE n.realm IS NOT NULL AND n.audience IN $audiences
  RETURN n ORDER BY n.realm LIMIT 1
}
WITH ref, n WHERE n.audience IN $audiences AND (ref.kinds = [] OR any(kind IN ref.kinds WHERE kind IN labels(n)))
RETURN collect([ref.handle, n.id, n.source, n.source_key]) AS found
"""

# Everything that goes with a record: what was merged into it, its own graphs and parts,
# and for a matter all that belongs to it alone.
TO_ERASE: LiteralString = """
MATCH (n:Record {id: $id})
CALL (n) {
  RETURN n AS one
  UNION
  MATCH (n)<-[:MERGED_INTO*1..5]-(one:Record) RETURN one
  UNION
  MATCH (one:Record) WHERE n:Matter AND n.id IN one.matter_ids AND all(m IN one.matter_ids WHERE m = n.id)
    AND NOT one:Tombstone AND NOT one:Card AND NOT one:Phrase
  RETURN one
  UNION
  MATCH (n)-[:HAS_GRAPH|HAD_GRAPH]->(graph:GraphSnapshot)
  WHERE NOT EXISTS { MATCH (graph)<-[:HAS_GRAPH|HAD_GRAPH]-(other:Record) WHERE other <> n }
  CALL (graph) { RETURN graph AS one UNION MATCH (graph)-[:HAS_MODULE]->(one:Module) RETURN one }
  RETURN one
  UNION
  MATCH (n)-[:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]->(one:Record) RETURN one
}
WITH n, collect(DISTINCT one) AS all
RETURN [one IN all | one.id] AS ids,
  size([one IN all WHERE one.legal_hold]) AS held,
  COUNT { MATCH (m:Matter) WHERE m.legal_hold AND any(one IN all WHERE m.id IN one.matter_ids) } AS held_matters
"""

# A tombstone keeps the id, the access and the links that tell what happened; everything else goes.
ERASE: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (n)-[:PREVIOUS*1..]->(v:Version) DETACH DELETE v
}
CALL (n) {
  MATCH (n)-[:FORMER_LINK]->(v:Version) DETACH DELETE v
}
CALL (n) {
  MATCH (c:Card)-[:DESCRIBES]->(n) DETACH DELETE c
}
CALL (n) {
  MATCH (p:Phrase)-[:INVOKES|REPELS]->(n) DETACH DELETE p
}
CALL (n) {
  MATCH (p:Phrase)-[:INVOKES|REPELS]->(n) DETACH DELETE p
}
CALL (n) {
  MATCH (x:Extraction)-[:EXTRACTS_FROM]->(n) DETACH DELETE x
}
CALL (id) {
  MATCH (e:Event {about: id})
  OPTIONAL MATCH (c:Command {principal_id: e.principal_id, command_id: e.command_id})
  SET c.result = $erased_result
  DETACH DELETE e
}
CALL (n) {
  MATCH (n)-[r]-() WHERE NOT type(r) IN $kept_links DELETE r
}
CALL (n) {
  MATCH (n)<-[r:INJECTED|EXCLUDED]-(:ContextPacket)
  REMOVE r.text, r.facts
  SET r.explanation = 'It was erased.'
}
CALL (n) {
  MATCH (n)<-[r:BINDS]-(:ScopeEnvelope) SET r.evidence = 'It was erased.'
}
WITH n, head([label IN labels(n) WHERE label IN $record_labels]) AS kind, labels(n) AS former,
  n {.id, .created_at, .data_class, .matter_ids, .own_data_class, .own_matter_ids, .audience, .version} AS kept
REMOVE n:$(former)
SET n:Tombstone:Record
SET n = kept {.*, name: 'Erased ' + kind, lifecycle_state: 'archived', legal_hold: false, stub: false,
  schema_version: 1, version: kept.version + 1, erased_kind: kind, erased_at: $at, updated_at: $at, reason: $reason}
"""

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

HISTORY: LiteralString = """
MATCH (n:Record {id: $id}) WHERE n.audience IN $audiences
RETURN
  COLLECT {
    MATCH (n)-[:PREVIOUS*1..]->(v:Version) RETURN properties(v) AS former ORDER BY v.version DESC LIMIT $first
  } AS states,
  COLLECT {
    MATCH (n)-[:FORMER_LINK]->(v:Version) RETURN properties(v) AS former ORDER BY v.replaced_at DESC LIMIT $first
  } AS links
"""
