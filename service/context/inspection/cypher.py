"""What questions about packets read. Every record passes the firewall before anything of it is read."""

from typing import LiteralString

from service.context.packets.cypher import HIDDEN_NAMES
from service.graph.visibility import called, visible

_OF_STEP: LiteralString = (
    """
CALL () {
  MATCH (run:Record:Run {id: $run.id}) RETURN run
  UNION
  """
    + called("run", "$run.source", "$run.key", "Run")
    + """
}
WITH run WHERE """
    + visible("run")
    + """
OPTIONAL MATCH (packet:ContextPacket {run_id: run.id, module_key: $module_key, activation_seq: $activation_seq})
WHERE """
    + visible("packet")
    + """
"""
)

OF_STEP: LiteralString = _OF_STEP + "RETURN packet.id AS id"

# A packet, a record and all that connects the two. The record is told as it is now; its receipt tells of then.
QUESTION: LiteralString = (
    _OF_STEP
    + """
CALL () {
  OPTIONAL MATCH (n:Record {id: $record.id}) WHERE """
    + visible("n")
    + """ RETURN n AS by_id
}
CALL () {
  OPTIONAL """
    + called("by_key", "$record.source", "$record.key")
    + """
}
WITH run, packet, coalesce(by_id, by_key) AS n
RETURN run.id AS run_id, coalesce(run.started_at, run.created_at) AS began_at,
  packet {.id, .inputs, .requested_tokens, .created_at, .rules} AS packet,
  labels(n) AS labels,
  n {.id, .name, .version, .data_class, .matter_ids, .kind, .surface_kind, .lifecycle_state, .created_at, .updated_at,
    .task_types, .domains, .trigger_kinds, .side_effect_classes, .global, .state, .memory_mode, .open,
    .completed_at} AS record,
  COLLECT {
    MATCH (packet)-[receipt:INJECTED|EXCLUDED]->(n)
    RETURN receipt {.*, injected: type(receipt) = 'INJECTED'}
  } AS receipts,
  COLLECT {
    MATCH (n)-[:PART_OF|RUN_OF]->(whole:Record)<-[receipt:INJECTED|EXCLUDED]-(packet)
    WHERE """
    + visible("whole")
    + """ AND (type(receipt) = 'EXCLUDED' OR (whole.kind = 'source_set' AND receipt.text CONTAINS '(' + n.id + ')'))
    WITH receipt, whole ORDER BY type(receipt) DESC, whole.name, whole.id LIMIT 5
    RETURN receipt {.*, id: whole.id, name: whole.name, injected: type(receipt) = 'INJECTED'}
  } AS containers,
  EXISTS { MATCH (n)-[:APPLIES_TO]->() } AS linked,
  EXISTS { MATCH (packet)-[:INJECTED|EXCLUDED]->() } AS has_receipts,
  """
    + HIDDEN_NAMES
    + """ AS hidden_names
"""
)

# Packets with their receipts as they are kept, and how many of them this reader may not see.
KEPT: LiteralString = (
    """
UNWIND $ids AS id
MATCH (packet:ContextPacket:Record {id: id})
WHERE """
    + visible("packet")
    + """
RETURN collect({
  packet: packet {.id, .name, .run_id, .module_key, .activation_seq, .inputs, .content_hash, .rules, .created_at,
    .considered_count},
  receipts: COLLECT {
    MATCH (packet)-[receipt:INJECTED|EXCLUDED]->(n:Record) WHERE """
    + visible("n")
    + """
    RETURN receipt {.facts, .rank, .layer, .text, .stage, .reason, .version, id: n.id, name: n.name,
      created_at: n.created_at, injected: type(receipt) = 'INJECTED'}
    ORDER BY n.id
  },
  withheld: COUNT { MATCH (packet)-[:INJECTED|EXCLUDED]->(n:Record) WHERE NOT """
    + visible("n")
    + """ }
}) AS found
"""
)

