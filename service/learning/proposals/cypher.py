"""Statements of proposals."""

from typing import LiteralString

from service.graph.visibility import visible

PROPOSAL: LiteralString = (
    """
MATCH (p:Proposal {id: $id}) WHERE """
    + visible("p")
    + """
RETURN properties(p) AS proposal,
  COLLECT { MATCH (p)-[:HAS_CHANGE]->(c:Change) WHERE """
    + visible("c")
    + """ RETURN c {.operation, .changed_field, .value, .before, .relation, .head_id, .risk, .sentence}
    ORDER BY c.position } AS steps,
  COLLECT { MATCH (p)<-[:REPLAYS]-(r:Replay) WHERE """
    + visible("r")
    + """ RETURN r {.*} ORDER BY r.replayed_at DESC LIMIT 1 } AS replays,
  COLLECT { MATCH (p)<-[:APPLIED]-(m:Promotion) WHERE """
    + visible("m")
    + """ RETURN m {.*} ORDER BY m.applied_at DESC LIMIT 1 } AS promotions
"""
)

# Which of these links a record has.
LINKED: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
UNWIND $pairs AS pair
MATCH (n)-[l]->(head:Record {id: pair[1]}) WHERE type(l) = pair[0] AND """
    + visible("head")
    + """
RETURN collect({type: pair[0], head: pair[1], properties: properties(l)}) AS links
"""
)

# Earlier proposals for the same record that are the same, or that say that no more of their kind are wanted.
EARLIER: LiteralString = (
    """
MATCH (e:Proposal {target_id: $target}) WHERE """
    + visible("e")
    + """ AND (e.idea_key = $idea OR e.never_again AND e.proposal_kind = $kind)
RETURN e.id AS id, e.idea_key AS idea, e.proposal_state AS state, e.never_again AS never_again,
  COLLECT { MATCH (e)-[:SUPPORTED_BY]->(s:Record) WHERE """
    + visible("s")
    + """ RETURN s.id } AS evidence
ORDER BY e.created_at DESC
"""
)
