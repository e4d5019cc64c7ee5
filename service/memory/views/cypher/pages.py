"""The steps of a run, page by page. Their places are in an index, so that a page is found without the steps before it
being read; `held` are the audiences of the run's steps that the viewer sees, mostly one."""

from typing import LiteralString

from service.graph.visibility import visible
from service.memory.views.cypher.shared import ARTIFACT, DELIVERY, GATE, SPAN, STEP, THE_RUN, WAY_BACK

# What an order is made from.
_LIGHT: LiteralString = """
[step.id, step.place, step.module_key, step.activation_seq, step.loop_iteration, COLLECT {
  MATCH (step)-[:TRIGGERED]->(next:Activation) WHERE next.audience IN $held RETURN next.id
}]
"""

RANK: LiteralString = """
UNWIND $held AS audience
CALL (audience) {
  MATCH (step:Activation)
  WHERE step.run_id = $run_id AND step.audience = audience AND step.place >= '' AND step.place < $place
  RETURN count(step) AS before
}
RETURN sum(before) AS rank
"""

BLOCK: LiteralString = (
    """
UNWIND $held AS audience
CALL (audience) {
  MATCH (step:Activation) WHERE step.run_id = $run_id AND step.audience = audience AND step.place >= ''
  RETURN step ORDER BY step.run_id, step.audience, step.place LIMIT $until
}
WITH step ORDER BY step.place SKIP $skip LIMIT $size
RETURN collect("""
    + _LIGHT
    + """) AS steps
"""
)

BLOCKS: LiteralString = (
    """
UNWIND $bounds AS bound
UNWIND $held AS audience
CALL (bound, audience) {
  MATCH (step:Activation)
  WHERE step.run_id = $run_id AND step.audience = audience AND step.place >= bound[0] AND step.place < bound[1]
  RETURN step
}
WITH step ORDER BY step.place
RETURN collect("""
    + _LIGHT
    + """) AS steps
"""
)

# Which steps pass, each with its rank among all; and where each block of steps begins. `labels` and `types` are what
# the saved graph says of modules.
FOUND: LiteralString = (
    """
UNWIND $held AS audience
CALL (audience) {
  MATCH (step:Activation) WHERE step.run_id = $run_id AND step.audience = audience AND step.place >= ''
  RETURN step
}
WITH step ORDER BY step.place
WITH collect(step) AS steps
WITH steps, COLLECT {
  UNWIND range(0, size(steps) - 1) AS rank
  WITH rank, steps[rank] AS step
  WHERE ($status IS NULL OR step.status IN $status)
    AND ($kinds IS NULL OR coalesce(step.module_type, $types[step.module_key]) IN $kinds)
  WITH rank, step WHERE size($words) = 0 OR all(word IN $words WHERE reduce(
    text = '',
    part IN [
      step.name, step.module_key, $labels[step.module_key], step.module_type, step.branch_label, step.agent_ref,
      step.model_ref, step.error_code, step.error_message, step.waiting_reason, step.skip_reason
    ] + coalesce(step.input_summary, []) + coalesce(step.output_summary, []) + COLLECT {
      MATCH (step)-[:PRODUCED]->(artifact:Artifact) WHERE """
    + visible("artifact")
    + """ RETURN artifact.name
    } | text + ' ' + toLower(coalesce(part, ''))) CONTAINS word)
  RETURN [rank, step.id]
} AS found
RETURN size(found) AS found, [one IN found WHERE one[0] >= $since][..$enough] AS matches,
  [rank IN range(0, size(steps) - 1, $block) | steps[rank].place] AS bounds
"""
)

_STEP: LiteralString = "MATCH (step:Record {id: id}) WHERE " + visible("step")

STEPS: LiteralString = (
    THE_RUN
    + """
RETURN
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """
    RETURN {"""
    + STEP
    + """,
      module_id: head(COLLECT { MATCH (step)-[:OF_MODULE]->(module:Module) WHERE """
    + visible("module")
    + """ RETURN module.id LIMIT 1 }),
      caused_by: COLLECT { MATCH (step)<-[:TRIGGERED]-(cause:Activation) WHERE """
    + visible("cause")
    + """ RETURN cause.id ORDER BY cause.place }
    }
  } AS activations,
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """ AND EXISTS { MATCH (step)<-[:TRIGGERED]-(:Activation) }
      AND NOT EXISTS { MATCH (step)<-[:TRIGGERED]-(cause:Activation) WHERE cause.id IN $ids }
    MATCH (step)"""
    + WAY_BACK
    + """
    WITH DISTINCT cause[-1] AS step WHERE NOT step.id IN $ids
    WITH step ORDER BY step.place DESC LIMIT $ancestors
    RETURN {"""
    + STEP
    + """,
      caused_by: COLLECT { MATCH (step)<-[:TRIGGERED]-(cause:Activation) WHERE """
    + visible("cause")
    + """ RETURN cause.id ORDER BY cause.place }
    }
  } AS ancestors,
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """
    MATCH (step)-[:WAITED_ON]->(gate:Gate) WHERE """
    + visible("gate")
    + """
    WITH gate, collect(step.id) AS steps ORDER BY gate.id LIMIT $most
    RETURN {"""
    + GATE
    + """, activation_ids: steps}
  } AS gates,
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """
    MATCH (step)-[:PRODUCED]->(artifact:Artifact {run_id: run.id}) WHERE """
    + visible("artifact")
    + """
    WITH DISTINCT artifact ORDER BY artifact.id LIMIT $most
    RETURN {"""
    + ARTIFACT
    + """}
  } AS artifacts,
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """
    MATCH (step)-[:MADE]->(delivery:Delivery) WHERE """
    + visible("delivery")
    + """
    WITH DISTINCT delivery ORDER BY delivery.id LIMIT $most
    RETURN {"""
    + DELIVERY
    + """}
  } AS deliveries,
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """
    MATCH (span:Span)-[:IN]->(step)
    WHERE """
    + visible("span")
    + """ AND step.module_key = span.module_key AND step.activation_seq = span.activation_seq
    WITH step, span ORDER BY span.id LIMIT $most
    RETURN {"""
    + SPAN
    + """, activation_id: step.id}
  } AS spans,
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """
    CALL (step) {
      MATCH (step)-[:UNDER]->(snapshot:Snapshot) RETURN snapshot
      UNION
      MATCH (step)<-[:IN]-(span:Span)-[:UNDER]->(snapshot:Snapshot) WHERE """
    + visible("span")
    + """ RETURN snapshot
      UNION
      MATCH (step)-[:MADE]->(delivery:Delivery)-[:UNDER]->(snapshot:Snapshot) WHERE """
    + visible("delivery")
    + """ RETURN snapshot
    }
    WITH step, snapshot WHERE """
    + visible("snapshot")
    + """
    WITH snapshot, collect(step.id) AS steps ORDER BY snapshot.id LIMIT $most
    RETURN {own: [name IN $fields.Snapshot | snapshot[name]], held_for: steps}
  } AS snapshots,
  COLLECT {
    UNWIND $ids AS id
    """
    + _STEP
    + """
    MATCH (packet:ContextPacket {
      run_id: run.id, module_key: step.module_key, activation_seq: step.activation_seq
    }) WHERE """
    + visible("packet")
    + """
    RETURN {own: [name IN $fields.Packet | packet[name]]}
  } AS packets
"""
)
