"""What a report about attention is made from: decisions that raised something, or would have, and what users did."""

from typing import LiteralString

from service.graph.visibility import visible

SESSIONS: LiteralString = (
    """
MATCH (s:AttentionSession)
WHERE """
    + visible("s")
    + """ AND s.last_event_at >= $since AND s.last_event_at <= $until
  AND ($surface IS NULL OR $surface IN s.components)
WITH s ORDER BY s.last_event_at DESC LIMIT $most
RETURN collect({
  decisions: COUNT { MATCH (t:PolicyTrace {session_id: s.id}) WHERE """
    + visible("t")
    + """ },
  withheld: COLLECT {
    MATCH (t:PolicyTrace {session_id: s.id}) WHERE t.withheld_count > 0 AND """
    + visible("t")
    + """
    RETURN [t.decided_at, t.answer] ORDER BY t.decided_at LIMIT 200
  },
  directives: COLLECT {
    MATCH (d:AttentionDirective {session_id: s.id}) WHERE """
    + visible("d")
    + """
    RETURN d {.moment, .surface, .directive_state, .raised_at, .mode, .expires_at} ORDER BY d.raised_at LIMIT 200
  },
  done: COLLECT {
    MATCH (e:AgentEvent {session_id: s.id})
    WHERE e.seq > s.seq - 2000 AND e.event_type IN ['user_action', 'user_feedback'] AND """
    + visible("e")
    + """
    RETURN [e.occurred_at, e.component, e.payload]
  }
}) AS sessions
"""
)
