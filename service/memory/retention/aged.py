"""Retention of what is no part of a run. A capability says by statements of its own what is old and what goes with it;
here it goes, in transactions of bounded size. Stopped anywhere, the next call goes on."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, LiteralString

from service import clock
from service.commands.cypher import CREATE_EVENTS
from service.graph.database import Database, Transaction
from service.ids import new_id
from service.memory.retention import cypher
from service.memory.retention.batches import BUDGET, SAMPLES, batch_event
from service.settings import Settings

WHOLES = 50
"""Records that one transaction takes, each with its parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aged:
    """Records of a kind that go when they are old. `days`: how long they are kept; 0 means for ever.

    `count` tells how many are old (`due`), how many of these a hold keeps (`held`), and names of some (`samples`).
    `take` locks some that are old and not held, as `found` with id, kind and whether it `stays` when its parts go.
    `parts` finds, of these, up to `$budget` parts that go, as `found` with id and kind.
    """

    kind: str
    days: Callable[[Settings], int]
    count: LiteralString
    take: LiteralString
    parts: LiteralString | None = None
    given: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def asked(self, settings: Settings, now: datetime) -> dict[str, Any] | None:
        """What the statements are asked with; None when all is kept."""
        days = self.days(settings)
        return {"cutoff": clock.stamp(now - timedelta(days=days)), **self.given} if days else None


@dataclass(frozen=True, slots=True)
class AgedDue:
    """What would go of one kind, and what a hold keeps."""

    kind: str
    due: int
    held: int
    samples: list[str]


async def due_aged(
    database: Database, kinds: Iterable[Aged], settings: Settings, now: datetime | None = None
) -> list[AgedDue]:
    """What `retain_aged` would take, without taking it."""
    found: list[AgedDue] = []
    for one in kinds:
        asked = one.asked(settings, now or datetime.now(UTC))
        row = await database.read_one(one.count, **asked, most=SAMPLES) if asked else None
        if row and (row["due"] or row["held"]):
            found.append(AgedDue(one.kind, row["due"], row["held"], row["samples"]))
    return found


async def retain_aged(
    database: Database,
    kinds: Iterable[Aged],
    settings: Settings,
    *,
    now: datetime | None = None,
    budget: int = BUDGET,
    progress: Callable[[str], None] = lambda _line: None,
) -> dict[str, Counter[str]]:
    """Take all that is old. How many records of each label went, by kind."""
    total: dict[str, Counter[str]] = {}
    for one in kinds:
        asked = one.asked(settings, now or datetime.now(UTC))
        while asked and (more := await database.write(_Batch(one, asked, budget).in_transaction)):
            total.setdefault(one.kind, Counter()).update(more)
            progress(f"{one.kind}: {sum(total[one.kind].values()):,} records so far")
    return total


class _Batch:
    """Some of what is old, as far as one transaction goes."""

    def __init__(self, aged: Aged, asked: Mapping[str, Any], budget: int) -> None:
        self._aged = aged
        self._asked = asked
        self._budget = budget

    async def in_transaction(self, transaction: Transaction) -> Counter[str]:
        row = await transaction.one(self._aged.take, **self._asked, most=WHOLES)
        wholes: list[dict[str, Any]] = row["found"] if row else []
        if not wholes:
            return Counter()
        gone = await self._parts(transaction, [one["id"] for one in wholes])
        if len(gone) < self._budget:
            gone += [one for one in wholes if not one["stays"]]
        ids = [one["id"] for one in gone]
        await transaction.run(cypher.FORGET_FORMER, ids=ids)
        await transaction.run(cypher.DELETE, ids=ids)
        counts = Counter[str](one["kind"] for one in gone)
        event = batch_event(new_id("ret"), clock.now(), self._aged.kind, counts)
        await transaction.run(CREATE_EVENTS, rows=[event])
        return counts

    async def _parts(self, transaction: Transaction, ids: list[str]) -> list[dict[str, Any]]:
        if self._aged.parts is None:
            return []
        row = await transaction.one(self._aged.parts, ids=ids, budget=self._budget)
        return [*row["found"]] if row else []
