"""Statements of replays: the recorded past that a change would have touched."""

from typing import LiteralString

from service.graph.visibility import visible

# Every state of a record, newest first; and what its proposed links lead to.
STATES: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN labels(n) AS labels,
  [properties(n)] + COLLECT {
    MATCH (n)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(v:Version)
    WHERE v.audience IS NULL OR """
    + visible("v")
    + """
    RETURN properties(v)
  } AS states,
  COLLECT { MATCH (h:Record) WHERE h.id IN $heads AND """
    + visible("h")
    + """ RETURN {id: h.id, name: h.name} } AS heads,
  COLLECT { MATCH (n)-[:STEERS]->(s:Record) WHERE """
    + visible("s")
    + """ RETURN s.id } AS steers
"""
)

# Kept matches that weighed one of these, newest first. Those of a mode decision are replayed with that.
MATCHES: LiteralString = (
    """
UNWIND $targets AS target
MATCH (:Record {id: target})<-[w:WEIGHED]-(m:MatchDecision) WHERE """
    + visible("m")
    + """ AND NOT EXISTS { MATCH (m)<-[:COMPARED]-(:ModeDecision) }
WITH DISTINCT m, collect({id: target, version: w.version}) AS weighed
ORDER BY m.matched_at DESC, m.id LIMIT $most
RETURN m.id AS id, weighed
"""
)

# How many of the same kind did not.
UNWEIGHED: LiteralString = (
    """
MATCH (m:MatchDecision {asset_kind: $kind}) WHERE """
    + visible("m")
    + """ AND NOT EXISTS { MATCH (m)<-[:COMPARED]-(:ModeDecision) }
  AND NOT EXISTS { MATCH (m)-[:WEIGHED]->(:Record {id: $id}) }
RETURN count(m) AS unweighed
"""
)

KEPT_MATCHES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (match:MatchDecision:Record {id: id})
WHERE """
    + visible("match")
    + """
RETURN match {.id, .name, .asset_kind, .request_details, .outcome, .confidence, .ranker, .embedding_model, .matched_at,
  .recommended_action, .explanation, .answer, .data_class, .matter_ids} AS kept,
  COLLECT {
    MATCH (match)-[weighed:WEIGHED]->(n:Record) WHERE """
    + visible("n")
    + """
    RETURN weighed {.facts, id: n.id}
  } AS weighed,
  EXISTS { MATCH (match)-[:WEIGHED]->(n:Record) WHERE NOT """
    + visible("n")
    + """ } AS withheld,
  COLLECT {
    MATCH (match)<-[:SEEN_ON]-(s:Signal)-[:SEEN_ON]->(asset:Template|Preset|Pattern)
    WHERE s.signal_kind IN $judging AND """
    + visible("s")
    + """ AND """
    + visible("asset")
    + """
    RETURN {kind: s.signal_kind, asset: asset.id, name: asset.name, at: s.emitted_at} ORDER BY s.emitted_at DESC, s.id
  } AS judged
"""
)

# Packets that held or kept out a record, with what people said of it there.
PACKETS: LiteralString = (
    """
MATCH (:Record {id: $id})<-[:INJECTED|EXCLUDED]-(p:ContextPacket) WHERE """
    + visible("p")
    + """
WITH DISTINCT p ORDER BY p.created_at DESC, p.id LIMIT $most
RETURN p.id AS id, p.data_class AS data_class, p.matter_ids AS matter_ids,
  COLLECT { MATCH (p)<-[:GIVEN_IN]-(f:Feedback {target_ref: $id}) WHERE """
    + visible("f")
    + """ RETURN f.feedback ORDER BY f.created_at DESC, f.id LIMIT 1 } AS said
"""
)

# Runs that took the path that is changed: of the task, by the template, with the preset in their graph.
RUNS: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
CALL (n) {
  MATCH (n)<-[:RUN_OF|USED_TEMPLATE]-(r:Run) RETURN r
  UNION
  MATCH (n)<-[:INSTANTIATES]-(:Task)<-[:RUN_OF]-(r:Run) RETURN r
  UNION
  MATCH (n)<-[:HAS_BLUEPRINT]-(:Task|Template)<-[:RUN_OF|USED_TEMPLATE]-(r:Run) RETURN r
  UNION
  MATCH (n)<-[:HAS_BLUEPRINT]-(:Template)<-[:INSTANTIATES]-(:Task)<-[:RUN_OF]-(r:Run) RETURN r
  UNION
  MATCH (n)<-[:USES_PRESET]-(:Module)<-[:OF_MODULE]-(:Activation)<-[:ACTIVATED]-(r:Run) RETURN r
}
WITH DISTINCT r WHERE """
    + visible("r")
    + """
