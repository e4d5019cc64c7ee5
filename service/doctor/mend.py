"""Mending: what follows from something else is made again from it. What somebody has said is never changed.

Each step is a transaction of its own for each batch, and bears being repeated. Nothing is ever opened up: where more
people would see a record than its class and matters say, it is left as it is.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from embeddings import EmbeddingQueue
from graph_schema.model.registry import Registry
from graph_schema.output.ddl import vector_property
from service import clock
from service.access.audience import Access
from service.access.viewer import OPERATOR
from service.cards.embedding import reembed
from service.commands.inheritance import inherit, reached
from service.commands.record_cards import card_properties, due, new_card
from service.doctor import cypher
from service.doctor.examine import examine
from service.doctor.finding import SAMPLES, Finding, Tally
from service.graph.database import Database, Row, Transaction
from service.graph.migrations import IndexFailed, MigrationFailed, migrate

BATCH = 500
AT_ONCE = 1_000_000
"""Records of one finding; what is beyond is found again the next time."""
Progress = Callable[[str], None]
Step = Callable[[Tally], Awaitable["list[Mended]"]]

SCHEMA = ("migration_pending", "index_missing", "index_different")
LABELS = ("label_second",)
ACCESS = ("audience_wrong", "audience_unlisted", "access_not_inherited")
ORPHANS = ("card_orphan",)
CARDS = ("card_missing", "card_duplicate", "card_stale")
EVENTS = ("event_dangling",)
VECTORS = ("card_behind", "vector_of_other_model", "vector_wrong_size", "vector_missing", "index_of_other_model")
MENDED = frozenset({*SCHEMA, *LABELS, *ACCESS, *ORPHANS, *CARDS, *EVENTS, *VECTORS})
"""Everything else is a person's to mend: what is right cannot be known from the graph."""

_BROKEN = ("property_missing", "property_invalid")
_OF_ACCESS = (".data_class", ".matter_ids", ".own_data_class", ".own_matter_ids")
"""While one of these is not usable somewhere, nothing can be said of what takes access over from there."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done about something that was found."""

    checks: tuple[str, ...]
    done: str
    count: int
    samples: tuple[str, ...]


class _Opens(Exception):
    """More people would see a record than its class and matters say now."""