_OF_RUNS: LiteralString = (
    """
UNWIND $asked.runs AS ref
CALL (ref) {
  MATCH (run:Record:Run {id: ref.id}) RETURN run
  UNION
  """
    + called("run", "ref.source", "ref.key", "Run")
    + """
}
WITH DISTINCT run WHERE """
    + visible("run")
    + """
MATCH (packet:ContextPacket {run_id: run.id})
USING INDEX packet:ContextPacket(run_id)
WHERE """
    + visible("packet")
    + """ AND packet.created_at >= $asked.since AND packet.created_at < $asked.until
  AND (packet.created_at > $asked.after_at OR (packet.created_at = $asked.after_at AND packet.id > $asked.after_id))
WITH packet ORDER BY packet.created_at, packet.id LIMIT $asked.first + 1
"""
)

_OF_SPAN: LiteralString = """
UNWIND $audiences AS audience
CALL (audience) {
  MATCH (packet:ContextPacket {audience: audience})
  WHERE packet.created_at >= $asked.since AND packet.created_at < $asked.until
    AND packet.created_at >= $asked.after_at
    AND (packet.created_at > $asked.after_at OR packet.id > $asked.after_id)
  RETURN packet ORDER BY packet.audience, packet.created_at, packet.id LIMIT $asked.first + 1
}
WITH packet ORDER BY packet.created_at, packet.id LIMIT $asked.first + 1
"""

