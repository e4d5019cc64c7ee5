"""The numbered migrations: changes of data, and removals, that the registry's own growth does not describe.

What the registry adds (labels, indexes, constraints) needs no entry here, nor do the indexes that it asks for no more
(`retired.py`): both are reconciled at every start. A graph that is new needs none of them: they are noted as done. An
entry is never changed once it was released; a mistake is mended by the next number.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import LiteralString


class Way(StrEnum):
    """How the statements of a migration are run. Neo4j refuses DDL and data in one transaction."""

    ddl = "ddl"
    data = "data"
    batched = "batched"  # `CALL {…} IN TRANSACTIONS`: commits on its own, so must bear being run twice


@dataclass(frozen=True, slots=True)
class Migration:
    """Statements that are run one after another, each recorded when it is done.

    `before_schema`: it clears the way for a constraint that the registry now asks for. `removes`: the pieces of the
    schema (`Index.facts`) that this version no longer has, so that a graph which has them is not taken for a newer one.
    """

    number: int
    name: str
    way: Way
    statements: tuple[LiteralString, ...]
    before_schema: bool = False
    removes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.number} ({self.name})"

    @property
    def checksum(self) -> str:
        return checksum(self.way.value, *self.statements)


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        1,
        "outside names have a realm",
        Way.batched,
        (
            """
MATCH (n:Record) WHERE n.source IS NOT NULL AND n.realm IS NULL
CALL (n) { SET n.realm = '' } IN TRANSACTIONS OF 10000 ROWS
""",
        ),
    ),
    Migration(
        2,
        "an outside name is unique in its realm",
        Way.ddl,
        ("DROP CONSTRAINT record_source_source_key_unique IF EXISTS",),
        removes=("unique Record(source, source_key)",),
    ),
    Migration(
        3,
        "audiences have reporters",
        Way.data,
        (
            """
MATCH (a:Audience)
SET a.principal_ids = [one IN [a.principal_id] WHERE one IS NOT NULL], a.principal_id = null
""",
        ),
    ),
    Migration(
        4,
        "steps have places, and runs count them",
        Way.batched,
        (
            """
MATCH (step:Activation)
CALL (step) {
  SET step.place = coalesce(step.started_at, step.waiting_since, step.completed_at, '~') + ' ' + step.module_key + ' '
      + right('000000000' + toString(step.activation_seq), 10),
    step.moment = coalesce(step.completed_at, step.waiting_since, step.started_at, '')
} IN TRANSACTIONS OF 5000 ROWS
""",
            """
MATCH (run:Run)
CALL (run) {
  OPTIONAL MATCH (step:Activation {run_id: run.id})
  WITH run, collect(step {.status, .stub, .cost_usd}) AS steps,
    count(DISTINCT step.module_key) AS modules
  SET run.success_count = size([one IN steps WHERE one.status = 'success']),
    run.skipped_count = size([one IN steps WHERE one.status = 'skipped']),
    run.cancelled_count = size([one IN steps WHERE one.status = 'cancelled']),
    run.named_count = size([one IN steps WHERE one.stub]),
    run.module_count = modules,
    run.costed_count = size([one IN steps WHERE one.cost_usd IS NOT NULL])
} IN TRANSACTIONS OF 100 ROWS
""",
        ),
    ),
)


def checksum(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