class Mender:
    def __init__(self, database: Database, registry: Registry, queue: EmbeddingQueue, progress: Progress) -> None:
        self._database = database
        self._registry = registry
        self._queue = queue
        self._progress = progress

    async def mend(self) -> tuple[list[Mended], list[Finding]]:
        """What was done, and what is left."""
        tally = Tally(AT_ONCE)
        findings = await self._examined(tally)
        found = {one.check for one in findings}
        if any(one.check in _BROKEN and one.subject.endswith(_OF_ACCESS) for one in findings):
            found -= {*ACCESS}
        steps: tuple[tuple[tuple[str, ...], Step], ...] = (
            (SCHEMA, self._schema),
            (LABELS, self._labels),
            (ACCESS, self._access),
            (ORPHANS, self._orphans),
            (CARDS, self._cards),
            (EVENTS, self._events),
            (VECTORS, self._vectors),
        )
        mended: list[Mended] = []
        for checks, step in steps:
            if found & {*checks}:
                self._progress(f"mending: {', '.join(sorted(found & {*checks}))}")
                mended += await self._tried(step, tally)
        if not found & MENDED:
            return mended, tally.findings()
        # New cards have no vectors yet, and a schema that was mended may show what was hidden.
        left = Tally()
        if {one.check for one in await self._examined(left)} & {*VECTORS} and not found & {*VECTORS}:
            mended += await self._tried(self._vectors, left)
            left = Tally()
            await self._examined(left)
        return mended, left.findings()

    async def _examined(self, tally: Tally) -> list[Finding]:
        embedder, second = self._queue.embedder, self._queue.second
        return await examine(
            self._database,
            self._registry,
            embedder_key=embedder.key,
            dimensions=embedder.dimensions,
            second=second.embedder if second else None,
            progress=self._progress,
            tally=tally,
        )

    async def _tried(self, step: Step, tally: Tally) -> list[Mended]:
        """Where data stands against a constraint, that is what has to be mended first, and by a person."""
        try:
            return await step(tally)
        except (MigrationFailed, IndexFailed) as error:
            self._progress(error.message)
            return []

    async def _schema(self, _tally: Tally) -> list[Mended]:
        model = self._queue.embedder
        applied = await migrate(
            self._database,
            self._registry,
            embedder_key=model.key,
            dimensions=model.dimensions,
            progress=self._progress,
        )
        return _done(SCHEMA, "constraints, indexes and migrations brought up to date", [one.name for one in applied])

    async def _labels(self, tally: Tally) -> list[Mended]:
        async def work(transaction: Transaction, ids: Sequence[str]) -> list[str]:
            rows: list[dict[str, Any]] = []
            for row in await self._locked(transaction, ids):
                kind = self._registry.types[self._registry.label_of(row["labels"])]
                wanted = kind.model.labels(row["properties"])
                remove = [one for one in row["labels"] if one not in wanted]
                rows.append({"id": row["properties"]["id"], "remove": remove, "add": wanted})
            await transaction.run(cypher.RELABEL, rows=rows)
            return [one["id"] for one in rows]

        return _done(LABELS, "second labels set by the record's values", await self._batched(tally, LABELS, work))

    async def _access(self, tally: Tally) -> list[Mended]:
        """One by one where a batch would open something up, so that the others are mended."""
        mended: list[str] = []
        for ids in _batches(tally.samples(*ACCESS)):
            try:
                mended += await self._inherited(ids)
            except _Opens:
                for one in ids:
                    mended += await self._inherited_alone(one)
        return _done(ACCESS, "audiences and inherited access made again from classes, matters and sources", mended)

    async def _inherited_alone(self, record_id: str) -> list[str]:
        try:
            return await self._inherited([record_id])
        except _Opens:
            return []

    async def _inherited(self, ids: Sequence[str]) -> list[str]:
        async def work(transaction: Transaction) -> list[str]:
            concerned = sorted(await reached(transaction, self._registry, {*ids}))
            before = await _accesses(transaction, concerned)
            await inherit(transaction, self._registry, {*ids} & before.keys())
            after = await _accesses(transaction, concerned)
            if not all(after[one].covers(before[one]) for one in before):
                raise _Opens
            return [one for one in ids if one in before]

        return await self._database.write(work)

    async def _orphans(self, tally: Tally) -> list[Mended]:
        async def work(transaction: Transaction, ids: Sequence[str]) -> list[str]:
            await transaction.run(cypher.REMOVE_ORPHANS, ids=ids)
            return [*ids]

        return _done(ORPHANS, "cards and phrases of nothing removed", await self._batched(tally, ORPHANS, work))

    async def _cards(self, tally: Tally) -> list[Mended]:
        async def work(transaction: Transaction, ids: Sequence[str]) -> list[str]:
            rows = [self._card_row(row) for row in await self._locked(transaction, ids)]
            await transaction.run(cypher.PUT_CARDS, rows=rows)
            return [one["record"] for one in rows]

        return _done(CARDS, "cards made again from their records", await self._batched(tally, CARDS, work))

    def _card_row(self, row: Row) -> dict[str, Any]:
        values: dict[str, Any] = row["properties"]
        kind = self._registry.types[self._registry.label_of(row["labels"])]
        shown = card_properties(kind, values)
        card = new_card(kind, values, row["author"] or OPERATOR.principal_id, clock.now())
        labels = self._registry.types["Card"].model.labels(card)
        return {"record": values["id"], "card": card, "shown": {**shown, **due(shown, {})}, "labels": labels}

    async def _events(self, _tally: Tally) -> list[Mended]:
        [found] = await self._database.examine(cypher.ABOUT_NOTHING)
        told: list[str] = []
        for abouts in _batches(found["abouts"]):

            async def work(transaction: Transaction, abouts: Sequence[str] = abouts) -> list[str]:
                row = await transaction.one(cypher.REMOVE_EVENTS, abouts=abouts)
                return row["told"] if row else []

            told += await self._database.write(work)
        return _done(EVENTS, "events about nothing removed", told)

    async def _vectors(self, tally: Tally) -> list[Mended]:
        """What is wrong is forgotten, then everything is embedded that has no vector of its text."""
        key, second = self._queue.embedder.key, self._queue.second
        properties = {"property": vector_property(key)}
        properties["second"] = vector_property(second.embedder.key) if second else properties["property"]

        async def work(transaction: Transaction, ids: Sequence[str]) -> list[str]:
            await transaction.run(cypher.FORGET_VECTORS, ids=ids, **properties)
            return [*ids]

        await self._batched(tally, ("vector_wrong_size", "vector_missing"), work)
        done = await reembed(self._database, self._registry, self._queue, self._progress)
        sentence = f"{done.embedded} texts embedded, {done.vectors_removed} vectors of other models removed"
        return _done(VECTORS, sentence, tally.samples(*VECTORS))

    async def _locked(self, transaction: Transaction, ids: Sequence[str]) -> list[Row]:
        return await transaction.run(cypher.RECORDS_TO_MEND, ids=ids)

    async def _batched(
        self,
        tally: Tally,
        checks: tuple[str, ...],
        work: Callable[[Transaction, Sequence[str]], Awaitable[list[str]]],
    ) -> list[str]:
        done: list[str] = []
        for ids in _batches(tally.samples(*checks)):
            done += await self._database.write(lambda transaction, ids=ids: work(transaction, ids))
        return done


async def _accesses(transaction: Transaction, ids: Sequence[str]) -> dict[str, Access]:
    return {row["id"]: Access.of(row) for row in await transaction.run(cypher.ACCESS_OF, ids=ids)}


def _done(checks: tuple[str, ...], done: str, concerned: Sequence[str]) -> list[Mended]:
    return [Mended(checks, done, len(concerned), tuple(concerned[:SAMPLES]))] if concerned else []


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    listed = [*ids]
    return (listed[start : start + BATCH] for start in range(0, len(listed), BATCH))
