"""The run itself, what it is of and about, how many steps it has, and the saved graph that it goes through."""

from typing import LiteralString

from service.graph.flows import unplaced
from service.graph.visibility import called, visible
from service.memory.saved_graphs import graph_of_run
from service.memory.views.cypher.shared import THE_RUN

# Something that is only named so far, from so many matters that the viewer does not see it. A run names by these; what
# hangs on it by others are its own parts.
UNSEEN: LiteralString = unplaced("named") + " AND NOT (" + visible("named") + ")"
_NAMES: LiteralString = (
    "RUN_OF|USED_TEMPLATE|ABOUT|PURSUES|ADVANCED_GOAL|RECEIVED|DOWNLOADED|OPENED|CREATED_BY|FORKED_FROM|TRIGGERED_BY"
)

# A run counts its steps as they are reported. Who sees the run sees them all, unless some are for others: then they
# are counted. The index holds steps by their audience, so that one of another is found without looking at all.
_TALLY: LiteralString = (
    """
CALL (run) {
  RETURN EXISTS {
    MATCH (step:Activation) USING INDEX step:Activation(run_id, audience, place)
    WHERE step.run_id = run.id AND step.audience < run.audience AND step.place >= ''
  } OR EXISTS {
    MATCH (step:Activation) USING INDEX step:Activation(run_id, audience, place)
    WHERE step.run_id = run.id AND step.audience > run.audience AND step.place >= ''
  } AS mixed
}
CALL (run, mixed) {
  MATCH (step:Activation {run_id: CASE WHEN mixed THEN run.id END}) WHERE """
    + visible("step")
    + """
  RETURN {
    running: sum(CASE step.status WHEN 'running' THEN 1 ELSE 0 END),
    waiting: sum(CASE step.status WHEN 'waiting' THEN 1 ELSE 0 END),
    success: sum(CASE step.status WHEN 'success' THEN 1 ELSE 0 END),
    error: sum(CASE step.status WHEN 'error' THEN 1 ELSE 0 END),
    skipped: sum(CASE step.status WHEN 'skipped' THEN 1 ELSE 0 END),
    cancelled: sum(CASE step.status WHEN 'cancelled' THEN 1 ELSE 0 END),
    total: count(step), named: sum(CASE WHEN step.stub THEN 1 ELSE 0 END), modules: count(DISTINCT step.module_key),
    costed: count(step.cost_usd), spent: sum(toInteger(round(coalesce(step.cost_usd, 0) * 1000000)))
  } AS seen
}
WITH run, mixed, CASE WHEN mixed THEN seen ELSE {
  running: run.running_count, waiting: run.waiting_count, success: run.success_count, error: run.error_count,
  skipped: run.skipped_count, cancelled: run.cancelled_count, total: run.activation_count, named: run.named_count,
  modules: run.module_count, costed: run.costed_count, spent: run.spent_micros
} END AS counted
"""
)

RUN: LiteralString = (
    THE_RUN
    + _TALLY
    + """
RETURN
  {
    own: [name IN $fields.Run | run[name]],
    undescribed: EXISTS { MATCH (run)-[:"""
    + _NAMES
    + """]->(named:Record) WHERE """
    + UNSEEN
    + """ },
    blueprint_id: head(COLLECT {
      CALL (run) {
        """
    + called("blueprint", "run.source", "run.blueprint_key", "Blueprint")
    + """
        UNION
        MATCH (run)-[:RUN_OF|USED_TEMPLATE]->(:Record)-[:HAS_BLUEPRINT]->(blueprint:Blueprint) RETURN blueprint
      }
      WITH run, blueprint WHERE """
    + visible("blueprint")
    + """
      RETURN blueprint.id
      ORDER BY coalesce(blueprint.source_key = run.blueprint_key, false) DESC, blueprint.id LIMIT 1
    })
  } AS run,
  counted {
    .*, outside: run.outside_micros, whole: CASE WHEN mixed THEN null ELSE run.whole_micros END
  } AS tally,
  CASE WHEN mixed THEN null ELSE run.audience END AS audience,
  head(COLLECT {
    """
    + graph_of_run(visible("graph"))
    + """
    WITH graph WHERE """
    + visible("graph")
    + """
    RETURN graph {
      .id,
      modules: COLLECT {
        MATCH (graph)-[:HAS_MODULE]->(module:Module) WHERE """
    + visible("module")
    + """
        RETURN module {
          .id, .module_key, .name, .module_type, .disabled,
          begun: EXISTS {
            MATCH (step:Activation {run_id: run.id, module_key: module.module_key})
            WHERE step.activation_seq >= 0 AND """
    + visible("step")
    + """
          },
          leads_to: COLLECT {
            MATCH (module)-[:CABLE]->(next:Module) WHERE """
    + visible("next")
    + """
            RETURN DISTINCT next.module_key AS key ORDER BY key
          }
        } ORDER BY module.module_key
      }
    }
  }) AS graph,
  head(COLLECT {
    MATCH (run)-[:RUN_OF]->(task:Task) WHERE """
    + visible("task")
    + """
    RETURN task {.id, .name, kind: 'Task', state: task.lifecycle_state} ORDER BY task.id LIMIT 1
  }) AS task,
  head(COLLECT {
    MATCH (run)-[:USED_TEMPLATE]->(template:Template) WHERE """
    + visible("template")
    + """
    RETURN template {.id, .name, kind: 'Template'} ORDER BY template.id LIMIT 1
  }) AS template,
  COLLECT {
    MATCH (run)-[:ABOUT]->(entity:Entity) WHERE """
    + visible("entity")
    + """
    RETURN entity {.id, .name, kind: coalesce(entity.kind, 'Entity')} ORDER BY entity.id LIMIT $most
  } AS about,
  COLLECT {
    MATCH (run)-[link:PURSUES|ADVANCED_GOAL]->(goal:Goal) WHERE """
    + visible("goal")
    + """
    WITH goal, 'PURSUES' IN collect(type(link)) AS pursued, max(link.effect) AS effect
    RETURN goal {.id, .name, pursued: pursued, effect: effect} ORDER BY goal.id LIMIT $most
  } AS goals,
  COLLECT {
    MATCH (run)-[link:RECEIVED|DOWNLOADED|OPENED]->(document:Entity) WHERE """
    + visible("document")
    + """
    RETURN document {.id, .name, kind: coalesce(document.kind, 'Entity'), how: toLower(type(link))}
    ORDER BY document.id LIMIT $most
  } AS documents,
  COLLECT {
    MATCH (opinion:Feedback {run_id: run.id}) WHERE """
    + visible("opinion")
    + """
    RETURN opinion {.id, .name, kind: 'Feedback'} ORDER BY opinion.id LIMIT $most
  } AS feedback,
  COLLECT {
    MATCH (assessment:Assessment {run_id: run.id}) WHERE """
    + visible("assessment")
    + """
    WITH assessment ORDER BY assessment.assessed_at DESC, assessment.id LIMIT $most
    RETURN assessment {.id, .name, kind: 'Assessment'}
  } AS assessments,
  COLLECT {
    MATCH (signal:Signal {run_id: run.id}) WHERE """
    + visible("signal")
    + """
    RETURN signal {.id, .name, kind: 'Signal'} ORDER BY signal.id LIMIT $most
  } AS signals
"""
)
