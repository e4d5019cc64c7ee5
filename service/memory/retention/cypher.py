"""The statements of retention. What is due is found by the index on `Run.due`; all else by the ids of those runs."""

from typing import LiteralString

from service.graph.parts.cypher import RUN_HELD
from service.graph.visibility import visible

_LASTING: tuple[LiteralString, ...] = (
    *("Activation", "Artifact", "Delivery", "Gate", "Snapshot"),
    *("Trigger", "ScopeEnvelope", "ContextPacket", "ExpansionReceipt"),
)
"""What may be left of a run that was compacted."""

# A run that is kept while its matter is active is due when the matter has been put away for as long.
_ACTIVE: LiteralString = """(r.retention_class = 'matter_active' AND any(m IN r.matter_ids WHERE EXISTS {
    MATCH (e:Record {id: m}) WHERE e.lifecycle_state = 'active' OR e.updated_at >= $cutoff }))"""

_DUE: LiteralString = "MATCH (r:Run) WHERE r.due >= $low AND r.due < $high"

TAKE_DUE: LiteralString = (
    _DUE
    + " AND NOT "
    + _ACTIVE
    + RUN_HELD
    + """
WITH r WHERE NOT held
WITH r ORDER BY r.due LIMIT $runs
SET r._lock = true
REMOVE r._lock
WITH r WHERE r.due >= $low AND r.due < $high
SET r.compacting_since = coalesce(r.compacting_since, $at)
RETURN collect(r.id) AS ids
"""
)

_PARTS: LiteralString = """
  MATCH (p:Span {run_id: id}) RETURN p
  UNION ALL
  MATCH (p:Snapshot {run_id: id}) WHERE NOT EXISTS { MATCH (p)<-[:UNDER]-(:Delivery) } RETURN p
  UNION ALL
  MATCH (p:Checkpoint {run_id: id}) RETURN p
  UNION ALL
  MATCH (p:Session {run_id: id}) RETURN p
  UNION ALL
  MATCH (p:Intervention {run_id: id}) RETURN p
  UNION ALL
  MATCH (p:NativeEvent {run_id: id}) RETURN p
"""

PARTS: LiteralString = (
    """
UNWIND $ids AS id
CALL (id) {"""
    + _PARTS
    + """}
WITH p LIMIT $budget
RETURN collect({id: p.id, kind: head([label IN labels(p) WHERE label IN $removed]),
  pointed_at: EXISTS { MATCH (p)-[link]-(:Record) WHERE NOT type(link) IN $inside }}) AS found
"""
)

# Former states and cards of what is stripped or removed, and what waited for a closer look at it.
FORGET_FORMER: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (n)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(v:Version) DETACH DELETE v
}
CALL (n) {
  MATCH (n)-[:FORMER_LINK]->(v:Version) DETACH DELETE v
}
CALL (n) {
  MATCH (c:Card)-[:DESCRIBES]->(n) DETACH DELETE c
}
CALL (n) {
  MATCH (x:Extraction)-[:EXTRACTS_FROM]->(n)
  OPTIONAL MATCH (x)-[:PREVIOUS*1..]->(v:Version)
  OPTIONAL MATCH (e:Event {about: x.id})
  DETACH DELETE x, v, e
}
"""

# With what is gone go the events about it: there is nobody left who could be told whom they are for.
DELETE: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (id) {
  MATCH (e:Event {about: id}) DELETE e
}
DETACH DELETE n
"""

ENTOMB: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.id})
CALL (n) {
  MATCH (n)-[link]-() WHERE type(link) IN $inside DELETE link
}
WITH n, row, labels(n) AS former, coalesce(n.stub, false) AND n.run_id IS NULL AND NOT n:Run AS unplaced,
  n {.id, .created_at, .data_class, .matter_ids, .own_data_class, .own_matter_ids, .audience, .version} AS kept
REMOVE n:$(former)
SET n:Tombstone:Record
SET n = kept {.*, name: 'Compacted ' + row.kind, lifecycle_state: 'archived', legal_hold: false, stub: unplaced,
  schema_version: 1, version: kept.version + 1, erased_kind: row.kind, erased_at: $at, updated_at: $at,
  reason: $reason}
"""

DELETE_REPORTS: LiteralString = """
UNWIND $ids AS id
MATCH (n:Report) WHERE n.run_id = id AND n.event_id IS NOT NULL
WITH n LIMIT $budget
DELETE n
RETURN count(*) AS deleted
"""

# What was stripped has no stamps any more; so each is stripped once.
TO_STRIP: LiteralString = """
UNWIND $ids AS id
CALL (id) {
  MATCH (n:Activation {run_id: id}) WHERE n.stamps IS NOT NULL RETURN n, 'Activation' AS kind
  UNION ALL
  MATCH (n:Gate {run_id: id}) WHERE n.stamps IS NOT NULL RETURN n, 'Gate' AS kind
  UNION ALL
  MATCH (n:Artifact {run_id: id})
  WHERE n.stamps IS NOT NULL AND coalesce(n.output_class, '') <> 'final_output' AND n.artifact_state <> 'promoted'
    AND NOT n.intake_level IN $remembered
  RETURN n, 'Artifact' AS kind
}
WITH n, kind LIMIT $budget
RETURN collect({id: n.id, kind: kind}) AS found
"""

STRIP: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.id})
SET n += $dropped[row.kind], n.version = n.version + 1, n.updated_at = $at
WITH n WHERE n:Artifact
SET n.artifact_state = 'compacted', n.review_required = false
"""

