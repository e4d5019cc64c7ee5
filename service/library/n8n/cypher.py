"""Statements about templates that came from n8n."""

from typing import LiteralString

from service.graph.visibility import called, visible

# What the templates require now, of what an import says they do. A need that the importer does not see stays as it is.
REQUIRED: LiteralString = (
    """
UNWIND $ids AS id
MATCH (template:Record {id: id})-[:REQUIRES]->(need:Capability {source: $source})
WHERE """
    + visible("template")
    + """ AND """
    + visible("need")
    + """
RETURN id, collect(need.id) AS needs
"""
)

# A template's present graph, whole, or nothing.
WORKFLOW: LiteralString = (
    """
CALL () {
  MATCH (n:Record {id: $id}) RETURN n
  UNION
  """
    + called("n", "$source", "$key")
    + """
}
WITH n AS template WHERE template:Template AND """
    + visible("template")
    + """
RETURN template {.id, .name} AS template,
  head(COLLECT {
    MATCH (template)-[:HAS_GRAPH]->(snapshot:GraphSnapshot) WHERE """
    + visible("snapshot")
    + """
    RETURN snapshot {.settings, .extra,
      modules: COLLECT {
        MATCH (snapshot)-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("m")
    + """
        RETURN m {.module_key, .module_type, .config, .disabled}
      },
      cables: COLLECT {
        MATCH (snapshot)-[:HAS_MODULE]->(tail:Module)-[r:CABLE]->(head:Module)
        WHERE """
    + visible("tail")
    + """ AND """
    + visible("head")
    + """
        RETURN r {.*, tail: tail.module_key, head: head.module_key}
      }}
  }) AS graph
"""
)
