"""Tasks, templates and their groups: what they come from, and what they have."""

from typing import LiteralString

from service.graph.visibility import visible

GROUP_WORTH: LiteralString = (
    """
UNWIND $ids AS id
MATCH (g:TemplateGroup:Record {id: id}) WHERE """
    + visible("g")
    + """
RETURN id, properties(g) AS properties,
  COUNT {
    MATCH (g)-[:IN_GROUP|HAS_PRIMARY]-(t:Template)
    WHERE """
    + visible("t")
    + """ AND t.lifecycle_state <> 'archived'
    RETURN DISTINCT t
  } AS templates,
  COUNT { MATCH (g)-[:SHARES]->(s:Record) WHERE """
    + visible("s")
    + """ } AS shared,
  COUNT { MATCH (g)-[:REQUIRES|ALLOWS|DENIES]->(c:Capability) WHERE """
    + visible("c")
    + """ } AS capabilities
"""
)

DESIGN_FACTS: LiteralString = (
    """
MATCH (owner:Record {id: $id})
RETURN EXISTS { MATCH (owner)-[:INSTANTIATES]->(t:Template) WHERE """
    + visible("t")
    + """ } AS from_template,
  EXISTS { MATCH (owner)<-[:LEARNED_FROM|DESIGNED_WITH]-(c:Case) WHERE """
    + visible("c")
    + """ } AS has_case
"""
)

KEPT_BY: LiteralString = (
    """
MATCH (e:Event {about: $id}) WHERE e.kind = 'matchdecision.created' AND """
    + visible("e")
    + """
RETURN e.principal_id AS principal_id LIMIT 1
"""
)

TASK_LINKS: LiteralString = """
MATCH (task:Task:Record {id: $id})
CALL (task) {
  MATCH (task)-[:INSTANTIATES]->(own:Template) WHERE own.follows_task_id = task.id
  SET own._lock = true REMOVE own._lock
}
RETURN COUNT { (task)-[:INSTANTIATES]->(:Template) } AS templates,
  COLLECT { MATCH (task)-[:HAS_GRAPH]->(one:GraphSnapshot) RETURN one.id ORDER BY one.id } AS graphs,
  COLLECT {
    MATCH (task)-[:HAS_BLUEPRINT]->(one:Blueprint) RETURN {id: one.id, hash: one.blueprint_hash} ORDER BY one.id
  } AS blueprints,
  head(COLLECT {
    MATCH (task)-[:INSTANTIATES]->(own:Template) WHERE own.follows_task_id = task.id
    RETURN {labels: labels(own), properties: properties(own),
      graphs: COLLECT { MATCH (own)-[:HAS_GRAPH]->(one:GraphSnapshot) RETURN one.id ORDER BY one.id },
      blueprints: COLLECT { MATCH (own)-[:HAS_BLUEPRINT]->(one:Blueprint) RETURN one.id ORDER BY one.id }}
  }) AS own
"""

# Where a template stood before it was put away.
STATE_BEFORE: LiteralString = """
MATCH (:Template:Record {id: $id})-[:PREVIOUS*]->(former:Version) WHERE former.lifecycle_state <> 'archived'
RETURN former.lifecycle_state AS state ORDER BY former.version DESC LIMIT 1
"""

# Whether a record says the opposite of a capability already.
OPPOSITE_NEED: LiteralString = """
MATCH (tail:Record {id: $tail})-[link:REQUIRES|DENIES]->(head:Record {id: $head})
WHERE type(link) = $type
RETURN type(link) AS found LIMIT 1
"""
