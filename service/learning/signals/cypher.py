"""Statements of signals."""

from typing import LiteralString

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