WITH r ORDER BY r.created_at DESC, r.id LIMIT $most
RETURN r.id AS id, r.name AS name, r.status AS status,
  r.data_class AS data_class, r.matter_ids AS matter_ids, coalesce(r.started_at, r.created_at) AS at
"""
)

# Decisions that rested on a record, led to it or compared it, with what people made of them, the last word first.
MODES: LiteralString = (
    """
CALL () {
  MATCH (:Record {id: $id})<-[:RESTED_ON|MEANT]-(d:ModeDecision) RETURN d
  UNION
  UNWIND $weighed AS id
  MATCH (:Record {id: id})<-[:WEIGHED]-(m:MatchDecision)<-[:COMPARED]-(d:ModeDecision) WHERE """
    + visible("m")
    + """
  RETURN d
}
WITH DISTINCT d WHERE """
    + visible("d")
    + """
WITH d ORDER BY d.decided_at DESC, d.id LIMIT $most
RETURN d {.id, .name, .weighed, .decided_at, .selected_mode, .data_class, .matter_ids} AS kept,
  head(COLLECT { MATCH (d)-[l:RESTED_ON|MEANT]->(:Record {id: $id}) RETURN properties(l) }) AS link,
  EXISTS { MATCH (d)-[:COMPARED]->(:MatchDecision) } AS compared,
  head(COLLECT { MATCH (d)-[:COMPARED]->(m:MatchDecision) WHERE """
    + visible("m")
    + """ RETURN m.id }) AS match,
  COLLECT {
    CALL (d) {
      MATCH (d)<-[:OF]-(t:InvocationTrace|SuggestionFeedback) WHERE t.user_response IS NOT NULL AND """
    + visible("t")
    + """ RETURN t.user_response AS said, coalesce(t.responded_at, t.given_at) AS at, t.id AS id
      UNION
      MATCH (d)<-[:SEEN_ON]-(s:Signal) WHERE coalesce(s.signal_kind, s.result) IN $judging AND """
    + visible("s")
    + """ AND (s.signal_kind IS NULL OR d.selected_mode <> 'invoke_task_agent_for_design'
        AND EXISTS { MATCH (s)-[:SEEN_ON]->(:Template)<-[:RESTED_ON]-(d) })
      RETURN coalesce(s.signal_kind, s.result) AS said, s.emitted_at AS at, s.id AS id
    }
    RETURN said ORDER BY at DESC, id LIMIT 1
  } AS said
"""
)

# Artifacts of the runs that a policy is for, newest first, with what people decided about them, the last word first.
INTAKES: LiteralString = (
    """
MATCH (a:Artifact) WHERE """
    + visible("a")
    + """ AND a.produced_at >= $since AND a.intake_rule IS NOT NULL
  AND ($module_key IS NULL OR a.module_key = $module_key) AND ($port_name IS NULL OR a.port_name = $port_name)
MATCH (r:Run:Record {id: a.run_id}) WHERE """
    + visible("r")
    + """ AND ($task_key IS NULL OR r.task_key = $task_key) AND ($run_source IS NULL OR r.source = $run_source)
WITH a, r ORDER BY a.produced_at DESC, a.id LIMIT $most
OPTIONAL MATCH (s:Activation {run_id: r.id, module_key: a.module_key}) WHERE """
    + visible("s")
    + """
WITH a, r, head(collect(s.module_type)) AS module_type
RETURN a {.*, module_type: module_type} AS artifact, properties(r) AS run,
  COLLECT { MATCH (a)<-[:DECIDES]-(d:IntakeReceipt) WHERE """
    + visible("d")
    + """ RETURN d {.outcome, .to_level, .decided_at} ORDER BY d.decided_at DESC, d.id } AS receipts,
  COLLECT { MATCH (a)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(v:Version)
    WHERE v.audience IS NULL OR """
    + visible("v")
    + """ RETURN v {.intake_level, .intake_rule, .intake_policy_id, .suggested_level, .updated_at, .version}
    ORDER BY v.version } AS former
"""
)

# Kept preflights of a task or template, or of those whose graphs a preset stands in.
PREFLIGHTS: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
CALL (n) {
  MATCH (n)<-[:EXAMINED]-(p:Preflight) RETURN p
  UNION
  MATCH (n)<-[:INSTANTIATES]-(:Task)<-[:EXAMINED]-(p:Preflight) RETURN p
  UNION
  MATCH (n)<-[:USES_PRESET]-(:Module)<-[:HAS_MODULE]-(:GraphSnapshot)<-[:EXAMINED]-(p:Preflight) RETURN p
  UNION
  MATCH (n)<-[:USES_PRESET]-(:Module)<-[:HAS_MODULE]-(:GraphSnapshot)<-[:HAS_GRAPH]-(:Record)<-[:EXAMINED]-(p:Preflight)
  RETURN p
}
WITH DISTINCT p WHERE """
    + visible("p")
    + """
WITH p ORDER BY p.examined_at DESC, p.id LIMIT $most
RETURN p {.id, .name, .examined_at, .status, .answer, .facts, .data_class, .matter_ids} AS kept
"""
)

