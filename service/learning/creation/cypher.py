"""What is asked of the graph about tasks and their receipts."""

from typing import LiteralString

from service.graph.visibility import visible

# Whether a task has a receipt: for the task's own sake, nothing of it is told.
HAS_RECEIPT: LiteralString = """
RETURN EXISTS { MATCH (:TaskReceipt)-[:FOR]->(:Task:Record {id: $id}) } AS found
"""

# The receipts of a task that wait for a review.
UNREVIEWED: LiteralString = """
MATCH (r:TaskReceipt)-[:FOR]->(:Task:Record {id: $id}) WHERE r.reviewed_at IS NULL
RETURN labels(r) AS labels, properties(r) AS properties ORDER BY r.created_at, r.id
"""

# Classes of side effect that a task's graph, blueprint and template would have.
SIDE_EFFECTS: LiteralString = """
CALL () {
  UNWIND $graphs AS id
  MATCH (:GraphSnapshot:Record {id: id})-[:HAS_MODULE]->(m:Module)-[:OF_TYPE]->(type:ModuleType)
  WHERE NOT coalesce(m.disabled, false)
  UNWIND type.side_effect_classes AS class RETURN class
  UNION
  UNWIND $blueprints AS id
  MATCH (:Blueprint:Record {id: id})-[:HAS_SIDE_EFFECT]->(effect:SideEffect) RETURN effect.side_effect_class AS class
  UNION
  UNWIND $blueprints AS id
  MATCH (:Blueprint:Record {id: id})-[:REQUIRES]->(c:Capability)
  UNWIND c.side_effect_classes AS class RETURN class
  UNION
  UNWIND $templates AS id
  MATCH (t:Template:Record {id: id}) UNWIND t.side_effect_classes AS class RETURN class
  UNION
  UNWIND $templates AS id
  MATCH (:Template:Record {id: id})-[:HAS_GRAPH]->(:GraphSnapshot)-[:HAS_MODULE]->(m:Module)
  MATCH (m)-[:OF_TYPE]->(type:ModuleType)
  WHERE NOT coalesce(m.disabled, false)
  UNWIND type.side_effect_classes AS class RETURN class
  UNION
  UNWIND $templates AS id
  MATCH (:Template:Record {id: id})-[:HAS_BLUEPRINT]->(:Blueprint)-[:HAS_SIDE_EFFECT]->(effect:SideEffect)
  RETURN effect.side_effect_class AS class
}
RETURN collect(DISTINCT class) AS classes
"""

# What a task has that bears on whether it may run.
OF_TASK: LiteralString = (
    """
MATCH (task:Task:Record {id: $id}) WHERE """
    + visible("task")
    + """
RETURN COLLECT { MATCH (task)-[:HAS_GRAPH]->(n:GraphSnapshot) WHERE """
    + visible("n")
    + """ RETURN n.id } AS graphs,
  COLLECT { MATCH (task)-[:HAS_BLUEPRINT]->(n:Blueprint) WHERE """
    + visible("n")
    + """ RETURN n.id } AS blueprints,
  COLLECT { MATCH (task)-[:INSTANTIATES]->(n:Template) WHERE """
    + visible("n")
    + """ RETURN n.id } AS templates
"""
)

# The graph and blueprint of a template, for a task that is made from it.
OF_TEMPLATE: LiteralString = (
    """
MATCH (t:Template:Record {id: $id}) WHERE """
    + visible("t")
    + """
RETURN head(COLLECT { MATCH (t)-[:HAS_GRAPH]->(g:GraphSnapshot) WHERE """
    + visible("g")
    + """ RETURN g.id ORDER BY g.id }) AS graph
"""
)

# A task with its receipts, and what they lead to.
TRACKED: LiteralString = (
    """
MATCH (task:Task:Record {id: $id}) WHERE """
    + visible("task")
    + """
RETURN task {.id, .name, .lifecycle_state, .reusable, .scheduled, .trigger_enabled} AS task,
  EXISTS { MATCH (task)-[:HAS_GRAPH]->(g:GraphSnapshot) WHERE """
    + visible("g")
    + """ } AS has_graph,
  COLLECT { MATCH (task)-[:INSTANTIATES]->(t:Template) WHERE """
    + visible("t")
    + """ RETURN t.id ORDER BY t.id } AS templates,
  COLLECT {
    MATCH (r:TaskReceipt)-[:FOR]->(task) WHERE """
    + visible("r")
    + """
    RETURN r {.*,
      runs: COLLECT { MATCH (r)-[:FOR]->(n:Run) WHERE """
    + visible("n")
    + """ RETURN n {.id, .status} ORDER BY n.id },
      decision: head(COLLECT { MATCH (r)-[:OF]->(n:ModeDecision) WHERE """
    + visible("n")
    + """ RETURN n.id }),
      session: head(COLLECT { MATCH (r)-[:DESIGNED_IN]->(n:DesignSession) WHERE """
    + visible("n")
    + """ RETURN n.id }),
      directive: head(COLLECT { MATCH (r)-[:SUGGESTS]->(n:InvocationDirective) WHERE """
    + visible("n")
    + """ RETURN n.id }),
      about: COLLECT { MATCH (r)-[:ABOUT]->(n:Record) WHERE """
    + visible("n")
    + """ RETURN {id: n.id, kind: head([l IN labels(n) WHERE l IN ['Entity', 'Goal']]), of: n.kind} ORDER BY n.id }}
    ORDER BY r.created_at DESC, r.id
  } AS receipts
"""
)

RECORD: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN labels(n) AS labels, properties(n) AS properties
"""
)
