"""What default paths are made of."""

from typing import LiteralString

from service.graph.visibility import visible

# A record, what it says itself, and the run and task that it belongs to as executors call the task.
PLACES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
OPTIONAL MATCH (run:Record {id: coalesce(n.run_id, n.parent_run_id, n.source_run_id)}) WHERE run:Run AND """
    + visible("run")
    + """
OPTIONAL MATCH (task:Task:Record {id: n.task_id}) WHERE """
    + visible("task")
    + """
RETURN n.id AS id, labels(n) AS labels, run.id AS run_id,
  n {.storage_ref, .export_ref, .snapshot_kind, .module_key, .activation_seq} AS own,
  coalesce(run.task_key, task.source_key, task.id, head(COLLECT {
    MATCH (n)<-[:HAS_BLUEPRINT]-(owner:Task) WHERE """
    + visible("owner")
    + """ RETURN coalesce(owner.source_key, owner.id) ORDER BY owner.id LIMIT 1
  })) AS task_id
"""
)
