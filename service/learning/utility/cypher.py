"""Statements of what is learned by type of task and by goal."""

from typing import LiteralString

from service.graph.visibility import visible

# Completed runs with what each made, by its shape, and whether anybody came back to it.
OUTPUTS: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (run:Run {audience: audience})
  WHERE run.status = 'completed' AND NOT coalesce(run.memory_mode, '') IN ['memory_incognito', 'full_ephemeral_test']
  RETURN run ORDER BY run.started_at DESC, run.id LIMIT $most
}
WITH run ORDER BY run.started_at DESC, run.id LIMIT $most
WITH run, head(COLLECT { MATCH (run)-[:RUN_OF|USED_TEMPLATE]->(n:Record) WHERE n.task_type IS NOT NULL AND """
    + visible("n")
    + """ RETURN {type: n.task_type, id: n.id} ORDER BY n:Task DESC, n.id LIMIT 1 }) AS of
WHERE of IS NOT NULL AND ($task_type IS NULL OR of.type = $task_type)
RETURN collect({id: run.id, of: of.id, task_type: of.type, made: COLLECT {
  MATCH (n:Artifact {run_id: run.id}) WHERE n.output_archetype IS NOT NULL AND """
    + visible("n")
    + """ RETURN {shape: n.output_archetype, id: n.id, taken: n.opened_count + n.cited_count + n.bookmarked_count > 0}
  ORDER BY n.id }}) AS found
"""
)

# What assessments told of a goal, with the work that it was told of and the shapes that work followed.
GOAL: LiteralString = (
    """
MATCH (g:Goal:Record {id: $id}) WHERE """
    + visible("g")
    + """
RETURN g {.id, .name} AS goal, COLLECT {
  MATCH (g)<-[told:EVALUATED_GOAL]-(a:Assessment)-[:ASSESSES]->(run:Run) WHERE """
    + visible("a")
    + " AND "
    + visible("run")
    + """
  WITH told, a, run ORDER BY a.assessed_at DESC, a.id LIMIT $most
  RETURN {id: a.id, effect: told.effect, run: run.id, at: a.assessed_at,
    task: head(COLLECT { MATCH (run)-[:RUN_OF|USED_TEMPLATE]->(n:Record) WHERE n.task_type IS NOT NULL AND """
    + visible("n")
    + """ RETURN n.task_type ORDER BY n:Task DESC, n.id LIMIT 1 }),
    template: head(COLLECT { MATCH (run)-[:USED_TEMPLATE]->(n:Template) WHERE """
    + visible("n")
    + """ RETURN n.id ORDER BY n.id LIMIT 1 }),
    patterns: COLLECT { MATCH (run)-[:USED_TEMPLATE]->(t:Template)-[:FOLLOWS_PATTERN]->(n:Pattern) WHERE """
    + visible("t")
    + " AND "
    + visible("n")
    + """ RETURN n.id ORDER BY n.id },
    presets: COLLECT { MATCH (run)-[:ACTIVATED]->(:Activation)-[:USED_PRESET]->(n:Preset) WHERE """
    + visible("n")
    + """ RETURN DISTINCT n.id ORDER BY n.id }}
} AS found
"""
)
