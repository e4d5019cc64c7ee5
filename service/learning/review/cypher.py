"""Statements of the queue and of the watch."""

from typing import LiteralString

from service.graph.visibility import visible

QUEUE: LiteralString = (
    """
MATCH (p:Proposal) WHERE """
    + visible("p")
    + """ AND p.proposal_state IN $states AND p.lifecycle_state = 'active'
  AND ($risk IS NULL OR p.risk = $risk) AND ($kind IS NULL OR p.proposal_kind = $kind)
  AND ($snoozed OR p.snoozed_until IS NULL OR p.snoozed_until <= $now)
RETURN p {.*} AS proposal,
  COLLECT { MATCH (p)<-[:REPLAYS]-(r:Replay) WHERE """
    + visible("r")
    + """ RETURN r {.*} ORDER BY r.replayed_at DESC LIMIT 1 } AS replays
ORDER BY p.created_at, p.id LIMIT $most
"""
)

# What happened with a record in a span of time: what people chose and refused, and how runs of it ended.
HAPPENED: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN
  COUNT { MATCH (n)<-[:SEEN_ON]-(s:Signal) WHERE s.signal_kind IN $liked AND s.emitted_at >= $since
    AND s.emitted_at < $until AND """
    + visible("s")
    + """ } AS liked,
  COUNT { MATCH (n)<-[:SEEN_ON]-(s:Signal) WHERE s.signal_kind IN $disliked AND s.emitted_at >= $since
    AND s.emitted_at < $until AND """
    + visible("s")
    + """ } AS disliked,
  COUNT { MATCH (n)<-[:USED_TEMPLATE|RUN_OF]-(r:Run) WHERE r.status = 'completed' AND r.created_at >= $since
    AND r.created_at < $until AND """
    + visible("r")
    + """ } AS completed,
  COUNT { MATCH (n)<-[:USED_TEMPLATE|RUN_OF]-(r:Run) WHERE r.status = 'failed' AND r.created_at >= $since
    AND r.created_at < $until AND """
    + visible("r")
    + """ } AS failed
"""
)
