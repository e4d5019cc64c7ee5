"""Statistics of runs, computed by the database whenever they are asked for: nothing is kept that could be out of date.

Runs are sought by audience and by what executors call their task or template, in an index that ends with the start. The
latest `recent` runs tell what a task usually makes; all runs since `from` count in everything else.
"""

from typing import LiteralString

from service.graph.visibility import called, visible

# A task or template by its id, if the viewer sees it.
OF_RECORD: LiteralString = (
    """
CALL () {
  MATCH (n:Record {id: $id}) RETURN n
  UNION
  """
    + called("n", "$source", "$key")
    + """
}
WITH n WHERE """
    + visible("n")
    + """ AND (n:Task OR n:Template)
RETURN n {.source, key: n.source_key, kind: CASE WHEN n:Task THEN 'Task' ELSE 'Template' END} AS found
"""
)

# Records by their ids, with the names that their runs know them by.
OF_RECORDS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """ AND n.source_key IS NOT NULL
RETURN collect(n {.id, .source, key: n.source_key}) AS found
"""
)

# The run of each task that started last, sought in the index that ends with the start.
LAST_RUNS: LiteralString = """
UNWIND $of AS one
CALL (one) {
  UNWIND $audiences AS audience
  CALL (audience, one) {
    MATCH (run:Run {audience: audience, task_key: one.key})
    WHERE run.started_at IS NOT NULL AND run.source = one.source
    RETURN run ORDER BY run.audience DESC, run.task_key DESC, run.started_at DESC LIMIT 1
  }
  RETURN run ORDER BY run.started_at DESC, run.id DESC LIMIT 1
}
RETURN collect([one.id, run.id]) AS found
"""

# Tasks that the viewer sees runs of, and saved ones that have none.
_TASKS: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (run:Run {audience: audience})
  WHERE run.task_key IS NOT NULL AND run.started_at IS NOT NULL
  WITH run.source AS source, run.task_key AS key, max(run.started_at) AS last_run_at, count(run) AS run_count,
    max([run.started_at, coalesce(run.task_name, run.task_key)])[1] AS called,
    count(CASE WHEN run.status IN ['pending', 'running', 'waiting'] THEN 1 END) AS active,
    count(CASE run.trigger_kind WHEN 'schedule' THEN 1 END) AS by_schedule
  CALL (source, key) {
    OPTIONAL MATCH (task:Task:Record {source: source, source_key: key})
    WHERE task.realm IS NOT NULL AND """
    + visible("task")
    + """ AND NOT task.stub
    RETURN task ORDER BY task.realm LIMIT 1
  }
  RETURN source, key, last_run_at, run_count, coalesce(task.name, called) AS called, active, by_schedule, task
  UNION ALL
  UNWIND $audiences AS audience
  MATCH (task:Task {audience: audience})
  WHERE NOT task.stub AND NOT EXISTS {
    MATCH (run:Run {task_key: task.source_key})
    WHERE run.source = task.source AND """
    + visible("run")
    + """ AND run.started_at IS NOT NULL
  }
  RETURN task.source AS source, coalesce(task.source_key, task.id) AS key, '' AS last_run_at, 0 AS run_count,
    task.name AS called, 0 AS active, 0 AS by_schedule, task
}
WITH *, coalesce(source, '') + '/' + key AS place,
  CASE $order WHEN 'name' THEN toLower(called) WHEN 'run_count' THEN run_count ELSE last_run_at END AS rank
WHERE ($tab = 'saved' OR ($tab = 'active' AND active > 0)
    OR ($tab = 'scheduled' AND (by_schedule > 0 OR coalesce(task.scheduled, false))))
  AND all(name IN keys($facts) WHERE coalesce(task[name], false) = $facts[name])
  AND ($labels IS NULL OR task.user_facing_label IN $labels)
  AND ($task_type IS NULL OR task.task_type = $task_type)
  AND ($matter_id IS NULL OR $matter_id IN task.matter_ids)
  AND ($template_id IS NULL OR EXISTS {
    MATCH (task)-[:INSTANTIATES]->(t:Template {id: $template_id}) WHERE """
    + visible("t")
    + """ })
  AND ($search IS NULL OR toLower(called) CONTAINS $search OR toLower(key) CONTAINS $search)
"""
)

_TASK_ROWS: LiteralString = (
    """
RETURN collect({source: source, key: key, last_run_at: last_run_at, place: place, rank: rank, called: called,
  saved: CASE WHEN task IS NULL THEN NULL ELSE task {
    task_id: task.id, .name, .user_facing_label, .reusable, .scheduled, .trigger_enabled, .archived,
    source_template_id: head(COLLECT {
      MATCH (task)-[:INSTANTIATES]->(t:Template) WHERE """
    + visible("t")
    + """ RETURN t.id ORDER BY t.id LIMIT 1
    })
  } END}) AS found
