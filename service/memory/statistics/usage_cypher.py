"""How often assets were used, counted by the database from what executors reported. Runs and activations are sought by
audience and by what executors call the asset, in the indexes that statistics seek by, too.
"""

from typing import LiteralString

from service.graph.visibility import visible

# The runs of a template `t`: those that name it, and those of tasks made from it that name none.
_RUNS: LiteralString = (
    """
CALL (t) {
  CALL (t) {
    UNWIND $audiences AS audience
    MATCH (run:Run {audience: audience, template_key: t.source_key})
    WHERE run.started_at > '' AND run.source = t.source
    RETURN run
    UNION ALL
    MATCH (t)<-[:INSTANTIATES]-(task:Task) WHERE """
    + visible("task")
    + """
    UNWIND $audiences AS audience
    MATCH (run:Run {audience: audience, task_key: task.source_key})
    WHERE run.started_at > '' AND run.source = task.source AND run.template_key IS NULL
    RETURN run
  }
  RETURN count(DISTINCT run) AS usage_count, max(run.started_at) AS last_used_at,
    count(DISTINCT CASE run.status WHEN 'completed' THEN run END) AS success_count,
    count(DISTINCT CASE run.status WHEN 'failed' THEN run END) AS failure_count
}
"""
)

TEMPLATE_USES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (t:Template:Record {id: id}) WHERE """
    + visible("t")
    + _RUNS
    + """
CALL (t) {
  MATCH (t)<-[:ASSESSES]-(a:Assessment {assessment_kind: 'run'}) WHERE """
    + visible("a")
    + """
  WITH a ORDER BY a.assessed_at DESC
  WITH a.run_id AS run, head(collect(a)) AS a
  RETURN count(a) AS assessed, avg(a.quality_score) AS score, sum(a.problem_count) AS problems,
    sum(a.strength_count) AS strengths
}
RETURN id, usage_count, last_used_at, assessed, score, problems, strengths
"""
)

PRESET_USES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (p:Preset:Record {id: id}) WHERE """
    + visible("p")
    + """
CALL (p) {
  UNWIND $audiences AS audience
  MATCH (step:Activation {audience: audience, preset_key: p.source_key}) WHERE step.status <> 'skipped'
  MATCH (run:Record {id: step.run_id}) WHERE run:Run AND """
    + visible("run")
    + """ AND run.source = p.source
  RETURN count(step) AS usage_count,
    max(coalesce(step.started_at, step.waiting_since, step.completed_at, run.started_at)) AS last_used_at
}
CALL (p) {
  MATCH (p)<-[:EVIDENCED_BY]-(f:AssessmentFinding) WHERE """
    + visible("f")
    + """
  RETURN count(f) AS assessed, count(CASE f.tone WHEN 'problem' THEN 1 END) AS problems,
    count(CASE f.tone WHEN 'strength' THEN 1 END) AS strengths
}
RETURN id, usage_count, last_used_at, assessed, null AS score, problems, strengths
"""
)

GROUP_USES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (g:TemplateGroup:Record {id: id}) WHERE """
    + visible("g")
    + """
RETURN id, COLLECT {
  MATCH (g)-[:IN_GROUP|HAS_PRIMARY]-(t:Template)
  WHERE """
    + visible("t")
    + """ AND t.lifecycle_state <> 'archived'
  WITH DISTINCT t
"""
    + _RUNS
    + """
  RETURN t {template_id: t.id, .name, usage_count: usage_count, last_used_at: last_used_at,
    success_count: success_count, failure_count: failure_count}
  ORDER BY usage_count DESC, t.name, t.id
} AS templates
"""
)
