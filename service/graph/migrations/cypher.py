"""Statements about the graph's own shape: locks, migrations, indexes."""

from typing import LiteralString

# Writing a property first takes the node's write lock, so that what is read next is what the last holder committed.
# The database's clock decides, and `realtime` because the statement may have waited for the lock.
TAKE_LEASE: LiteralString = """
MERGE (lock:Lock {name: $name})
SET lock.asked_at = datetime.realtime().epochMillis
WITH lock, datetime.realtime().epochMillis AS now
WHERE lock.owner IS NULL OR lock.expires_at < now
SET lock.owner = $owner, lock.expires_at = now + $milliseconds
RETURN lock.owner AS owner
"""

RENEW_LEASE: LiteralString = """
MATCH (lock:Lock {name: $name})
SET lock.asked_at = datetime.realtime().epochMillis
WITH lock WHERE lock.owner = $owner
SET lock.expires_at = datetime.realtime().epochMillis + $milliseconds
RETURN lock.owner AS owner
"""

RETURN_LEASE: LiteralString = """
MATCH (lock:Lock {name: $name})
SET lock.asked_at = datetime.realtime().epochMillis
WITH lock WHERE lock.owner = $owner
REMOVE lock.owner, lock.expires_at
"""

RECORDED_MIGRATIONS: LiteralString = """
MATCH (m:Migration)
RETURN m.number AS number, m.name AS name, m.checksum AS checksum, m.done AS done, m.steps AS steps,
  m.by AS by, m.facts AS facts
ORDER BY number
"""

APPLIED_MIGRATIONS: LiteralString = """
MATCH (m:Migration)
RETURN m.number AS number, m.name AS name, m.by AS by, m.applied_at AS applied_at
ORDER BY number
"""

ANYTHING: LiteralString = "RETURN EXISTS { MATCH (n) WHERE NOT n:Lock AND NOT n:Migration } AS there"

RECORD_STEP: LiteralString = """
MERGE (m:Migration {number: $number})
ON CREATE SET m.started_at = $at
SET m.name = $name, m.checksum = $checksum, m.done = $done, m.steps = $steps, m.by = $by,
  m.applied_at = CASE WHEN $done = $steps THEN $at END
"""

RECORD_SCHEMA: LiteralString = """
MERGE (m:Migration {number: $number})
ON CREATE SET m.started_at = $at
SET m.name = $name, m.checksum = $checksum, m.facts = $facts, m.by = $by, m.applied_at = $at
"""

INDEXES: LiteralString = """
SHOW INDEXES
YIELD name, type, state, populationPercent, labelsOrTypes, properties, options, owningConstraint, failureMessage
"""