"""
)

_TASK_PAGE: LiteralString = "WITH source, key, last_run_at, task, place, rank, called ORDER BY rank"

TASKS_FALLING: LiteralString = (
    _TASKS
    + "  AND ($to IS NULL OR rank < $to OR (rank = $to AND place > $after))\n"
    + _TASK_PAGE
    + " DESC, place LIMIT $limit"
    + _TASK_ROWS
)
TASKS_RISING: LiteralString = (
    _TASKS
    + "  AND ($to IS NULL OR rank > $to OR (rank = $to AND place > $after))\n"
    + _TASK_PAGE
    + ", place LIMIT $limit"
    + _TASK_ROWS
)
TASKS_COUNT: LiteralString = _TASKS + "RETURN count(*) AS found\n"

_FIGURES: LiteralString = """
  WITH count(run) AS run_count,
    count(CASE run.status WHEN 'completed' THEN 1 END) AS success_count,
    count(CASE run.status WHEN 'failed' THEN 1 END) AS failure_count,
    avg(run.duration_ms) AS avg_duration_ms,
    percentileCont(run.duration_ms, 0.5) AS p50_duration_ms,
    percentileCont(run.duration_ms, 0.9) AS p90_duration_ms,
    avg(run.cost_usd) AS avg_cost_usd,
    percentileCont(run.cost_usd, 0.5) AS p50_cost_usd,
    percentileCont(run.cost_usd, 0.9) AS p90_cost_usd,
    max(run.started_at) AS last_run_at,
    max(CASE run.status WHEN 'completed' THEN run.completed_at END) AS last_success_at,
    max(CASE run.status WHEN 'failed' THEN run.completed_at END) AS last_failure_at,
    collect(run.failure_code) AS failures
  CALL (failures) {
    UNWIND failures AS code
    WITH code, count(*) AS times ORDER BY times DESC, code LIMIT $common
    RETURN collect(code) AS common_failure_modes
  }
  RETURN {run_count: run_count, success_count: success_count, failure_count: failure_count,
    avg_duration_ms: avg_duration_ms, p50_duration_ms: p50_duration_ms, p90_duration_ms: p90_duration_ms,
    avg_cost_usd: avg_cost_usd, p50_cost_usd: p50_cost_usd, p90_cost_usd: p90_cost_usd, last_run_at: last_run_at,
    last_success_at: last_success_at, last_failure_at: last_failure_at, common_failure_modes: common_failure_modes
  } AS figures
}
"""

_RECENT: LiteralString = (
    """
  WITH run ORDER BY run.started_at DESC, run.id DESC LIMIT $recent
  WITH collect(run) AS recent
  CALL (recent) {
    UNWIND recent AS run
    MATCH (artifact:Artifact {run_id: run.id})
    WHERE """
    + visible("artifact")
    + """ AND artifact.artifact_kind IS NOT NULL
      AND coalesce(artifact.output_class, 'final_output') <> 'intermediate_output' AND artifact.score IS NULL
    WITH artifact.artifact_kind AS kind, count(*) AS times ORDER BY times DESC, kind LIMIT $common
    RETURN collect(kind) AS kinds
  }
  RETURN kinds AS common_output_kinds,
    head([run IN recent WHERE run.task_name IS NOT NULL | run.task_name]) AS task_name
}
RETURN collect(figures {.*, source: one.source, key: one.key, task_name: task_name,
  common_output_kinds: common_output_kinds, record_id: head(COLLECT {
    CALL (one) { """
)


def _of(key: LiteralString, kind: LiteralString) -> LiteralString:
    """Statistics of what executors name by this field of their runs, and of which kind that is."""
    runs: LiteralString = (
        "MATCH (run:Run {audience: audience, "
        + key
        + ": one.key}) WHERE run.started_at >= $from AND run.source = one.source"
    )
    return (
        """
UNWIND $of AS one
CALL (one) {
  UNWIND $audiences AS audience
  """
        + runs
        + _FIGURES
        + """
CALL (one) {
  UNWIND $audiences AS audience
  CALL (audience, one) {
    """
        + runs
        + """
    RETURN run ORDER BY run.audience DESC, run."""
        + key
        + """ DESC, run.started_at DESC LIMIT $recent
  }
"""
        + _RECENT
        + called("named", "one.source", "one.key", kind)
        + """ }
    RETURN named.id
  }), latest_assessment_id: head(COLLECT {
    CALL (one) { """
        + called("named", "one.source", "one.key", kind)
        + """ }
    MATCH (named)<-[:ASSESSES]-(a:Assessment) WHERE """
        + visible("a")
        + """
    RETURN a.id ORDER BY a.assessed_at DESC, a.id DESC LIMIT 1
  })}) AS found
"""
    )


OF_TASKS: LiteralString = _of("task_key", "Task")
OF_TEMPLATES: LiteralString = _of("template_key", "Template")
