"""The numbered migrations: changes of data, and removals, that the registry's own growth does not describe.

What the registry adds (labels, indexes, constraints) needs no entry here: it is reconciled at every start. An entry is
never changed once it was released; a mistake is mended by the next number.
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


# As near as Cypher comes to how names are compared; the next save of a record makes it exact.
_NAMES_OF_CARDS: LiteralString = """
MATCH (card:Card)-[:DESCRIBES]->(record:Record)
WHERE card.called IS NULL
CALL (card, record) {
  SET card.called = [one IN [record.name] + coalesce(record.aliases, []) + coalesce(record.keys, []) |
    toLower(trim(one))]
} IN TRANSACTIONS OF 1000 ROWS
"""

MIGRATIONS: tuple[Migration, ...] = (Migration(1, "names of cards", Way.batched, (_NAMES_OF_CARDS,)),)


def checksum(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
