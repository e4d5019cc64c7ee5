"""Statements of datasets: their cases, and what was given for them."""

from typing import LiteralString

from service.graph.visibility import visible

# The cases of a dataset. Whoever sees the dataset sees them.
EXAMPLES: LiteralString = (
    """
MATCH (d:EvalDataset {id: $id})-[:HAS_EXAMPLE]->(n:EvalExample) WHERE """
    + visible("d")
    + " AND "
    + visible("n")
    + """
WITH n ORDER BY n.position
RETURN collect(n {.id, .example_key, .input_ref, .input_hash, .input_summary, .expected, .expected_ref, .slice,
  .data_class, .matter_ids}) AS found
"""
)

# What was given to each candidate, with the hidden left out.
SCORED: LiteralString = (
    """
MATCH (d:EvalDataset {id: $id}) WHERE """
    + visible("d")
    + """
RETURN d {.id, .name, .example_count, .frozen_at, .input_fingerprint_hash} AS dataset, COLLECT {
  MATCH (d)-[:HAS_EXAMPLE]->(e:EvalExample)<-[:TRIES]-(t:EvalTrace)<-[:SCORES]-(s:EvalScore)
  WHERE """
    + visible("e")
    + " AND "
    + visible("t")
    + " AND "
    + visible("s")
    + """
  RETURN {candidate: t.candidate, example: e.example_key, slice: e.slice, kind: s.scorer_kind,
    score: s.score, verdict: s.verdict}
  ORDER BY t.candidate, e.example_key, s.id } AS scores
"""
)

# Of these records, those that are there for the asker.
SEEN: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
RETURN n.id AS id
"""
)

# Runs that cases are drawn from: of a task, of a template, or all; none that nothing is learned from.
_RUNS: LiteralString = """
CALL () {
  UNWIND $audiences AS audience
  MATCH (run:Run {audience: audience})
  WHERE run.started_at >= $since AND NOT coalesce(run.memory_mode, '') IN ['memory_incognito', 'full_ephemeral_test']
    AND ($task IS NULL OR EXISTS { (run)-[:RUN_OF]->(:Task {id: $task}) })
    AND ($template IS NULL OR EXISTS { (run)-[:USED_TEMPLATE]->(:Template {id: $template}) })
  RETURN run ORDER BY run.started_at DESC, run.id LIMIT $runs
}
WITH run ORDER BY run.started_at DESC, run.id LIMIT $runs
"""
_ROWS: LiteralString = """
WITH row ORDER BY row.at DESC, row.key LIMIT $most
RETURN collect(row) AS found
"""

# What steps were given and what came of it, as it was when they succeeded; of one module where it is named.
TRACES: LiteralString = (
    _RUNS
    + """
MATCH (a:Activation {run_id: run.id}) WHERE a.status = 'success' AND ($module IS NULL OR a.module_key = $module)
  AND (a.input_bundle_ref IS NOT NULL OR coalesce(a.input_summary, []) <> []) AND """
    + visible("a")
    + """
WITH {key: a.id, slice: a.module_key, input_ref: a.input_bundle_ref, input: coalesce(a.input_summary, []),
  expected: coalesce(a.output_summary, []), expected_ref: a.output_bundle_ref, drawn: [run.id, a.id],
  at: run.started_at} AS row
"""
    + _ROWS
)

# What judges found wanting: what was judged goes in, what was criticised is to be otherwise.
FAILURES: LiteralString = (
    _RUNS
    + """
MATCH (j:Artifact {run_id: run.id})-[:EVALUATES]->(a:Artifact)
WHERE (toLower(coalesce(j.verdict, '')) IN $against OR j.score < $poor) AND ($module IS NULL OR a.module_key = $module)
  AND """
    + visible("j")
    + " AND "
    + visible("a")
    + """
WITH {key: j.id, slice: a.module_key, input_ref: a.storage_ref, input_hash: a.content_hash,
  input: [a.name, a.summary], expected: ['Answers what was criticised:'] + coalesce(j.key_points, []) + [j.summary],
  drawn: [a.id, j.id], at: run.started_at} AS row
"""
    + _ROWS
)

# Variants that were compared, with what they got.
EXPERIMENTS: LiteralString = (
    _RUNS
    + """
MATCH (a:Artifact {run_id: run.id}) WHERE a.artifact_kind = 'experiment_bundle'
  AND ($module IS NULL OR a.module_key = $module) AND """
    + visible("a")
    + """
WITH {key: a.id, slice: a.module_key, input_ref: a.storage_ref, input_hash: a.content_hash,
  input: [a.name, a.summary], expected: coalesce(a.key_points, []) + [a.verdict], drawn: [a.id],
  at: run.started_at} AS row
"""
    + _ROWS
)

# What people said of what steps were given, and decided at gates.
LABELS: LiteralString = (
    _RUNS
    + """
CALL (run) {
  MATCH (n:Feedback {run_id: run.id}) WHERE n.feedback IS NOT NULL
    AND ($module IS NULL OR n.module_key = $module) AND """
    + visible("n")
    + """
  RETURN {key: n.id, slice: n.feedback, input: [n.module_key, n.target_ref], expected: [n.feedback, n.user_comment],
    drawn: [run.id, n.id], at: n.created_at} AS row
  UNION ALL
  MATCH (n:Gate {run_id: run.id}) WHERE n.status IN ['approved', 'rejected', 'changes_requested']
    AND ($module IS NULL OR n.module_key = $module) AND """
    + visible("n")
    + """
  RETURN {key: n.id, slice: n.status, input: [n.name, n.question], expected: [n.status, n.decision_note],
    drawn: [run.id, n.id], at: n.decided_at} AS row
}
"""
    + _ROWS
)

# What people asked for when they designed tasks, and what they kept.
CREATIONS: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (s:DesignSession {audience: audience}) WHERE s.ended_at >= $since AND s.outcome STARTS WITH 'saved'
  RETURN s ORDER BY s.ended_at DESC, s.id LIMIT $most
}
WITH {key: s.id, slice: s.inferred_task_type, input_ref: s.user_request_ref, input: [s.user_initial_request],
  expected: [s.resolved_intent] + coalesce(s.expected_outputs, []), drawn: [s.id], at: s.ended_at} AS row
"""
    + _ROWS
)

# What assessments held against runs and tasks, with what would be better.
ASSESSMENTS: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (a:Assessment {audience: audience}) WHERE a.assessed_at >= $since AND a.assessment_kind <> 'portfolio'
    AND ($task IS NULL OR a.task_id = $task) AND ($template IS NULL OR a.template_id = $template)
  RETURN a ORDER BY a.assessed_at DESC, a.id LIMIT $runs
}
WITH a ORDER BY a.assessed_at DESC, a.id LIMIT $runs
MATCH (a)-[:FOUND]->(f:AssessmentFinding) WHERE f.tone = 'problem'
  AND ($module IS NULL OR f.module_key = $module) AND """
    + visible("f")
    + """
WITH {key: f.id, slice: f.finding_kind, input: [f.statement], expected: [f.better], drawn: [f.id], at: a.assessed_at}
  AS row
"""
    + _ROWS
)
