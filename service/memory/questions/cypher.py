"""What the questions read beside the facts of a run."""

from typing import LiteralString

from service.graph.visibility import visible
from service.memory.carried import carried

RUN_ID: LiteralString = (
    """
MATCH (run:Record {source: $source, source_key: $key})
WHERE run.realm IS NOT NULL AND run:Run AND """
    + visible("run")
    + """
RETURN run.id AS id ORDER BY run.realm LIMIT 1
"""
)

# Each list keeps only its first entries while it is sorted, however many runs the task has.
RUNS_OF_TASK: LiteralString = (
    """
RETURN
  COUNT {
    MATCH (run:Run {task_key: $key}) WHERE run.source = $source AND """
    + visible("run")
    + """
  } AS run_count,
  COLLECT {
    MATCH (run:Run {task_key: $key}) WHERE run.source = $source AND """
    + visible("run")
    + """
    WITH run ORDER BY coalesce(run.started_at, run.created_at) DESC, run.id DESC LIMIT $first
    RETURN run {.id, .name, .status, .started_at, .completed_at}
  } AS runs,
  head(COLLECT {
    MATCH (run:Run {task_key: $key})
    WHERE run.source = $source AND """
    + visible("run")
    + """ AND NOT run.status IN $ended
    RETURN run.id ORDER BY coalesce(run.started_at, run.created_at) DESC, run.id DESC LIMIT 1
  }) AS going_on,
  head(COLLECT {
    MATCH (run:Run {task_key: $key})
    WHERE run.source = $source AND """
    + visible("run")
    + """ AND run.status = 'completed'
    RETURN run.id ORDER BY coalesce(run.started_at, run.created_at) DESC, run.id DESC LIMIT 1
  }) AS completed
"""
)

# Without a number the last activation of the module is meant.
QUICK_ACCESS: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN run {.id, .status, .task_key, .source, .raw_run_ref} AS run,
  head(COLLECT {
    MATCH (run)-[:ACTIVATED]->(step:Activation)
    WHERE step.module_key = $module_key AND """
    + visible("step")
    + """
      AND ($activation_seq IS NULL OR step.activation_seq = $activation_seq)
    WITH step ORDER BY step.activation_seq DESC LIMIT 1
    RETURN step {
      .id, .activation_seq, .status, .started_at, .completed_at, .duration_ms, .cost_usd, .detail_ref,
      outputs: COLLECT {
        MATCH (step)-[:PRODUCED]->(artifact:Artifact) WHERE """
    + visible("artifact")
    + """
        WITH artifact ORDER BY coalesce(artifact.produced_at, '~'), artifact.name, artifact.id LIMIT $most
        RETURN artifact {
          .id, .name, .artifact_kind, .output_class, .storage_ref,
          open_url: head(COLLECT {
            MATCH (artifact)-[:DELIVERED_BY]->(delivery:Delivery)
            WHERE """
    + visible("delivery")
    + " AND "
    + carried("artifact", "delivery")
    + """ AND delivery.open_url IS NOT NULL
            RETURN delivery.open_url ORDER BY delivery.id LIMIT 1
          })
        }
      }
    }
  }) AS step
"""
)
