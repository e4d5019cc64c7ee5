"""Sessions that are old: their events, directives and decisions go with them. Those of an active matter stay, and one
is as sensitive as the most sensitive of what was heard in it.

What its owner told of how they like to be helped stays, and the session that it was told in: so a user model can show
where it comes from.
"""

from typing import LiteralString

from service.graph.parts.cypher import held

_TOLD: LiteralString = "EXISTS { MATCH (n)<-[:HEARD_IN]-(:AgentEvent)<-[:TOLD_IN]-(:UserModel) }"

_ACTIVE: LiteralString = """
  (any(m IN n.matter_ids WHERE EXISTS { MATCH (e:Record {id: m}) WHERE e.lifecycle_state = 'active' })
    OR EXISTS { MATCH (n)<-[:HEARD_IN]-(p:AgentEvent)
      WHERE any(m IN p.matter_ids WHERE EXISTS { MATCH (e:Record {id: m}) WHERE e.lifecycle_state = 'active' }) })
"""

# By the index on audience and time, whoever may see them.
_OLD: LiteralString = (
    """
MATCH (a:Audience)
MATCH (n:AttentionSession {audience: a.audience}) WHERE n.last_event_at < $cutoff
  AND $sensitive = (n.data_class IN $classes
    OR EXISTS { MATCH (n)<-[:HEARD_IN]-(p:AgentEvent) WHERE p.data_class IN $classes })
  AND NOT """
    + _ACTIVE
    + """
WITH n, """
    + held("n")
    + """ OR EXISTS {
    MATCH (n)<-[:HEARD_IN|RAISED_IN|DECIDED_IN]-(p:Record)
    WHERE p.legal_hold OR p.audience <> n.audience AND """
    + held("p")
    + """
  } AS kept, """
    + _TOLD
    + """ AS stays
WHERE NOT stays OR EXISTS {
  MATCH (n)<-[:HEARD_IN|RAISED_IN|DECIDED_IN]-(p:Record) WHERE NOT EXISTS { MATCH (p)<-[:TOLD_IN]-(:UserModel) }
}
"""
)

COUNT_OLD: LiteralString = (
    _OLD
    + """
RETURN sum(CASE WHEN kept THEN 0 ELSE 1 END) AS due, sum(CASE WHEN kept THEN 1 ELSE 0 END) AS held,
  collect(CASE WHEN kept THEN null ELSE n.name END)[..$most] AS samples
"""
)

TAKE_OLD: LiteralString = (
    _OLD
    + """
WITH n, stays WHERE NOT kept
WITH n, stays LIMIT $most
SET n._lock = true
REMOVE n._lock
WITH n, stays WHERE n.last_event_at < $cutoff
RETURN collect({id: n.id, kind: 'AttentionSession', stays: stays}) AS found
"""
)

PARTS_OF_OLD: LiteralString = """
UNWIND $ids AS id
MATCH (:Record {id: id})<-[:HEARD_IN|RAISED_IN|DECIDED_IN]-(p:AgentEvent|AttentionDirective|PolicyTrace)
WHERE NOT EXISTS { MATCH (p)<-[:TOLD_IN]-(:UserModel) }
WITH p LIMIT $budget
RETURN collect({id: p.id, kind: CASE WHEN p:AgentEvent THEN 'AgentEvent'
  WHEN p:PolicyTrace THEN 'PolicyTrace' ELSE 'AttentionDirective' END}) AS found
"""

# Decisions in inboxes, which never end: each goes by itself, with the directives that came of it.
_OLD_DECISION: LiteralString = (
    """
MATCH (a:Audience)
MATCH (n:PolicyTrace {audience: a.audience}) WHERE n.decided_at < $cutoff AND $sensitive = (n.data_class IN $classes)
  AND EXISTS { MATCH (n)-[:DECIDED_IN]->(:AttentionSession {session_source: $source, session_key: $key}) }
  AND NOT any(m IN n.matter_ids WHERE EXISTS { MATCH (e:Record {id: m}) WHERE e.lifecycle_state = 'active' })
WITH n, """
    + held("n")
    + """ OR EXISTS { MATCH (n)-[:EMITTED]->(d:AttentionDirective) WHERE """
    + held("d")
    + """ } AS kept
"""
)

COUNT_OLD_DECISIONS: LiteralString = (
    _OLD_DECISION
    + """
RETURN sum(CASE WHEN kept THEN 0 ELSE 1 END) AS due, sum(CASE WHEN kept THEN 1 ELSE 0 END) AS held,
  collect(CASE WHEN kept THEN null ELSE n.name END)[..$most] AS samples
"""
)

TAKE_OLD_DECISIONS: LiteralString = (
    _OLD_DECISION
    + """
WITH n WHERE NOT kept
WITH n LIMIT $most
SET n._lock = true
REMOVE n._lock
RETURN collect({id: n.id, kind: 'PolicyTrace', stays: false}) AS found
"""
)

EMITTED_BY_OLD: LiteralString = """
UNWIND $ids AS id
MATCH (:Record {id: id})-[:EMITTED]->(d:AttentionDirective)
WITH d LIMIT $budget
RETURN collect({id: d.id, kind: 'AttentionDirective'}) AS found
"""
