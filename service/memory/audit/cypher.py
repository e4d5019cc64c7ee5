"""The statements of an audit export: the parts of a run, their links, and what these lead to."""

from typing import LiteralString

from service.graph.visibility import visible

# One line for each label whose records belong to a run; each is found by its index on run_id.
PARTS: LiteralString = (
    """
CALL () {
  MATCH (n:Activation {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Span {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Artifact {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Delivery {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Gate {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Snapshot {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Checkpoint {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Session {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Intervention {run_id: $run}) RETURN n
  UNION ALL MATCH (n:NativeEvent {run_id: $run}) RETURN n
  UNION ALL MATCH (n:LibraryIntent {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Thread {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Consult {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Trigger {run_id: $run}) RETURN n
  UNION ALL MATCH (n:ScopeEnvelope {run_id: $run}) RETURN n
  UNION ALL MATCH (n:ContextPacket {run_id: $run}) RETURN n
  UNION ALL MATCH (n:ExpansionReceipt {run_id: $run}) RETURN n
}
WITH n WHERE """
    + visible("n")
    + """
WITH n LIMIT $most
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""
)

# What the parts lead to, and what says something about them later. What merely used them since is another run's story.
LINKS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
CALL (n) {
  MATCH (n)-[r]->(m:Record) WHERE """
    + visible("m")
    + """
  RETURN n.id AS tail, type(r) AS type, m.id AS head, properties(r) AS facts
  UNION ALL
  MATCH (n)<-[r:$any($incoming)]-(m:Record) WHERE """
    + visible("m")
    + """
  RETURN m.id AS tail, type(r) AS type, n.id AS head, properties(r) AS facts
}
WITH tail, type, head, facts LIMIT $most
RETURN collect([tail, type, head, facts]) AS found
"""
)

OTHERS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""
)

EXPORT: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE n:AuditExport AND """
    + visible("n")
    + """
RETURN n {.id, .decision, .export_ref} AS export
"""
)
