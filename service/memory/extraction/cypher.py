"""The statements of the second lane."""

from typing import LiteralString

from service.graph.visibility import visible

# For what is known already. The lock comes first: whose artifact it is must not change while it is asked. What belongs
# to a private run is never queued, whoever used it.
QUEUE: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.about_id})
SET n._lock = true
REMOVE n._lock
WITH row, n
OPTIONAL MATCH (owner:Record {id: n.run_id})
WITH row, n WHERE owner IS NULL OR NOT owner.memory_mode IN row.private
MERGE (x:Extraction {about_id: row.about_id, reason: row.properties.reason})
ON CREATE SET x:Record, x += row.properties
MERGE (x)-[:EXTRACTS_FROM]->(n)
"""

# An artifact was used before anybody said that a private run made it.
WITHDRAW: LiteralString = """
UNWIND $rows AS row
MATCH (x:Extraction {about_id: row.about_id})
OPTIONAL MATCH (x)-[:PREVIOUS*1..]->(v:Version)
OPTIONAL MATCH (e:Event {about: x.id})
DETACH DELETE x, v, e
"""

# Whose it is became known; the entry is no longer known only by an outside key either.
REVEAL: LiteralString = """
UNWIND $rows AS row
MATCH (x:Extraction {about_id: row.about_id})
SET x.stub = false
"""

HELD: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
OPTIONAL MATCH (owner:Record {id: n.run_id})
OPTIONAL MATCH (x:Extraction {about_id: $id, reason: $reason})
RETURN coalesce(owner.memory_mode, n.memory_mode) AS memory_mode, x.id AS entry, x.version AS version
"""
)
