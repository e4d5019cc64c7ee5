"""What the history of runs reads. A statement is put together from an anchor, further predicates and an end.

The anchor seeks runs in an index that begins with the audience and ends with the start, so that a page costs what it
shows and a narrow viewer pays for what they see. All values are parameters.
"""

from typing import LiteralString

from service.graph.visibility import called, visible

# Records that a filter names, as far as the viewer sees them.
NAMED: LiteralString = (
    """
UNWIND $refs AS ref
CALL (ref) {
  MATCH (n:Record {id: ref.id}) RETURN n
  UNION
  """
    + called("n", "ref.source", "ref.key")
    + """
}
WITH ref, n WHERE """
    + visible("n")
    + """ AND ref.kind IN labels(n)
RETURN collect({filter: ref.filter, id: n.id, source: n.source, key: n.source_key}) AS found
"""
)

ANY_RUN: LiteralString = """
UNWIND $audiences AS audience
CALL (audience) { MATCH (run:Run {audience: audience}) WHERE run.started_at IS NOT NULL RETURN 1 AS one LIMIT 1 }
RETURN count(*) > 0 AS there
"""

_BOUNDS: LiteralString = """
  run.started_at >= $from AND run.started_at <= $to AND run.started_at < $before
  AND (run.started_at < $to OR run.id < $after)
"""

# By name: how runs are found, and the order in which the index gives them.
ANCHORS: dict[str, tuple[LiteralString, LiteralString]] = {
    "tasks": (
        """
UNWIND $audiences AS audience
UNWIND $tasks AS task
CALL (audience, task) {
  MATCH (run:Run {audience: audience, task_key: task.key})
  WHERE run.source = task.source AND""",
        "run.audience DESC, run.task_key DESC, ",
    ),
    "templates": (
        """
UNWIND $audiences AS audience
UNWIND $templates AS template
CALL (audience, template) {
  MATCH (run:Run {audience: audience, template_key: template.key})
  WHERE run.source = template.source AND""",
        "run.audience DESC, run.template_key DESC, ",
    ),
    "failure_codes": (
        """
UNWIND $audiences AS audience
UNWIND $failure_codes AS value
CALL (audience, value) {
  MATCH (run:Run {audience: audience, failure_code: value})
  WHERE""",
        "run.audience DESC, run.failure_code DESC, ",
    ),
    "about": (
        """
UNWIND $about AS about
CALL (about) {
  MATCH (:Record {id: about})<-[:ABOUT]-(run:Run)
  WHERE """
        + visible("run")
        + """ AND""",
        "",
    ),
    "statuses": (
        """
UNWIND $audiences AS audience
UNWIND $statuses AS value
CALL (audience, value) {
  MATCH (run:Run {audience: audience, status: value})
  WHERE""",
        "run.audience DESC, run.status DESC, ",
    ),
    "trigger_kinds": (
        """
UNWIND $audiences AS audience
UNWIND $trigger_kinds AS value
CALL (audience, value) {
  MATCH (run:Run {audience: audience, trigger_kind: value})
  WHERE""",
        "run.audience DESC, run.trigger_kind DESC, ",
    ),
}
BY_AUDIENCE: tuple[LiteralString, LiteralString] = (
    """
UNWIND $audiences AS audience
CALL (audience) {
  MATCH (run:Run {audience: audience})
  WHERE""",
    "run.audience DESC, ",
)

# For viewers with more audiences than a page is long: the list in its order, until the page is full.
BY_START: tuple[LiteralString, LiteralString] = (
    """
CALL () {
  MATCH (run:Run)
  WHERE """
    + visible("run")
    + """ AND""",
    "",
)

PREDICATES: dict[str, LiteralString] = {
    "tasks": "AND any(one IN $tasks WHERE run.task_key = one.key AND run.source = one.source)",
    "templates": "AND any(one IN $templates WHERE run.template_key = one.key AND run.source = one.source)",
    "failure_codes": "AND run.failure_code IN $failure_codes",
    "about": "AND EXISTS { MATCH (run)-[:ABOUT]->(entity:Record) WHERE entity.id IN $about }",
    "statuses": "AND run.status IN $statuses",
    "trigger_kinds": "AND run.trigger_kind IN $trigger_kinds",
    "started": "",
    "output_kinds": """AND EXISTS {
    MATCH (artifact:Artifact {run_id: run.id})
    WHERE """
    + visible("artifact")
    + """ AND artifact.artifact_kind IN $output_kinds }""",
    "artifacts_kept": """AND CASE $artifacts_kept
    WHEN 'saved' THEN EXISTS { MATCH (artifact:Artifact {run_id: run.id})
      WHERE """
    + visible("artifact")
    + """ AND artifact.intake_level IN $beyond_run }
    WHEN 'promoted' THEN EXISTS { MATCH (artifact:Artifact {run_id: run.id})
      WHERE """
    + visible("artifact")
    + """ AND artifact.promoted_at IS NOT NULL }
    ELSE NOT EXISTS { MATCH (artifact:Artifact {run_id: run.id})
      WHERE """
    + visible("artifact")
    + """
        AND (artifact.intake_level IN $beyond_run OR artifact.promoted_at IS NOT NULL) } END""",
    "score": """AND EXISTS {
    MATCH (artifact:Artifact {run_id: run.id})
    WHERE """
    + visible("artifact")
    + """ AND artifact.score >= $min_score AND artifact.score <= $max_score }""",
    "capabilities": """AND EXISTS {
    MATCH (run)-[:ACTIVATED]->(step:Activation)-[:USED]->(capability:Record)
    WHERE """
    + visible("step")
    + """ AND capability.id IN $capabilities }""",
    "cost_usd": "AND run.cost_usd >= $min_cost_usd AND run.cost_usd <= $max_cost_usd",
    "assessed": """AND EXISTS {
    MATCH (assessment:Assessment {run_id: run.id}) WHERE """
    + visible("assessment")
    + """ } = $assessed""",
    "quality": """AND EXISTS {
    MATCH (assessment:Assessment {run_id: run.id}) WHERE """
    + visible("assessment")
    + """
      AND assessment.quality_score >= $min_quality AND assessment.quality_score <= $max_quality }""",
    "with_errors": "AND (run.error_count > 0) = $with_errors",
}

_PAGE: LiteralString = """
WITH DISTINCT run ORDER BY run.started_at DESC, run.id DESC LIMIT $limit
RETURN collect([run.id, run.started_at]) AS found
"""


def page(anchor: tuple[LiteralString, LiteralString], predicates: list[LiteralString]) -> LiteralString:
    """The statement for one page of runs that fit, newest first, as pairs of id and start."""
    found, order = anchor
    taken: LiteralString = "\n  RETURN run ORDER BY " + order + "run.started_at DESC, run.id DESC LIMIT $limit\n}"
    return _found(found, predicates) + taken + _PAGE


def count(anchor: tuple[LiteralString, LiteralString], predicates: list[LiteralString]) -> LiteralString:
    """The statement that counts all runs that fit."""
    return _found(anchor[0], predicates) + "\n  RETURN run\n}\nRETURN count(DISTINCT run) AS found\n"


def _found(anchor: LiteralString, predicates: list[LiteralString]) -> LiteralString:
    narrowed: LiteralString = "\n  ".join(predicates)
    return anchor + _BOUNDS + "  " + narrowed
