"""The statements of a report: lock its runs, load what it names, write what came of it."""

from typing import LiteralString

from service.graph.visibility import called, visible

# Setting and removing a property takes the write lock before the run's state is read. Whatever belongs to a run is
# changed only under its run's lock. The refs come in one order from every caller, so that none waits for another.
LOCK_RUNS: LiteralString = """
UNWIND $refs AS ref
CALL (ref) {
  MATCH (n:Record {id: ref.id}) RETURN n
  UNION
  MATCH (n:Record {source: ref.source, source_key: ref.key}) WHERE n.realm IS NOT NULL RETURN n
  UNION
  MATCH (n:Tombstone {key_hash: ref.key_hash}) RETURN n
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

# Small statements, each run only when there is something for it: a large one is planned anew for most of a second
# whenever the graph has grown.
REPORTS: LiteralString = """
UNWIND $rows AS row
MATCH (n:Report {run_id: row[0], event_id: row[1]})
RETURN collect([n.run_id, n.event_id, n.hash]) AS found
"""

ACTIVATED_MODULES: LiteralString = """
UNWIND $rows AS row
WITH row WHERE EXISTS { MATCH (n:Activation {run_id: row[0], module_key: row[1]}) WHERE n.activation_seq >= 0 }
RETURN collect(row) AS found
"""

MATTERS: LiteralString = """
UNWIND $rows AS id
MATCH (n:Matter {id: id})
RETURN collect(n.id) AS found
"""

MATTERS_CALLED: LiteralString = (
    """
UNWIND $rows AS row
CALL (row) {
  """
    + called("n", "row.source", "row.key", "Matter")
    + """
}
RETURN collect([row.source, row.key, n.id]) AS found
"""
)

OUTSIDE: LiteralString = """
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Record {source: row.source, source_key: row.key}) WHERE n.realm IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Tombstone {key_hash: row.key_hash}) RETURN n
}
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""

# For what is there and will be written: its state is read again once nobody else can change it.
LOCK_OUTSIDE: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {source: row.source, source_key: row.key}) WHERE n.realm IS NOT NULL
SET n._lock = true
REMOVE n._lock
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""

# What came of runs that somebody reported is theirs to go on with.
OWN: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row[0]})
WHERE EXISTS { MATCH (run:Record {id: n.run_id}) WHERE run:Run AND row[1] IN run.reporters }
  OR EXISTS { MATCH (n)<-[:BECAME]-(made:Artifact) MATCH (run:Record {id: made.run_id}) WHERE row[1] IN run.reporters }
RETURN collect(n.id) AS found
"""

LOCK_FORKS: LiteralString = """
UNWIND $rows AS id
MATCH (n:Record {id: id}) WHERE n:Fork
SET n._lock = true
REMOVE n._lock
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""

BY_ID: LiteralString = """
UNWIND $rows AS id
MATCH (n:Record {id: id})
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""


def _part(label: LiteralString, key: LiteralString) -> LiteralString:
    """How parts are found that have a key of their own in the run."""
    return (
        """
UNWIND $rows AS key
MATCH (n:"""
        + label
        + " {run_id: key[0], "
        + key
        + """: key[1]})
RETURN collect(properties(n)) AS found
"""
    )


PARTS: dict[str, LiteralString] = {
    "Activation": """
UNWIND $rows AS key
MATCH (n:Activation {run_id: key[0], module_key: key[1], activation_seq: key[2]})
RETURN collect(properties(n)) AS found
""",
    "Span": _part("Span", "span_key"),
    "Delivery": _part("Delivery", "idempotency_key"),
    "Gate": _part("Gate", "gate_key"),
    "Snapshot": _part("Snapshot", "snapshot_key"),
    "Checkpoint": _part("Checkpoint", "checkpoint_key"),
    "Session": _part("Session", "session_key"),
    "Intervention": _part("Intervention", "intervention_key"),
    "NativeEvent": _part("NativeEvent", "native_key"),
}
"""How the parts of a run are found, by label."""

# The spans of a step, and those of a run that are in none: what their costs are added up from.
SPANS_OF_STEPS: LiteralString = """
UNWIND $rows AS row
MATCH (step:Activation {run_id: row.run_id, module_key: row.module_key, activation_seq: row.activation_seq})
RETURN row.run AS run, row.module_key AS module_key, row.activation_seq AS activation_seq,
  COLLECT {
    MATCH (step)<-[:IN]-(n:Span) WHERE n.module_key = row.module_key AND n.activation_seq = row.activation_seq
    RETURN [n.span_key, [name IN $fields | n[name]]]
  } AS spans
