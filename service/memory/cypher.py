"""The statements of a report: lock its runs, load what it names, write what came of it."""

from typing import LiteralString

# Setting and removing a property takes the write lock before the run's state is read. Whatever belongs to a run is
# changed only under its run's lock. The refs come in one order from every caller, so that none waits for another.
LOCK_RUNS: LiteralString = """
UNWIND $refs AS ref
CALL (ref) {
  MATCH (n:Record {id: ref.id}) RETURN n
  UNION
  MATCH (n:Record {source: ref.source, source_key: ref.key}) RETURN n
}
SET n._lock = true
REMOVE n._lock
RETURN ref.place AS place, labels(n) AS labels, properties(n) AS properties
"""

STEPS_OF_RUNS: LiteralString = """
UNWIND $runs AS run_id
MATCH (n:Activation {run_id: run_id})
RETURN n.run_id AS run_id, n.module_key AS module_key, n.activation_seq AS activation_seq
"""

LOAD: LiteralString = """
CALL () {
  UNWIND $told AS one
  MATCH (n:Report {run_id: one[0], event_id: one[1]})
  RETURN collect([n.run_id, n.event_id, n.hash]) AS reports
}
CALL () {
  UNWIND $matters AS id
  MATCH (n:Matter {id: id})
  RETURN collect(n.id) AS matters
}
CALL () {
  UNWIND $outside AS ref
  MATCH (n:Record {source: ref.source, source_key: ref.key})
  FOREACH (_ IN CASE WHEN ref.lock THEN [1] ELSE [] END | SET n._lock = true)
  REMOVE n._lock
  RETURN collect({labels: labels(n), properties: properties(n)}) AS outside
}
CALL () {
  UNWIND $by_id AS id
  MATCH (n:Record {id: id})
  RETURN collect({labels: labels(n), properties: properties(n)}) AS by_id
}
CALL () {
  UNWIND $keys.Activation AS key
  MATCH (n:Activation {run_id: key[0], module_key: key[1], activation_seq: key[2]})
  RETURN collect(properties(n)) AS activations
}
CALL () {
  UNWIND $keys.Span AS key
  MATCH (n:Span {run_id: key[0], span_key: key[1]})
  RETURN collect(properties(n)) AS spans
}
CALL () {
  UNWIND $keys.Delivery AS key
  MATCH (n:Delivery {run_id: key[0], idempotency_key: key[1]})
  RETURN collect(properties(n)) AS deliveries
}
CALL () {
  UNWIND $keys.Gate AS key
  MATCH (n:Gate {run_id: key[0], gate_key: key[1]})
  RETURN collect(properties(n)) AS gates
}
CALL () {
  UNWIND $keys.Snapshot AS key
  MATCH (n:Snapshot {run_id: key[0], snapshot_key: key[1]})
  RETURN collect(properties(n)) AS snapshots
}
CALL () {
  UNWIND $keys.Checkpoint AS key
  MATCH (n:Checkpoint {run_id: key[0], checkpoint_key: key[1]})
  RETURN collect(properties(n)) AS checkpoints
}
CALL () {
  UNWIND $keys.Session AS key
  MATCH (n:Session {run_id: key[0], session_key: key[1]})
  RETURN collect(properties(n)) AS sessions
}
CALL () {
  UNWIND $keys.Intervention AS key
  MATCH (n:Intervention {run_id: key[0], intervention_key: key[1]})
  RETURN collect(properties(n)) AS interventions
}
CALL () {
  UNWIND $keys.NativeEvent AS key
  MATCH (n:NativeEvent {run_id: key[0], native_key: key[1]})
  RETURN collect(properties(n)) AS native_events
}
RETURN reports, matters, outside, by_id, activations, spans, deliveries, gates, snapshots, checkpoints, sessions,
  interventions, native_events
"""

# Facts of a link are joined by taking the greater: the same in whatever order they come.
APPLY: LiteralString = """
CALL () {
  UNWIND $reports AS one
  CREATE (n:Report {run_id: one[0], event_id: one[1], hash: one[2], principal_id: $principal_id, at: $at})
}
CALL () {
  UNWIND $audiences AS one
  MERGE (a:Audience {audience: one.audience})
  ON CREATE SET a.data_class = one.data_class, a.rank = one.rank, a.matter_ids = one.matter_ids,
    a.principal_id = one.principal_id
}
CALL () {
  UNWIND $creates AS one
  CREATE (n:$(one.labels)) SET n = one.properties
}
CALL () {
  UNWIND $updates AS one
  MATCH (n:Record {id: one.id})
  SET n += one.properties
}
CALL () {
  UNWIND $new_links AS one
  MATCH (tail:Record {id: one.tail})
  MATCH (head:Record {id: one.head})
  CREATE (tail)-[r:$(one.type)]->(head)
  SET r = one.properties
}
CALL () {
  UNWIND $links AS one
  MATCH (tail:Record {id: one.tail})
  MATCH (head:Record {id: one.head})
  MERGE (tail)-[r:$(one.type)]->(head)
  SET r.port = CASE WHEN r.port > one.properties.port THEN r.port ELSE coalesce(one.properties.port, r.port) END,
    r.effect = CASE WHEN r.effect > one.properties.effect THEN r.effect
      ELSE coalesce(one.properties.effect, r.effect) END,
    r.calls = CASE WHEN r.calls > one.properties.calls THEN r.calls ELSE coalesce(one.properties.calls, r.calls) END,
    r.errors = CASE WHEN r.errors > one.properties.errors THEN r.errors
      ELSE coalesce(one.properties.errors, r.errors) END
}
CALL () {
  UNWIND $events AS one
  CREATE (e:Event:Unnumbered) SET e = one
}
"""
