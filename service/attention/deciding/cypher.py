"""What is asked of the graph for a decision, and about decisions that were kept."""

from typing import LiteralString

from service.graph.visibility import visible

# What a decision rests on beside the events. The session is locked by the command that decides.
_KNOWN: LiteralString = (
    """
  head(COLLECT {
    MATCH (model:UserModel {owner_id: session.owner_id}) WHERE """
    + visible("model")
    + """
    RETURN model {.cognitive_load_sensitivity, .cognitive_load_sensitivity_confidence, .guidance_density,
      .guidance_density_confidence, .initiative_tolerance, .initiative_tolerance_confidence}
  }) AS model,
  COLLECT {
    MATCH (mode:AttentionMode {owner_id: session.owner_id})
    WHERE mode.surface > '' AND mode.lifecycle_state = 'active' AND """
    + visible("mode")
    + """
    RETURN [mode.surface, mode.mode]
  } AS modes,
  COLLECT {
    UNWIND session.components AS component
    MATCH (c:Record {source: session.session_source, source_key: component})
    WHERE c:Capability AND c.realm IS NOT NULL AND c.lifecycle_state = 'active' AND NOT c.stub AND """
    + visible("c")
    + """
    RETURN [component, c.require_confirmation, c.automation_limits, c.state]
  } AS capabilities,
  COLLECT {
    MATCH (d:AttentionDirective {session_id: session.id}) WHERE """
    + visible("d")
    + """
    RETURN d {.id, .moment, .subject, .raised_at, .expires_at, .directive_state, .snoozed_until, .answered_at,
      .critical, evidence: COLLECT {
        MATCH (d)-[:BECAUSE_OF]->(e:AgentEvent) WHERE """
    + visible("e")
    + """ RETURN e.event_id }}
    ORDER BY d.raised_at DESC LIMIT 1000
  } AS directives,
  COLLECT {
    MATCH (t:PolicyTrace {session_id: session.id}) WHERE t.withheld_count > 0 AND """
    + visible("t")
    + """
    RETURN [t.decided_at, t.answer] ORDER BY t.decided_at DESC LIMIT 50
  } AS withheld,
  COLLECT {
    UNWIND session.components AS component
    CALL (session, component) {
      MATCH (other:AttentionSession {owner_id: session.owner_id})
      WHERE other.session_source > '' AND other.session_key > '' AND component IN other.components
        AND other.started_at <= $at AND """
    + visible("other")
    + """
      RETURN other LIMIT $few
    }
    WITH component, count(other) AS sessions
    RETURN [component, sessions]
  } AS sessions,
  COLLECT {
    MATCH (rule:AttentionRule)
    WHERE rule.rule_id > '' AND rule.lifecycle_state = 'active' AND """
    + visible("rule")
    + """ AND (size(rule.components) = 0 OR any(one IN rule.components WHERE one IN session.components))
    RETURN rule {.*} ORDER BY rule.rule_id LIMIT 200
  } AS rules
"""
)

# The last events by their own time up to the moment, whenever they came in. Last of each is told whether there is more
# to know of it, should it be evidence: that it points at something, or is more closed than its session.
DECISION_FACTS: LiteralString = (
    """
MATCH (session:Record {id: $session})
WHERE session:AttentionSession AND """
    + visible("session")
    + """
RETURN session {.id, .owner_id, .session_source, .session_key, .started_at, .seq, .due_at} AS session,
  COLLECT {
    MATCH (e:AgentEvent {session_id: session.id})
    WHERE e.occurred_at <= $at AND """
    + visible("e")
    + """
    WITH e ORDER BY e.occurred_at DESC, e.event_id DESC LIMIT $most
    RETURN [e.seq, e.id, e.event_id, e.event_type, e.occurred_at, e.component, e.payload, e.ends_session,
      e.audience <> session.audience OR EXISTS { (e)-[:POINTS_AT]->() }]
  } AS events,
  head(COLLECT {
    MATCH (e:AgentEvent {session_id: session.id})
    WHERE e.occurred_at > $at AND """
    + visible("e")
    + """
    RETURN e.occurred_at ORDER BY e.occurred_at LIMIT 1
  }) AS to_come,
"""
    + _KNOWN
)

SESSION_OF: LiteralString = (
    """
MATCH (session:AttentionSession {owner_id: $owner, session_source: $source, session_key: $key})
WHERE """
    + visible("session")
    + """
RETURN session.id AS id
"""
)

# Across all users: each is decided as its owner sees it.
DUE: LiteralString = """
MATCH (session:AttentionSession)
WHERE session.due_at <= $now
RETURN session.id AS id, session.owner_id AS owner ORDER BY session.due_at LIMIT $most
"""

FORGET_DUE: LiteralString = """
MATCH (session:Record {id: $session})
REMOVE session.due_at
"""

# What waits is as it was when it was decided about last: it is looked at again later.
LOOK_LATER: LiteralString = """
MATCH (session:Record {id: $session})
WHERE session.seen = $seen
SET session.due_at = $at
RETURN session.id AS id
"""

WHOSE: LiteralString = """
MATCH (session:Record {id: $session})
WHERE session:AttentionSession
RETURN session.session_source AS source, session.session_key AS key
"""

# What a decision rests on, with what that is about: read by the command that has read the events for the same viewer.
EVIDENCE: LiteralString = (
    """
UNWIND $ids AS id
MATCH (e:Record {id: id})
WHERE """
    + visible("e")
    + """
RETURN e.id AS id, e:AgentEvent AS heard, e.data_class AS data_class, e.matter_ids AS matter_ids,
  COLLECT {
    MATCH (e)-[:POINTS_AT]->(r:Record) WHERE """
    + visible("r")
    + """
    RETURN [r.id, r.data_class, r.matter_ids]
  } AS records
"""
)

DIRECTIVES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (d:Record {id: id})
WHERE """
    + visible("d")
    + """
RETURN labels(d) AS labels, properties(d) AS properties
"""
)

TRACE: LiteralString = (
    """
MATCH (t:Record {id: $trace})
WHERE t:PolicyTrace AND """
    + visible("t")
    + """
RETURN t {.*} AS trace,
  COLLECT {
    MATCH (t)-[:EMITTED]->(d:AttentionDirective) WHERE """
    + visible("d")
    + """
    RETURN [d.id, d.moment, d.subject]
  } AS directives
"""
)

EVENTS_READ: LiteralString = (
    """
UNWIND $spans AS span
MATCH (e:AgentEvent {session_id: $session})
WHERE e.seq >= span[0] AND e.seq <= span[1] AND """
    + visible("e")
    + """
RETURN collect([e.seq, e.id, e.event_id, e.event_type, e.occurred_at, e.component, e.payload, e.ends_session]) AS events
"""
)