"""

SPANS_OUTSIDE: LiteralString = """
UNWIND $rows AS row
RETURN row.run AS run, null AS module_key, null AS activation_seq,
  COLLECT {
    MATCH (n:Span {run_id: row.run_id}) WHERE n.module_key IS NULL
    RETURN [n.span_key, [name IN $fields | n[name]]]
  } AS spans
"""

# What modules of known runs were given to know: what prompted them holds it.
PACKETS: LiteralString = """
UNWIND $rows AS key
MATCH (n:ContextPacket {run_id: key[0], module_key: key[1], activation_seq: key[2]})
RETURN collect([n.run_id, n.module_key, n.activation_seq, n.id]) AS found
"""

CREATE_AUDIENCES: LiteralString = """
UNWIND $rows AS row
MERGE (a:Audience {audience: row.audience})
ON CREATE SET a.data_class = row.data_class, a.rank = row.rank, a.matter_ids = row.matter_ids,
  a.principal_ids = row.principal_ids
"""

CREATE_REPORTS: LiteralString = """
UNWIND $rows AS row
CREATE (n:Report) SET n = row
"""

CREATE_RECORDS: LiteralString = """
UNWIND $rows AS row
CREATE (n:$(row.labels)) SET n = row.properties
"""

UPDATE_RECORDS: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.id})
SET n += row.properties
"""

# Before the records themselves: what was told otherwise before stays reachable.
KEEP_FORMER: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.id})
OPTIONAL MATCH (n)-[before:PREVIOUS]->(older:Version)
CREATE (former:Version)
SET former = properties(n), former.record_id = n.id, former.replaced_at = row.at
REMOVE former.id
CREATE (n)-[:PREVIOUS]->(former)
FOREACH (last IN CASE WHEN older IS NULL THEN [] ELSE [older] END |
  DELETE before
  CREATE (former)-[:PREVIOUS]->(last))
"""

CREATE_LINKS: LiteralString = """
UNWIND $rows AS row
MATCH (tail:Record {id: row.tail})
MATCH (head:Record {id: row.head})
CREATE (tail)-[r:$(row.type)]->(head)
SET r = row.properties
"""

# Facts of a link are joined by taking the greater, or the first time: the same in whatever order they come.
MERGE_LINKS: LiteralString = """
UNWIND $rows AS row
MATCH (tail:Record {id: row.tail})
MATCH (head:Record {id: row.head})
MERGE (tail)-[r:$(row.type)]->(head)
SET r.port = CASE WHEN r.port > row.properties.port THEN r.port ELSE coalesce(row.properties.port, r.port) END,
  r.effect = CASE WHEN r.effect > row.properties.effect THEN r.effect
    ELSE coalesce(row.properties.effect, r.effect) END,
  r.calls = CASE WHEN r.calls > row.properties.calls THEN r.calls ELSE coalesce(row.properties.calls, r.calls) END,
  r.errors = CASE WHEN r.errors > row.properties.errors THEN r.errors
    ELSE coalesce(row.properties.errors, r.errors) END,
  r.named = CASE WHEN r.named < row.properties.named THEN r.named ELSE coalesce(row.properties.named, r.named) END
"""

# What changed in a run by an event: each record once, as it stands now.
RUN_CHANGE: LiteralString = (
    """
MATCH (r:Record {id: $run})
WHERE r:Run AND """
    + visible("r")
    + """
RETURN r.status AS status, r.version AS version,
  COLLECT {
    MATCH (e:Event {event_id: $event})
    WHERE """
    + visible("e")
    + """
    UNWIND CASE e.about WHEN $run THEN e.parts ELSE [e.about] END AS part
    MATCH (n:Record {id: part})
    WHERE """
    + visible("n")
    + """
    RETURN n {.id, .name, .version, .module_key, .activation_seq,
      status: coalesce(n.status, n.artifact_state, n.continuation_status, n.mapping_status),
      key: coalesce(n.span_key, n.gate_key, n.idempotency_key, n.snapshot_key, n.checkpoint_key, n.session_key,
        n.intervention_key, n.native_key, n.source_key)}
  } AS parts
"""
)
