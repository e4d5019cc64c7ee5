"""Statements of the lane: signals that rules read, and what was recorded and has no signal yet."""

from typing import LiteralString

from service.graph.visibility import visible

SIGNALS: LiteralString = (
    """
MATCH (s:Signal) WHERE """
    + visible("s")
    + """ AND s.pattern_promotion_eligible AND s.signal_kind IN $kinds AND s.lifecycle_state = 'active'
WITH s ORDER BY s.emitted_at DESC, s.id LIMIT $most
RETURN s.id AS id, s.signal_kind AS kind, s.audience AS audience, s.subject_key AS subject,
  s.context_class_key AS context_class,
  COLLECT { MATCH (s)-[:SEEN_ON]->(n:Record) WHERE """
    + visible("n")
    + """ RETURN {id: n.id, labels: labels(n), request: CASE WHEN n:MatchDecision OR n:ModeDecision
      THEN n.request END} ORDER BY n.id } AS seen_on
"""
)

_UNTOLD: LiteralString = """ AND NOT EXISTS { MATCH (:Signal {source: $source, source_key: n.id}) }
WITH n ORDER BY n.created_at, n.id LIMIT $most
"""

# Feedback on context, with the run that it was given in and the record that it is about.
FEEDBACK: LiteralString = (
    """
MATCH (n:Feedback) WHERE """
    + visible("n")
    + _UNTOLD
    + """
RETURN n.id AS id, n.feedback AS result, n.target_ref AS subject, n.created_at AS at, n.run_id AS run_id,
  COLLECT { MATCH (n)-[:FEEDBACK_ON]->(r:Record) WHERE """
    + visible("r")
    + """ RETURN r.id } AS seen_on
"""
)

FORKS: LiteralString = (
    """
MATCH (n:Fork) WHERE """
    + visible("n")
    + _UNTOLD
    + """
RETURN n.id AS id, 'forked' AS result, null AS subject, n.created_at AS at, n.parent_run_id AS run_id, [] AS seen_on
"""
)

FOLLOW_UPS: LiteralString = (
    """
MATCH (n:FollowUp) WHERE """
    + visible("n")
    + _UNTOLD
    + """
RETURN n.id AS id, 'followed_up' AS result, null AS subject, n.created_at AS at, n.source_run_id AS run_id,
  [] AS seen_on
"""
)

# Artifacts that somebody opened, cited or went on with.
ARTIFACTS: LiteralString = (
    """
MATCH (n:Artifact) WHERE """
    + visible("n")
    + """ AND (n.cited_count > 0 OR n.opened_count > 0)"""
    + _UNTOLD
    + """
RETURN n.id AS id, CASE WHEN n.cited_count > 0 THEN 'cited' ELSE 'opened' END AS result, null AS subject,
  n.updated_at AS at, n.run_id AS run_id, [] AS seen_on
"""
)

SUGGESTIONS: LiteralString = (
    """
MATCH (n:SuggestionFeedback) WHERE """
    + visible("n")
    + _UNTOLD
    + """
RETURN n.id AS id, n.user_response AS result, n.context_class_key AS subject, n.given_at AS at, null AS run_id,
  COLLECT { MATCH (n)-[:MATCHED]->(r:Template) WHERE """
    + visible("r")
    + """ RETURN r.id } AS seen_on
"""
)

# What is recommended about tools, with the tool and what it provides.
TOOLS: LiteralString = (
    """
MATCH (n:Recommendation) WHERE """
    + visible("n")
    + _UNTOLD
    + """
RETURN n.id AS id, n.recommendation_kind AS result, n.method_key AS subject, n.created_at AS at, null AS run_id,
  n {.rationale, .evidence_count, .counter_count} AS standing,
  COLLECT { MATCH (n)-[:RECOMMENDED_FOR]->(:Tool)-[:PROVIDES]->{0,1}(r:Tool|Capability) WHERE """
    + visible("r")
    + """ RETURN r.id } AS seen_on
"""
)

# Segments that stand in the graphs of others.
SEGMENTS: LiteralString = (
    """
MATCH (n:Segment) WHERE """
    + visible("n")
    + """ AND EXISTS { MATCH (n)<-[:IN_SEGMENT]-(:Module) }"""
    + _UNTOLD
    + """
RETURN n.id AS id, 'reused' AS result, null AS subject, n.updated_at AS at, null AS run_id, [] AS seen_on
"""
)
