"""The signals that are added up, in one row."""

from typing import LiteralString

from service.graph.visibility import visible

COUNTED: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (s:Signal {audience: audience})
  WHERE s.pattern_promotion_eligible AND s.signal_kind IN $kinds AND s.lifecycle_state = 'active'
    AND ($at IS NULL OR (s.emitted_at <= $at AND s.created_at <= $at))
    AND ($context_class IS NULL OR s.context_class_key = $context_class)
  RETURN s ORDER BY s.emitted_at DESC, s.id LIMIT $most
}
WITH s ORDER BY s.emitted_at DESC, s.id LIMIT $most
WITH s, head(COLLECT {
    MATCH (s)-[:SEEN_ON]->(o:DesignSession|MatchDecision|ModeDecision|SuggestionFeedback) WHERE """
    + visible("o")
    + """
    RETURN o.id ORDER BY NOT o:DesignSession, o.id
  }) AS occasion,
  head(COLLECT {
    MATCH (s)-[:SEEN_ON]->(:DesignSession)-[:LED_TO]->(t:Task) WHERE """
    + visible("t")
    + """ RETURN t.id ORDER BY t.id
  }) AS task
MATCH (s)-[:SEEN_ON]->(n:Template|Preset|Pattern|Segment|Capability|Tool|ModuleType|GraphSnapshot)
WHERE """
    + visible("n")
    + """
RETURN collect({
  id: s.id, kind: s.signal_kind, audience: s.audience, data_class: s.data_class,
  matter_ids: s.matter_ids, context_class: s.context_class_key, model_class: s.model_class,
  run_id: s.run_id, occasion: coalesce(s.run_id, occasion),
  task_id: coalesce(s.task_id, task), subject: s.subject_key, on: n.id, name: n.name,
  label: head([label IN labels(n) WHERE label <> 'Record'])
}) AS found
"""
)
