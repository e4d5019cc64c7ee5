"""Compacts and removes what is due, in transactions of bounded size. Stopped anywhere, the next call goes on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graph_schema.memory.words import RetentionClass
from graph_schema.model.parts import COMPACTED
from service import clock
from service.access.audience import ADMINISTRATION
from service.access.viewer import OPERATOR
from service.commands.cypher import CREATE_EVENTS
from service.commands.ground import event_row
from service.graph.database import Database, Transaction
from service.ids import new_id
from service.memory.retention import cypher, rules
from service.memory.retention.rules import Ages

RUNS = 50
BUDGET = 1_000
SAMPLES = 3
_COUNTED = ("spans", "snapshots", "checkpoints", "sessions", "interventions", "native_events", "artifacts")


@dataclass(frozen=True, slots=True)
class Due:
    """What would go of one class: runs, their parts by kind, and the runs that a hold or an active matter keeps."""

    retention_class: RetentionClass
    runs: int
    held: int
    samples: list[str]
    held_samples: list[str]
    parts: dict[str, int]


@dataclass(slots=True)
class Retained:
    """What went, by class and kind."""

    counts: dict[RetentionClass, Counter[str]] = field(default_factory=dict[RetentionClass, Counter[str]])
    batches: int = 0

    def add(self, kept: RetentionClass, more: Counter[str]) -> None:
        self.counts.setdefault(kept, Counter()).update(more)
        self.batches += 1


async def due(database: Database, ages: Ages, now: datetime | None = None) -> list[Due]:
    """What `retain` would take, without taking it."""
    listed: list[Due] = []
    for kept in RetentionClass:
        for one in ages.ranges(kept, now or datetime.now(UTC)):
            row = await database.read_one(cypher.COUNT_DUE, **one, samples=SAMPLES, remembered=list(rules.REMEMBERED))
            if row and (row["runs"] or row["held"]):
                parts = {name: row[name] for name in _COUNTED if row[name]}
                listed.append(Due(kept, row["runs"], row["held"], row["samples"], row["held_samples"], parts))
    return listed


async def retain(
    database: Database,
    ages: Ages,
    *,
    now: datetime | None = None,
    budget: int = BUDGET,
    progress: Callable[[str], None] = lambda _line: None,
) -> Retained:
    """Take all that is due. Each batch is one transaction with an event for the administrators.

    At most `budget` parts, and as many stripped records, change in one transaction.
    """
    total = Retained()
    for kept in RetentionClass:
        for one in ages.ranges(kept, now or datetime.now(UTC)):
            while more := await database.write(_Batch(kept, one, budget).in_transaction):
                total.add(kept, more)
                progress(f"{kept.value}: {sum(total.counts[kept].values()):,} records so far")
    return total


class _Batch:
    """Some of the runs of a class that are due, as far as one transaction goes."""

    def __init__(self, kept: RetentionClass, limits: dict[str, str], budget: int) -> None:
        self._kept = kept
        self._budget = budget
        self._limits = limits
        self._id = new_id("ret")

    async def in_transaction(self, transaction: Transaction) -> Counter[str]:
        at, counts = clock.now(), Counter[str]()
        row = await transaction.one(cypher.TAKE_DUE, **self._limits, runs=RUNS, at=at)
        ids: list[str] = row["ids"] if row else []
        if not ids:
            return counts
        alone = await self._alone(transaction, ids)
        stays = [one for one in ids if one not in alone]
        done = await self._remove_parts(transaction, ids, at, counts)
        done = done and await self._remove_steps(transaction, sorted(alone), counts)
        done = done and await self._strip(transaction, stays, at, counts)
        if done:
            await self._finish(transaction, stays, sorted(alone), at, counts)
        await self._tell(transaction, at, counts)
        return counts

    async def _alone(self, transaction: Transaction, ids: list[str]) -> set[str]:
        """The runs that go whole: ephemeral ones that no lineage and no receipt leads to."""
        if self._kept is not RetentionClass.ephemeral:
            return set()
        row = await transaction.one(cypher.ALONE, ids=ids)
        return {*row["ids"]} if row else set()

    async def _remove_parts(self, transaction: Transaction, ids: list[str], at: str, counts: Counter[str]) -> bool:
        """Whether all parts are gone now."""
        row = await transaction.one(
            cypher.PARTS, ids=ids, budget=self._budget, removed=list(COMPACTED), inside=list(rules.INSIDE)
        )
        parts: list[dict[str, Any]] = row["found"] if row else []
        gone = [one["id"] for one in parts if not one["pointed_at"]]
        entombed = [one for one in parts if one["pointed_at"]]
        await transaction.run(cypher.FORGET_FORMER, ids=[one["id"] for one in parts])
        await transaction.run(cypher.DELETE, ids=gone)
        reason = f"retention of the class {self._kept.value}"
        await transaction.run(cypher.ENTOMB, rows=entombed, at=at, reason=reason, inside=list(rules.INSIDE))
        counts.update(one["kind"] for one in parts)
        counts.update({"Tombstone": len(entombed)} if entombed else {})
        reports = await transaction.one(cypher.DELETE_REPORTS, ids=ids, budget=self._budget)
        counts.update({"Report": reports["deleted"]} if reports and reports["deleted"] else {})
        return len(parts) < self._budget and not (reports and reports["deleted"] == self._budget)

    async def _remove_steps(self, transaction: Transaction, ids: list[str], counts: Counter[str]) -> bool:
        row = await transaction.one(cypher.STEPS, ids=ids, budget=self._budget) if ids else None
        steps: list[str] = row["found"] if row else []
        await transaction.run(cypher.FORGET_FORMER, ids=steps)
        await transaction.run(cypher.DELETE, ids=steps)
        counts.update({"removed": len(steps)} if steps else {})
        return len(steps) < self._budget

    async def _strip(self, transaction: Transaction, ids: list[str], at: str, counts: Counter[str]) -> bool:
        row = await transaction.one(cypher.TO_STRIP, ids=ids, budget=self._budget, remembered=list(rules.REMEMBERED))
        rows: list[dict[str, str]] = row["found"] if row else []
        taken = {label: rules.dropped(label) for label in rules.DROPPED}
        await transaction.run(cypher.STRIP, rows=rows, dropped=taken, at=at)
        await transaction.run(cypher.FORGET_FORMER, ids=[one["id"] for one in rows])
        counts.update(f"{one['kind']} stripped" for one in rows)
        return len(rows) < self._budget

    async def _finish(
        self, transaction: Transaction, stays: list[str], alone: list[str], at: str, counts: Counter[str]
    ) -> None:
        await transaction.run(cypher.FORGET_FORMER, ids=[*stays, *alone])
        row = await transaction.one(cypher.FINISH, ids=stays, dropped=rules.dropped("Run"), at=at)
        by = {"principal_id": OPERATOR.principal_id, "command_id": self._id, "changed": ["compacted_at"]}
        found: list[dict[str, Any]] = row["found"] if row else []
        events = [event_row("run.compacted", "Run", one, **by) for one in found]
        await transaction.run(CREATE_EVENTS, rows=events)
        await transaction.run(cypher.DELETE, ids=alone)
        counts.update({"Run compacted": len(stays)} if stays else {})
        counts.update({"Run removed": len(alone)} if alone else {})

    async def _tell(self, transaction: Transaction, at: str, counts: Counter[str]) -> None:
        await transaction.run(CREATE_EVENTS, rows=[batch_event(self._id, at, self._kept.value, counts)])


def batch_event(batch_id: str, at: str, kept: str, counts: Counter[str]) -> dict[str, Any]:
    """What administrators are told of a batch."""
    batch = {"id": batch_id, "version": 1, "updated_at": at, "audience": ADMINISTRATION}
    changed = [f"{kept}: {count} {kind}" for kind, count in sorted(counts.items())]
    by = {"principal_id": OPERATOR.principal_id, "command_id": batch_id}
    return event_row("retention.batch", "Retention", batch, **by, changed=changed)
