"""Which saved graph a run went through, and the links from its steps to the modules of that."""

from typing import LiteralString

MOST_RUNS = 200
"""Runs whose steps are tied when their task gets its graph: the latest. Views find the graph of any run."""
MOST_STEPS = 20_000


def graph_of_run(seen: LiteralString = "true") -> LiteralString:
    """Finds the `graph` of a `run`, if one is saved; a row for a run without one is lost.

    The graph that the run names, by its id or by its hash; else the one that its task had when it began, or, when it
    had none yet, the first that it got; else the same of its template. A fork that keeps to its parent's graph goes by
    what its parent names and by when that began. Of several copies of a named graph it takes one that is `seen`.
    """
    return (
        """
CALL (run) {
  OPTIONAL MATCH (run)-[:CREATED_BY]->(fork:Fork {graph_policy: 'use_parent_graph_snapshot'})
  WHERE NOT fork.stub
  OPTIONAL MATCH (run)-[:FORKED_FROM]->(parent:Run {id: fork.parent_run_id})
  WITH run, coalesce(run.graph_snapshot_ref, parent.graph_snapshot_ref) AS named,
    coalesce(parent.started_at, run.started_at, '~') AS begun
  LIMIT 1
  CALL (run, named, begun) {
    WITH run, last(split(replace(named, ':', '/'), '/')) AS ref
    CALL (ref) {
      MATCH (graph:Record {id: ref}) WHERE graph:GraphSnapshot RETURN graph
      UNION
      MATCH (graph:GraphSnapshot {graph_hash: ref}) RETURN graph
    }
    WITH run, graph WHERE """
        + seen
        + """
    RETURN graph, CASE WHEN graph.audience = run.audience THEN 0 ELSE 1 END AS way, '' AS until
    UNION ALL
    MATCH (run)-[:RUN_OF]->(:Task)-[has:HAS_GRAPH|HAD_GRAPH]->(graph:GraphSnapshot)
    WHERE coalesce(has.replaced_at, '~~') > begun
    RETURN graph, 2 AS way, coalesce(has.replaced_at, '~~') AS until
    UNION ALL
    MATCH (run)-[:USED_TEMPLATE]->(:Template)-[has:HAS_GRAPH|HAD_GRAPH]->(graph:GraphSnapshot)
    WHERE coalesce(has.replaced_at, '~~') > begun
    RETURN graph, 3 AS way, coalesce(has.replaced_at, '~~') AS until
  }
  RETURN graph ORDER BY way, until, graph.id LIMIT 1
}
"""
    )


# The other links are those to the module of the task, and to a graph that it was tied to before more was known.
_TIED: LiteralString = """
OPTIONAL MATCH (step)-[other:OF_MODULE]->(former:Record) WHERE former.id <> module.id
DELETE other
MERGE (step)-[:OF_MODULE]->(module)
"""

# `steps` are ids by their modules; `whole` means all steps of the run: it has another graph from now on.
TIE_STEPS: LiteralString = (
    """
UNWIND $rows AS row
MATCH (run:Record {id: row.run})
"""
    + graph_of_run()
    + """
MATCH (graph)-[:HAS_MODULE]->(module:Module)
CALL (row, run, module) {
  UNWIND row.steps[module.module_key] AS id
  MATCH (step:Record {id: id}) RETURN step
  UNION
  WITH run, row, module WHERE row.whole
  MATCH (step:Activation {run_id: run.id, module_key: module.module_key}) WHERE step.activation_seq >= 0 RETURN step
}
"""
    + _TIED
)

TIE_RUNS: LiteralString = (
    """
UNWIND $owners AS owner
MATCH (:Record {id: owner})<-[:RUN_OF|USED_TEMPLATE]-(run:Run)
WITH DISTINCT run ORDER BY run.started_at DESC LIMIT $most_runs
"""
    + graph_of_run()
    + """
MATCH (graph)-[:HAS_MODULE]->(module:Module)
MATCH (step:Activation {run_id: run.id, module_key: module.module_key})
WHERE step.activation_seq >= 0 AND NOT EXISTS { (step)-[:OF_MODULE]->(module) }
WITH step, module LIMIT $most_steps
"""
    + _TIED
)
