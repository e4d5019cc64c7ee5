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

# Kept matches that weighed one of these, newest first.
MATCHES: LiteralString = (
    """
UNWIND $targets AS target
MATCH (:Record {id: target})<-[w:WEIGHED]-(m:MatchDecision) WHERE """
    + visible("m")
    + """
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
    + """ AND NOT EXISTS { MATCH (m)-[:WEIGHED]->(:Record {id: $id}) }
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
    MATCH (match)<-[:SEEN_ON]-(s:Signal)-[:SEEN_ON]->(asset:Record)
    WHERE s.signal_kind IN $judging AND """
    + visible("s")
    + """ AND """
    + visible("asset")
    + """ AND NOT asset:MatchDecision
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

# Decisions that rested on a record or led to it, with what people made of them.
MODES: LiteralString = (
    """
MATCH (:Record {id: $id})<-[:RESTED_ON|MEANT]-(d:ModeDecision) WHERE """
    + visible("d")
    + """
WITH DISTINCT d ORDER BY d.decided_at DESC, d.id LIMIT $most
RETURN d {.id, .name, .request, .facts, .answer, .ranker, .embedding_model, .decided_at, .selected_mode,
  .data_class, .matter_ids} AS kept,
  COLLECT { MATCH (d)<-[:OF]-(t:InvocationTrace|SuggestionFeedback) WHERE t.user_response IS NOT NULL AND """
    + visible("t")
    + """ RETURN t.user_response ORDER BY coalesce(t.responded_at, t.given_at) DESC, t.id LIMIT 1 } AS said
"""
)
