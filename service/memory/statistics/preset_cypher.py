"""Statistics of presets, computed from the activations that used them whenever they are asked for.

Activations are sought by audience and by what executors call the preset. The latest `recent` ones tell what usually
follows a preset; all of them since `from` count in everything else.
"""

from typing import LiteralString

from service.graph.visibility import called, visible

_SHOWN: LiteralString = """preset {.id, .source, key: preset.source_key, .name, .module_type,
  known_strengths: coalesce(preset.known_strengths, []), known_limitations: coalesce(preset.known_limitations, [])}"""

# A preset by its id or by what a system calls it, if the viewer sees it.
PRESET: LiteralString = (
    """
CALL () {
  MATCH (preset:Record {id: $id}) RETURN preset
  UNION
  """
    + called("preset", "$source", "$key")
    + """
}
WITH preset WHERE preset:Preset AND """
    + visible("preset")
    + """
RETURN """
    + _SHOWN
    + """ AS found
"""
)

_SAVED: LiteralString = (
    """
MATCH (preset:Preset) WHERE preset.name >= $name AND """
    + visible("preset")
    + """
  AND NOT preset.stub AND preset.lifecycle_state <> 'archived'
  AND (preset.name > $name OR preset.id > $after)
  AND ($module_type IS NULL OR preset.module_type = $module_type)
"""
)

PRESETS_COUNT: LiteralString = _SAVED + "RETURN count(preset) AS found\n"

# Saved presets by name.
PRESETS: LiteralString = (
    _SAVED
    + """
WITH preset ORDER BY preset.name, preset.id LIMIT $limit
RETURN collect("""
    + _SHOWN
    + """) AS found
"""
)

# A preset is used where an executor says so, and in the saved graphs that have a module made from it.
USES: LiteralString = (
    """
UNWIND $of AS one
CALL (one) {
  UNWIND $audiences AS audience
  MATCH (step:Activation {audience: audience, preset_key: one.key})
  WHERE step.status <> 'skipped'
  WITH step, coalesce(step.started_at, step.waiting_since, step.completed_at) AS began
  MATCH (run:Record {id: step.run_id})
  WHERE run:Run AND """
    + visible("run")
    + """ AND run.source = one.source AND coalesce(began, '') >= $from
  WITH step, run, began ORDER BY began DESC, step.id DESC
  WITH collect(step)[..$recent] AS recent, collect(DISTINCT run.task_key) AS tasks,
    collect(DISTINCT run.template_key) AS templates,
    {usage_count: count(step), failure_count: count(CASE step.status WHEN 'error' THEN 1 END), last_used_at: max(began),
      avg_module_duration_ms: avg(step.duration_ms),
      p50_module_duration_ms: percentileCont(step.duration_ms, 0.5),
      p90_module_duration_ms: percentileCont(step.duration_ms, 0.9),
      avg_module_cost_usd: avg(step.cost_usd),
      p50_module_cost_usd: percentileCont(step.cost_usd, 0.5),
      p90_module_cost_usd: percentileCont(step.cost_usd, 0.9),
      reported_type: head(collect(step.module_type))} AS figures
  RETURN recent, tasks, templates, figures
}
CALL (recent) {
  UNWIND recent AS step
  CALL (step) {
    MATCH (step)-[:TRIGGERED]->(next:Activation) RETURN next
    UNION
    MATCH (step)-[:PRODUCED]->(artifact:Artifact)<-[:CONSUMED]-(next:Activation)
    WHERE """
    + visible("artifact")
    + """ AND next <> step
    RETURN next
  }
  WITH next WHERE """
    + visible("next")
    + """
  WITH coalesce(next.module_type, next.module_key) AS consumer, count(*) AS times
  ORDER BY times DESC, consumer LIMIT $common
  RETURN collect(consumer) AS consumers
}
CALL (one) {
  MATCH (preset:Record {id: one.id})<-[:USES_PRESET]-(module:Module)<-[:HAS_MODULE]-(graph:GraphSnapshot)
    <-[:HAS_GRAPH]-(asset:Task|Template)
  WHERE """
    + visible("preset")
    + """ AND """
    + visible("module")
    + """ AND """
    + visible("graph")
    + """
    AND """
    + visible("asset")
    + """
  WITH DISTINCT asset, CASE asset.source WHEN one.source THEN asset.source_key ELSE asset.id END AS key
  RETURN collect(CASE WHEN asset:Task THEN key END) AS saved_tasks,
    collect(CASE WHEN asset:Template THEN key END) AS saved_templates
}
WITH * ORDER BY one.place
RETURN collect(figures {.*, common_downstream_consumers: consumers,
  tasks_used_in: size(tasks + [key IN saved_tasks WHERE NOT key IN tasks]),
  templates_used_in: size(templates + [key IN saved_templates WHERE NOT key IN templates])}) AS found
"""
)
