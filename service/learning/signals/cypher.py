"""Statements of signals."""

from typing import LiteralString

from service.graph.parts.cypher import held
from service.graph.visibility import visible

# The saved design behind each of these runs and tasks: its graph as modules and cables, and its blueprint.
DESIGNS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
OPTIONAL MATCH (n)-[:RUN_OF]->(of:Task) WHERE """
    + visible("of")
    + """
WITH id, CASE WHEN n:Task THEN n ELSE of END AS task
WHERE task IS NOT NULL
OPTIONAL MATCH (task)-[:HAS_GRAPH]->(graph:GraphSnapshot) WHERE """
    + visible("graph")
    + """
OPTIONAL MATCH (task)-[:HAS_BLUEPRINT]->(blueprint:Blueprint) WHERE """
    + visible("blueprint")
    + """
WITH id, task, head(collect(graph)) AS graph, head(collect(blueprint)) AS blueprint
RETURN id, task.id AS task_id, graph IS NOT NULL AS drawn, blueprint.id AS blueprint_id,
  COLLECT { MATCH (graph)-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("m")
    + """ RETURN {key: m.module_key, type: m.module_type} } AS modules,
  COLLECT { MATCH (graph)-[:HAS_MODULE]->(a:Module)-[c:CABLE]->(b:Module) WHERE """
    + visible("a")
    + """ AND """
    + visible("b")
    + """ RETURN [a.module_key, b.module_key] } AS cables
"""
)

# Signals that are old and support no proposal, by the index on audience and time. One of a run stays as long as that is
# whole; one of a matter, as long as the matter is active.
_OLD: LiteralString = (
    """
MATCH (a:Audience)
MATCH (n:Signal {audience: a.audience})
WHERE n.emitted_at < $cutoff AND n.data_class IN $classes
  AND NOT EXISTS { MATCH (n)<-[:SUPPORTED_BY|COUNTERED_BY]-(:Proposal) }
  AND NOT EXISTS { MATCH (r:Run:Record {id: n.run_id}) WHERE r.compacted_at IS NULL }
  AND NOT any(m IN n.matter_ids WHERE EXISTS { MATCH (e:Record {id: m}) WHERE e.lifecycle_state = 'active' })
WITH n, """
    + held("n")
    + """ AS kept
"""
)

COUNT_OLD: LiteralString = (
    _OLD
    + """
RETURN sum(CASE WHEN kept THEN 0 ELSE 1 END) AS due, sum(CASE WHEN kept THEN 1 ELSE 0 END) AS held,
  collect(CASE WHEN kept THEN null ELSE n.name END)[..$most] AS samples
"""
)

TAKE_OLD: LiteralString = (
    _OLD
    + """
WITH n WHERE NOT kept
WITH n LIMIT $most
SET n._lock = true
REMOVE n._lock
RETURN collect({id: n.id, kind: 'Signal', stays: false}) AS found
"""
)
