"""What the head of a run and its status tell: what goes on, what was done last, what came of it. It does not grow
with the run."""

from typing import LiteralString

from service.graph.visibility import visible
from service.memory.carried import carried
from service.memory.views.cypher.shared import ARTIFACT, DELIVERY, GATE, STEP, THE_RUN, WAY_BACK

_AT_WORK: LiteralString = (
    """
    MATCH (step:Activation)
    WHERE step.run_id = run.id AND step.status IN ['running', 'waiting'] AND step.moment >= '' AND """
    + visible("step")
    + """
    WITH step ORDER BY step.place LIMIT $at_work
"""
)
_FINAL: LiteralString = (
    """
    MATCH (artifact:Artifact)
    WHERE artifact.run_id = run.id AND artifact.output_class = 'final_output' AND """
    + visible("artifact")
    + """
    WITH artifact ORDER BY artifact.produced_at, artifact.id LIMIT $finals
"""
)

_LEFT: LiteralString = (
    """
    CALL (run) {
      MATCH (delivery:Delivery {run_id: run.id})
      WHERE (delivery.status = 'delivered' OR delivery.conflicting) AND """
    + visible("delivery")
    + """
      RETURN delivery LIMIT $delivered
      UNION
      """
    + _FINAL
    + """
      MATCH (artifact)-[:DELIVERED_BY]->(delivery:Delivery {run_id: run.id}) WHERE """
    + visible("delivery")
    + " AND "
    + carried("artifact", "delivery")
    + """
      RETURN delivery LIMIT $delivered
    }
"""
)

BRIEF: LiteralString = (
    THE_RUN
    + """
RETURN
  COLLECT {"""
    + _AT_WORK
    + """
    RETURN {"""
    + STEP
    + """}
  } AS at_work,
  COLLECT {"""
    + _AT_WORK
    + """
    MATCH (step)"""
    + WAY_BACK
    + """
    WITH DISTINCT cause[-1] AS step, effect[-1].id AS effect
    WITH step, collect(effect) AS effects
    RETURN {"""
    + STEP
    + """, triggered: effects}
  } AS ways,
  COLLECT {
    UNWIND ['success', 'error'] AS status
    CALL (run, status) {
      MATCH (step:Activation)
      WHERE step.run_id = run.id AND step.status = status AND step.moment >= '' AND """
    + visible("step")
    + """
      RETURN step ORDER BY step.run_id DESC, step.status DESC, step.moment DESC LIMIT $recent
    }
    RETURN {"""
    + STEP
    + """}
  } AS recent,
  COLLECT {"""
    + _AT_WORK
    + """
    MATCH (step)-[:WAITED_ON]->(gate:Gate) WHERE """
    + visible("gate")
    + """
    WITH gate, collect(step.id) AS steps
    RETURN {"""
    + GATE
    + """, activation_ids: steps}
  } AS gates,
  COLLECT {"""
    + _FINAL
    + """
    RETURN {"""
    + ARTIFACT
    + """}
  } AS artifacts,
  COLLECT {"""
    + _FINAL
    + """
    CALL (run, artifact) {
      MATCH (artifact)<-[:CONSUMED|PRODUCED]-(step:Activation {run_id: run.id}) WHERE """
    + visible("step")
    + """
      RETURN step ORDER BY step.place LIMIT $around
    }
    WITH DISTINCT step
    RETURN {"""
    + STEP
    + """}
  } AS around,
  COLLECT {"""
    + _FINAL
    + """
    CALL (run, artifact) {
      MATCH (artifact)<-[:CONSUMED]-(step:Activation {run_id: run.id}) WHERE """
    + visible("step")
    + """
      RETURN step ORDER BY step.place LIMIT $around
    }
    RETURN artifact {.id, .name, kind: 'Artifact', activation_id: step.id}
  } AS consumed,
  COLLECT {"""
    + _LEFT
    + """
    MATCH (delivery)<-[:DELIVERED_BY]-(artifact:Artifact {run_id: run.id}) WHERE """
    + visible("artifact")
    + " AND "
    + carried("artifact", "delivery")
    + """
    WITH DISTINCT artifact
    RETURN {"""
    + ARTIFACT
    + """}
  } AS carried,
  COLLECT {"""
    + _LEFT
    + """
    RETURN {"""
    + DELIVERY
    + """}
  } AS deliveries
"""
)
