"""What is asked of the graph while reports are taken."""

from typing import LiteralString

# The asks of a session around those that came in, each with the correction that it is taken for. Who reports need not
# see them all: what comes of it is as closed as both asks, and nothing of it is told to the reporter.
SESSION_ASKS: LiteralString = """
UNWIND $rows AS row
MATCH (ask:Ask {session_id: row.session_id})
WHERE ask.asked_at >= row.since AND ask.asked_at <= row.until
OPTIONAL MATCH (ask)<-[:MADE_BY]-(correction:UserCorrection)-[:CORRECTS]->(earlier:Ask)
RETURN labels(ask) AS labels, properties(ask) AS properties,
  correction {.id, .likeness, .by_phrase, earlier: earlier.id} AS correction
"""
