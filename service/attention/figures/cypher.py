"""What a report about attention is made from: decisions that raised something, or would have, and what users did."""

from typing import LiteralString

from service.graph.visibility import visible

SESSIONS: LiteralString = (
    """
MATCH (s:AttentionSession)
WHERE """
    + visible("s")
    + """ AND s.last_event_at >= $since AND s.started_at <= $until
  AND ($surface IS NULL OR $surface IN s.components)
WITH s ORDER BY s.last_event_at DESC LIMIT $most
RETURN collect({
  decisions: COUNT { MATCH (t:PolicyTrace {session_id: s.id})
    WHERE t.decided_at >= $since AND t.decided_at <= $until AND """
    + visible("t")
    + """ },
  withheld: COLLECT {
    MATCH (t:PolicyTrace {session_id: s.id})
    WHERE t.withheld_count > 0 AND t.decided_at >= $since AND t.decided_at <= $until AND """
    + visible("t")
    + """
    RETURN [t.decided_at, t.answer] ORDER BY t.decided_at LIMIT 200
  },
  directives: COLLECT {
    MATCH (d:AttentionDirective {session_id: s.id})
    WHERE d.raised_at >= $since AND d.raised_at <= $until AND """
    + visible("d")
    + """
    RETURN d {.moment, .surface, .directive_state, .raised_at, .mode, .expires_at} ORDER BY d.raised_at LIMIT 200
  },
  done: COLLECT {
    MATCH (e:AgentEvent {session_id: s.id})
    WHERE e.occurred_at >= $since AND e.event_type IN ['user_action', 'user_feedback'] AND """
    + visible("e")
    + """
    WITH e ORDER BY e.occurred_at DESC, e.event_id DESC LIMIT 2000
    RETURN [e.occurred_at, e.component, e.payload]
  },
  aside: COLLECT {
    MATCH (s)-[put:SET_ASIDE]->(r:Record)
    WHERE put.answered_at >= $since AND put.answered_at <= $until AND """
    + visible("r")
    + """
    RETURN [put.answered_at, put.answer, r.id]
  }
}) AS sessions
"""
)
