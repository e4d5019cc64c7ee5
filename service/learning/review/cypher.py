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

# What happened with records in spans of time: what people chose and refused, and how runs of them ended.
HAPPENED: LiteralString = (
    """
UNWIND $spans AS span
MATCH (n:Record {id: span.id}) WHERE """
    + visible("n")
    + """
RETURN span.place AS place,
  COUNT { MATCH (n)<-[:SEEN_ON]-(s:Signal) WHERE s.signal_kind IN $liked AND s.emitted_at >= span.since
    AND s.emitted_at < span.until AND """
    + visible("s")
    + """ } AS liked,
  COUNT { MATCH (n)<-[:SEEN_ON]-(s:Signal) WHERE s.signal_kind IN $disliked AND s.emitted_at >= span.since
    AND s.emitted_at < span.until AND """
    + visible("s")
    + """ } AS disliked,
  COUNT { MATCH (n)<-[:USED_TEMPLATE|RUN_OF]-(r:Run) WHERE r.status = 'completed' AND r.created_at >= span.since
    AND r.created_at < span.until AND """
    + visible("r")
    + """ } AS completed,
  COUNT { MATCH (n)<-[:USED_TEMPLATE|RUN_OF]-(r:Run) WHERE r.status = 'failed' AND r.created_at >= span.since
    AND r.created_at < span.until AND """
    + visible("r")
    + """ } AS failed
"""
)

# What was applied and not taken back, the newest first, with its replay: what is watched.
WATCHED: LiteralString = (
    """
MATCH (m:Promotion)-[:APPLIED]->(p:Proposal {proposal_state: 'applied'}) WHERE """
    + visible("m")
    + " AND "
    + visible("p")
    + """ AND m.rolled_back_at IS NULL AND ($ended OR m.watched_until >= $now)
WITH m, p ORDER BY m.applied_at DESC, m.id LIMIT $most
RETURN p {.*} AS proposal, m {.*} AS promotion,
  COLLECT { MATCH (r:Replay {id: m.replay_id}) WHERE """
    + visible("r")
    + """ RETURN r {.*} } AS replays
"""
)
