"""The statements of a report of events: lock its sessions, look for what it names. Writing is as for any report."""

from typing import LiteralString

from service.graph.flows import unplaced
from service.graph.visibility import visible

# Setting and removing a property takes the write lock before the state is read. The refs come in one order from every
# caller, so that none waits for another.
LOCK_SESSIONS: LiteralString = """
UNWIND $refs AS ref
CALL (ref) {
  MATCH (n:Record {id: ref.id}) WHERE n:AttentionSession RETURN n
  UNION
  MATCH (n:AttentionSession {owner_id: ref.owner, session_source: ref.source, session_key: ref.key}) RETURN n
}
SET n._lock = true
REMOVE n._lock
RETURN ref.place AS place, properties(n) AS properties
"""

USERS: LiteralString = """
UNWIND $rows AS id
MATCH (p:Principal {id: id})
RETURN collect(p.id) AS found
"""

KNOWN_EVENTS: LiteralString = """
UNWIND $rows AS row
MATCH (n:AgentEvent {session_id: row[0], event_id: row[1]})
RETURN collect([n.session_id, n.event_id, n.hash]) AS found
"""

NAMED_RECORDS: LiteralString = (
    """
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Record {id: row.id}) RETURN n
  UNION
  MATCH (n:Record {source: row.source, source_key: row.key}) WHERE n.realm IS NOT NULL RETURN n
}
WITH row, n WHERE """
    + visible("n")
    + """ AND NOT ("""
    + unplaced("n")
    + """) AND any(label IN labels(n) WHERE label IN $labels)
RETURN collect([row.name, n.id, n.data_class, n.matter_ids]) AS found
"""
)

LOCK_MODELS: LiteralString = """
UNWIND $owners AS owner
MATCH (n:UserModel {owner_id: owner})
SET n._lock = true
REMOVE n._lock
RETURN collect(properties(n)) AS found
"""
