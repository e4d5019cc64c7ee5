"""A report that is carried out again: two callers begin the same at once, or the answer to a commit is lost."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from neo4j import exceptions as driver_errors

from service.graph.database import Database, Transaction
from service.graph.errors import CommitUnknown

MOST_TRIES = 8


class Batch(Protocol):
    """One report in its transaction."""

    changed: bool
    new_audiences: bool

    async def in_transaction(self, transaction: Transaction) -> list[Any]: ...


B = TypeVar("B", bound=Batch)


async def carried_out(database: Database, begun: Callable[[], B]) -> tuple[list[Any], B]:
    """Events are known by their ids, so whoever begins again finds what did take place, as duplicates."""
    unknown = False
    for tried in range(1, MOST_TRIES + 1):
        batch = begun()
        try:
            answers = await database.write(batch.in_transaction)
        except (driver_errors.ConstraintError, CommitUnknown) as error:
            if tried == MOST_TRIES:
                raise
            unknown = unknown or isinstance(error, CommitUnknown)
        else:
            batch.changed, batch.new_audiences = batch.changed or unknown, batch.new_audiences or unknown
            return answers, batch
    raise AssertionError("unreachable")
