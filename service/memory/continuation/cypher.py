"""What the commands after a run look at while their transaction is open."""

from typing import LiteralString

from service.graph.visibility import visible

STEP: LiteralString = (
    """
MATCH (a:Activation {run_id: $run_id, module_key: $module_key, activation_seq: $activation_seq})
WHERE """
    + visible("a")
    + """
RETURN labels(a) AS labels, properties(a) AS properties,
  COLLECT {
    MATCH (a)-[:RAN_IN]->(s:Session) WHERE """
    + visible("s")
    + """
    RETURN {labels: labels(s), properties: properties(s)} ORDER BY s.session_key
  } AS sessions,
  COLLECT {
    MATCH (a)-[made:PRODUCED]->(x:Artifact) WHERE """
    + visible("x")
    + """
    RETURN DISTINCT coalesce(made.port, x.port_name)
  } AS ports,
  EXISTS {
    MATCH (c:Checkpoint {run_id: $run_id}) WHERE """
    + visible("c")
    + """
  } AS has_checkpoint
"""
)

# For the service itself: runs that named the fork before it was requested here. Nothing of them is told to anybody.
CHILD_RUNS: LiteralString = """
MATCH (fork:Record {id: $id}) WHERE fork:Fork
MATCH (fork)<-[:CREATED_BY]-(child:Run)
RETURN collect(child.id) AS ids
"""
