"""What is asked of the graph about feedback on context, and about what packets held."""

from typing import LiteralString

from service.graph.visibility import visible

# A packet with the one target that is spoken of: what it was injected as, and what it was kept out as.
PACKET: LiteralString = (
    """
CALL () {
  MATCH (p:ContextPacket:Record {id: $packet}) RETURN p
  UNION
  MATCH (run:Run:Record {id: $run}) WHERE """
    + visible("run")
    + """
  MATCH (p:ContextPacket {run_id: run.id, module_key: $module_key, activation_seq: $activation_seq}) RETURN p
  UNION
  MATCH (run:Record {source: $source, source_key: $key}) WHERE run.realm IS NOT NULL AND run:Run AND """
    + visible("run")
    + """
  MATCH (p:ContextPacket {run_id: run.id, module_key: $module_key, activation_seq: $activation_seq}) RETURN p
}
WITH p WHERE """
    + visible("p")
    + """
MATCH (run:Run:Record {id: p.run_id}) WHERE """
    + visible("run")
    + """
RETURN labels(p) AS labels, properties(p) AS properties, run.memory_write_scope AS write_scope,
  head(COLLECT {
    MATCH (target:Record {id: $target}) WHERE """
    + visible("target")
    + """
    MATCH (p)-[receipt:INJECTED|EXCLUDED]->(target)
    RETURN {labels: labels(target), properties: properties(target), injected: type(receipt) = 'INJECTED',
      kind: receipt.kind, stage: receipt.stage}
    ORDER BY type(receipt)
  }) AS target
"""
)

# Packets of a span of time, the newest first, found by audience in the index that keeps their order; or those of runs.
_OF_TIME: LiteralString = """
CALL () {
  UNWIND $audiences AS audience
  MATCH (p:ContextPacket {audience: audience})
  WHERE p.created_at >= $since AND p.created_at < $until
    AND ($module_type IS NULL OR p.module_type = $module_type)
  RETURN p ORDER BY p.created_at DESC, p.id LIMIT $limit
}
"""

_OF_RUNS: LiteralString = (
    """
CALL () {
  UNWIND $runs AS id
  MATCH (run:Run:Record {id: id}) WHERE """
    + visible("run")
    + """
  MATCH (p:ContextPacket {run_id: run.id}) WHERE """
    + visible("p")
    + """ AND p.created_at >= $since AND p.created_at < $until
    AND ($module_type IS NULL OR p.module_type = $module_type)
  RETURN p ORDER BY p.created_at DESC, p.id LIMIT $limit
}
"""
)

_FIGURES: LiteralString = (
    """
WITH collect(p) AS packets
CALL (packets) {
  UNWIND packets AS p
  MATCH (p)-[receipt:INJECTED|EXCLUDED]->(target:Record) WHERE """
    + visible("target")
    + """
  WITH p.module_type AS module_type, receipt.reason AS reason, receipt.layer AS layer, type(receipt) AS what,
    count(*) AS receipts, sum(coalesce(receipt.count, 1)) AS records
  ORDER BY receipts DESC, module_type, what, reason, layer
  RETURN collect({module_type: module_type, injected: what = 'INJECTED', code: reason, layer: layer,
    receipts: receipts, records: records}) AS rows
}
CALL (packets) {
  UNWIND packets AS p
  MATCH (p)-[receipt:EXCLUDED {reason: 'budget_trimmed'}]->(target:Record) WHERE """
    + visible("target")
    + """
  WITH target, count(*) AS times, max(receipt.score) AS best
  ORDER BY times DESC, target.id LIMIT $first
  RETURN collect({id: target.id, name: target.name, times: times, best_score: best}) AS trimmed
}
CALL (packets) {
  UNWIND packets AS p
  MATCH (p)<-[:GIVEN_IN]-(feedback:Feedback)-[:FEEDBACK_ON]->(target:Record)
  WHERE feedback.feedback IN $unhelpful AND """
    + visible("feedback")
    + """ AND """
    + visible("target")
    + """ AND EXISTS { (p)-[:INJECTED]->(target) }
  WITH target, collect(feedback.feedback) AS verdicts
  ORDER BY size(verdicts) DESC, target.id LIMIT $first
  CALL (packets, target) {
    UNWIND packets AS p
    MATCH (p)-[:INJECTED]->(target) RETURN count(*) AS injected
  }
  RETURN collect({id: target.id, name: target.name, times: size(verdicts), injected: injected,
    verdicts: verdicts}) AS unhelpful
}
RETURN size(packets) AS packets, rows, trimmed, unhelpful
"""
)

STATISTICS_OF_TIME: LiteralString = _OF_TIME + _FIGURES
STATISTICS_OF_RUNS: LiteralString = _OF_RUNS + _FIGURES
