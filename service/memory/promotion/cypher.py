"""What a decision about an artifact looks at beyond the artifact."""

from typing import LiteralString

from service.graph.visibility import visible

RUN_OF_ARTIFACT: LiteralString = (
    """
MATCH (n:Run:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN properties(n) AS properties
"""
)

LAST_REQUEST: LiteralString = (
    """
MATCH (r:IntakeReceipt {outcome: 'requested'})-[:DECIDES]->(:Artifact:Record {id: $id}) WHERE """
    + visible("r")
    + """
RETURN r.endpoint AS endpoint, r.destination AS destination ORDER BY r.decided_at DESC LIMIT 1
"""
)

LOCK_ARTIFACT: LiteralString = (
    """
MATCH (n:Artifact:Record {id: $id}) WHERE """
    + visible("n")
    + """
SET n._lock = true
REMOVE n._lock
RETURN labels(n) AS labels, properties(n) AS properties
"""
)