# Kept preflights of the graph that a task or template has itself.
PREFLIGHTS_OF_GRAPH: LiteralString = (
    """
MATCH (n:Record {id: $id})<-[:EXAMINED]-(p:Preflight) WHERE """
    + visible("n")
    + """ AND """
    + visible("p")
    + """
WITH DISTINCT p ORDER BY p.examined_at DESC, p.id LIMIT $most
RETURN p {.id, .name, .examined_at, .status, .answer, .facts, .data_class, .matter_ids} AS kept
"""
)

# Wishes for capabilities in runs that a record had a say in, newest first, with what a person said to their gates.
EXPANSIONS: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
CALL (n) {
  MATCH (e:ExpansionReceipt), (r:Run {id: e.run_id})
  WHERE n:Policy AND (n.task_key = $every OR n.task_key = r.task_key) AND """
    + visible("r")
    + """ RETURN e
  UNION
  MATCH (n)<-[:RUN_OF|USED_TEMPLATE]-(:Run)-[:HAS_EXPANSION]->(e:ExpansionReceipt) RETURN e
  UNION
  MATCH (n)<-[:INSTANTIATES]-(:Task)<-[:RUN_OF]-(:Run)-[:HAS_EXPANSION]->(e:ExpansionReceipt) RETURN e
  UNION
  MATCH (n)<-[:IN_GROUP|HAS_BLUEPRINT]-(:Task|Template)<-[:RUN_OF|USED_TEMPLATE]-(:Run)
    -[:HAS_EXPANSION]->(e:ExpansionReceipt) RETURN e
  UNION
  MATCH (n)<-[:IN_GROUP|HAS_BLUEPRINT]-(:Template)<-[:INSTANTIATES]-(:Task)<-[:RUN_OF]-(:Run)
    -[:HAS_EXPANSION]->(e:ExpansionReceipt) RETURN e
  UNION
  MATCH (n)<-[:USES_PRESET]-(:Module)<-[:OF_MODULE]-(:Activation)<-[:EXPANDED]-(e:ExpansionReceipt) RETURN e
}
WITH DISTINCT e WHERE """
    + visible("e")
    + """
WITH e ORDER BY e.created_at DESC, e.id LIMIT $most
RETURN e {.id, .name, .created_at, .module_key, .activation_seq, .facts, .data_class, .matter_ids} AS receipt,
  COLLECT { MATCH (e)-[said:ADDED|BLOCKED|ASKED_FOR]->(c:Capability) WHERE """
    + visible("c")
    + """ RETURN {type: type(said), capability: c.id} } AS links,
  COLLECT { MATCH (e)-[:AWAITS]->(g:Gate) WHERE """
    + visible("g")
    + """ RETURN {key: g.gate_key, status: g.status} } AS gates
"""
)

# What of these is there for whoever asks.
SEEN: LiteralString = (
    """
MATCH (n:Record) WHERE n.id IN $ids AND """
    + visible("n")
    + """
RETURN collect(n {.id, .name}) AS seen
"""
)

# What a proposal names as tried outside: the cases of its dataset with what these candidates were given, and its run of
# the evaluation suite with the one before.
EVALUATED: LiteralString = (
    """
MATCH (p:Proposal:Record {id: $id}) WHERE """
    + visible("p")
    + """
RETURN COLLECT {
    MATCH (p)-[:VALIDATED_BY]->(d:EvalDataset)-[:HAS_EXAMPLE]->(e:EvalExample) WHERE """
    + visible("d")
    + " AND "
    + visible("e")
    + """
    WITH e, d ORDER BY e.position, e.id LIMIT $most
    RETURN e {.id, .name, .data_class, .matter_ids, at: coalesce(d.frozen_at, e.created_at), scores: COLLECT {
      MATCH (e)<-[:TRIES]-(t:EvalTrace)<-[:SCORES]-(s:EvalScore) WHERE t.candidate IN $candidates AND """
    + visible("t")
    + " AND "
    + visible("s")
    + """
      RETURN {candidate: t.candidate, kind: s.scorer_kind, score: s.score} ORDER BY s.id }}
  } AS examples,
  COLLECT {
    MATCH (r:EvalRun:Record {id: $result}) WHERE """
    + visible("r")
    + """
    OPTIONAL MATCH (b:EvalRun:Record {id: r.baseline_run_id}) WHERE """
    + visible("b")
    + """
    RETURN {run: r {.id, .name, .met, .checks, .regressions, .submitted_at, .data_class, .matter_ids},
      baseline: b {.met, .checks}}
  } AS runs
"""
)
