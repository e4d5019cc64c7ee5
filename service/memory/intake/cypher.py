"""Policies with their versions."""

from typing import LiteralString

from service.graph.visibility import called, visible

# For the control of what is kept: whoever reports, the policies that hold are the same.
POLICIES: LiteralString = """
UNWIND $rows AS task
MATCH (p:Policy {task_key: task})
RETURN collect([p {.*}] + COLLECT { MATCH (p)-[:PREVIOUS*1..]->(v:Version) RETURN v {.*, id: p.id} }) AS found
"""

POLICIES_SEEN: LiteralString = (
    """
UNWIND $rows AS task
MATCH (p:Policy {task_key: task}) WHERE """
    + visible("p")
    + """
RETURN collect([p {.*}] + COLLECT { MATCH (p)-[:PREVIOUS*1..]->(v:Version) RETURN v {.*, id: p.id} }) AS found
"""
)

RUN_SEEN: LiteralString = (
    """
CALL () {
  MATCH (n:Run:Record {id: $id}) RETURN n
  UNION
  """
    + called("n", "$source", "$key", "Run")
    + """
}
WITH n WHERE """
    + visible("n")
    + """
RETURN n.source AS source, properties(n) AS properties
"""
)

ARTIFACT_SEEN: LiteralString = (
    """
MATCH (a:Artifact:Record {id: $id}) WHERE """
    + visible("a")
    + """
MATCH (r:Run:Record {id: a.run_id}) WHERE """
    + visible("r")
    + """
RETURN properties(a) AS artifact, properties(r) AS run,
  COUNT { MATCH (a)<-[:CONSUMED]-(user:Activation) WHERE """
    + visible("user")
    + """ } AS used_by_count
"""
)
