"""Statements about the graph's own shape: migrations, indexes."""

from typing import LiteralString

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