# What of each packet comes from outside the scope that it obeys. Matters are those that a record had when it was given:
# its former states tell. What an input of the module named is bound by that input. Of a broad scope it is told with
# what decides whether the scope declares it; of earlier runs and what they made, whether they may be known here.
_OUTSIDE: LiteralString = (
    """
OPTIONAL MATCH (packet)-[:WITHIN]->(env:ScopeEnvelope) WHERE """
    + visible("env")
    + """
OPTIONAL MATCH (run:Run:Record {id: packet.run_id}) WHERE """
    + visible("run")
    + """
RETURN packet {.id, .created_at, .run_id, .module_key, .activation_seq} AS packet,
  env {.broad_scope, .broad_kinds, .broad_since, .broad_until,
    reaches: COLLECT { MATCH (env)-[:REACHES]->(x:Record) RETURN {id: x.id, library: x:Library} }} AS envelope,
  COUNT { MATCH (packet)-[:INJECTED]->(n:Record) WHERE """
    + visible("n")
    + """ } AS items,
  COLLECT {
    MATCH (packet)-[receipt:INJECTED]->(n:Record) WHERE """
    + visible("n")
    + """
    OPTIONAL MATCH (n)-[:PREVIOUS*1..]->(former:Version {version: receipt.version})
    WITH receipt, n, CASE WHEN n.version = receipt.version THEN n.matter_ids
      ELSE coalesce(former.matter_ids, n.matter_ids) END AS held_then,
      coalesce(env.scope_matter_ids, []) + packet.matter_ids AS scope,
      EXISTS { MATCH (env)-[:BINDS {status: 'bound'}]->(n) } OR EXISTS {
        MATCH (env)-[:BINDS {status: 'bound'}]->(whole:Entity)<-[:PART_OF*1..3]-(n)
        WHERE whole.kind IN ['source_set', 'library'] AND """
    + visible("whole")
    + """
      } OR EXISTS { MATCH (env)-[:BINDS {status: 'bound'}]->(:Entity)-[:PART_OF*1..3]->(n:Library) } OR EXISTS {
        MATCH (packet)-[:INJECTED {via: 'module_input_resolved'}]->(:Library)<-[:PART_OF*1..3]-(n)
      } OR EXISTS {
        MATCH (packet)-[:INJECTED {via: 'module_input_resolved'}]->(:Entity)-[:PART_OF*1..3]->(n:Library)
      } AS bound
    WITH receipt, n, bound, scope, held_then,
      [m IN held_then WHERE NOT m IN scope AND m <> n.id] AS others,
      [m IN n.matter_ids WHERE NOT m IN scope AND m <> n.id] AS others_now,
      bound OR receipt.via = 'module_input_resolved' AS declared,
      head(COLLECT {
        MATCH (n)-[:PART_OF]->(library:Library) WHERE """
    + visible("library")
    + """
        RETURN library.name ORDER BY library.name LIMIT 1
      }) AS library
    OPTIONAL MATCH (maker:Run:Record {id: CASE WHEN n:Run THEN n.id WHEN n:Artifact THEN n.run_id END})
    WHERE maker.id <> packet.run_id
    WITH receipt, n, held_then, library, CASE
      WHEN size(others) > 0 AND NOT n:Library THEN 'matter'
      WHEN n:Matter AND NOT bound AND NOT n.id IN scope THEN 'matter'
      WHEN n:SurfaceContext AND NOT bound THEN 'surface'
      WHEN receipt.via IN ['selected_surface_context', 'inherited_from_launch_surface'] AND NOT bound THEN 'surface'
      WHEN (n:Library OR library IS NOT NULL) AND NOT declared THEN 'library'
      WHEN maker.memory_mode IN $asked.forgotten AND coalesce(n.intake_rule, '') <> 'promotion' THEN 'forgotten'
      WHEN coalesce(receipt.via, 'none') = 'none' AND none(one IN labels(n) WHERE one IN $asked.standing) THEN 'unbound'
      WHEN maker IS NOT NULL AND NOT declared AND size(held_then) = 0
        AND NOT coalesce(maker.task_key = coalesce(run.task_key, run.working_task_key), false)
        AND NOT coalesce(maker.template_key = coalesce(run.template_key, run.working_template_key), false)
        THEN 'unbound'
      WHEN maker IS NOT NULL AND NOT declared AND NOT (coalesce(maker.status IN $asked.ended, false)
        AND coalesce(maker.started_at < coalesce(run.started_at, run.created_at), false)
        AND coalesce(maker.completed_at <= coalesce(run.started_at, run.created_at), false)) THEN 'not_earlier'
      WHEN size(others_now) > 0 AND NOT n:Library THEN 'matter_since'
      END AS how
    WHERE how IS NOT NULL
    RETURN {id: n.id, name: n.name, labels: labels(n), how: how, library: library,
      via: coalesce(receipt.via, 'none'), layer: receipt.layer, score: receipt.score, threshold: receipt.threshold,
      at: coalesce(n.started_at, n.produced_at, n.created_at),
      in_library: EXISTS { MATCH (n)-[:PART_OF*1..3]->(:Library)<-[:REACHES]-(env) },
      touches: EXISTS { MATCH (env)-[:REACHES]->(n) }
        OR EXISTS { MATCH (env)-[:REACHES]->(matter:Entity) WHERE matter.id IN held_then }
        OR EXISTS { MATCH (n)-[:ABOUT|PART_OF|SCOPED_TO|APPLIES_TO|INVOLVED_IN|MENTIONS]->(:Entity)<-[:REACHES]-(env) }
        OR EXISTS { MATCH (n)<-[:RUN_OF]-(:Run)-[:ABOUT]->(:Entity)<-[:REACHES]-(env) }}
    ORDER BY receipt.rank
  } AS outside
ORDER BY packet.created_at, packet.id
"""
)

BLEED_OF_RUNS: LiteralString = _OF_RUNS + _OUTSIDE
BLEED_OF_SPAN: LiteralString = _OF_SPAN + _OUTSIDE

# Which of the runs that are named can be seen: the others are missing, whoever asks.
SEEN_RUNS: LiteralString = (
    """
UNWIND $runs AS ref
CALL (ref) {
  MATCH (run:Record:Run {id: ref.id}) RETURN run
  UNION
  """
    + called("run", "ref.source", "ref.key", "Run")
    + """
}
WITH ref, run WHERE """
    + visible("run")
    + """
RETURN collect(ref.ref) AS seen
"""
)