FINISH: LiteralString = """
UNWIND $ids AS id
MATCH (r:Run:Record {id: id})
SET r += $dropped, r.compacted_at = $at, r.version = r.version + 1,
  r.updated_at = CASE WHEN r.updated_at < $at THEN $at ELSE r.updated_at END
REMOVE r.due, r.compacting_since
RETURN collect(r {.id, .version, .updated_at, .audience}) AS found
"""

_STEPS: LiteralString = "\n  UNION ALL\n".join("  MATCH (n:" + one + " {run_id: id}) RETURN n" for one in _LASTING)

# A run that nothing outside it leads to or was made from: it can go whole, and no lineage is cut.
ALONE: LiteralString = (
    """
UNWIND $ids AS id
MATCH (r:Run:Record {id: id})
CALL (r, id) {
  RETURN r AS n
  UNION ALL
"""
    + _STEPS
    + """
}
WITH r, id, collect(EXISTS {
  MATCH (n)<-[link]-(other:Record)
  WHERE other.id <> id AND coalesce(other.run_id, '') <> id AND NOT other:Extraction
} OR EXISTS {
  MATCH (n)-[:BECAME|CONSUMED|DERIVED_FROM|CITES|EVALUATES]->(other:Artifact|WorkProduct)
  WHERE coalesce(other.run_id, '') <> id
}) AS tied
WHERE NOT any(one IN tied WHERE one)
RETURN collect(id) AS ids
"""
)

STEPS: LiteralString = (
    """
UNWIND $ids AS id
CALL (id) {
"""
    + _STEPS
    + """
}
WITH n LIMIT $budget
RETURN collect(n.id) AS found
"""
)

COUNT_DUE: LiteralString = (
    _DUE
    + RUN_HELD
    + """
WITH r, held OR """
    + _ACTIVE
    + """ AS held
WITH r, held, r.id AS id,
  CASE WHEN held THEN 0 ELSE COUNT { MATCH (:Span {run_id: r.id}) } END AS spans,
  CASE WHEN held THEN 0 ELSE COUNT { MATCH (s:Snapshot {run_id: r.id})
    WHERE NOT EXISTS { MATCH (s)<-[:UNDER]-(:Delivery) } } END AS snapshots,
  CASE WHEN held THEN 0 ELSE COUNT { MATCH (:Checkpoint {run_id: r.id}) } END AS checkpoints,
  CASE WHEN held THEN 0 ELSE COUNT { MATCH (:Session {run_id: r.id}) } END AS sessions,
  CASE WHEN held THEN 0 ELSE COUNT { MATCH (:Intervention {run_id: r.id}) } END AS interventions,
  CASE WHEN held THEN 0 ELSE COUNT { MATCH (:NativeEvent {run_id: r.id}) } END AS native_events,
  CASE WHEN held THEN 0 ELSE COUNT { MATCH (a:Artifact {run_id: r.id})
    WHERE coalesce(a.output_class, '') <> 'final_output' AND a.artifact_state <> 'promoted'
      AND NOT a.intake_level IN $remembered } END AS artifacts
RETURN sum(CASE WHEN held THEN 0 ELSE 1 END) AS runs, sum(CASE WHEN held THEN 1 ELSE 0 END) AS held,
  collect(CASE WHEN held THEN null ELSE r.name END)[..$samples] AS samples,
  collect(CASE WHEN held THEN r.name END)[..$samples] AS held_samples,
  sum(spans) AS spans, sum(snapshots) AS snapshots, sum(checkpoints) AS checkpoints, sum(sessions) AS sessions,
  sum(interventions) AS interventions, sum(native_events) AS native_events, sum(artifacts) AS artifacts
"""
)

RETENTION_SEEN: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
MATCH (r:Run:Record {id: coalesce(n.run_id, n.id)}) WHERE """
    + visible("r")
    + RUN_HELD
    + """
RETURN id, n {.output_class, .artifact_state, .intake_level, .legal_hold} AS record,
  r {.retention_class, .due, .compacted_at, .compacting_since, .memory_mode} AS run, held,
  any(m IN r.matter_ids WHERE EXISTS { MATCH (e:Record {id: m}) WHERE e.lifecycle_state = 'active' }) AS active
"""
)
