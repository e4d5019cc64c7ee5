"""The plan of `eraseRecord`: find what goes, refuse what is held, forget it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graph_schema.memory.lineage import BY_TYPE
from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.parts import BASIS, COMPACTED, ERASED, QUOTED, QUOTED_WHOLE, blank_link, blank_texts
from graph_schema.model.registry import Registry
from service import clock
from service.commands import RecordRef, State, Work
from service.graph.database import Transaction
from service.graph.parts import family, holds, key_hash, parts_of
from service.records.erasure import cypher
from service.records.erasure.told import without
from service.records.errors import HeldForLaw, TooManyToErase

LIMIT = 10_000
ERASED_RESULT = '{"erased": true}'
_TRACELESS = frozenset({*COMPACTED, "Extraction"})
"""Details of a run: they leave a tombstone only where something that stays leads to them."""


@dataclass(frozen=True, slots=True)
class _Going:
    """What goes with a record; what was known by it alone; and what stays, but may repeat it."""

    ids: list[str]
    stranded: list[str]
    repeating: list[str]
    telling: list[str]
    """Packets of which other receipts tell of it; for the rest they stay as they are."""


class Erasure:
    """Carried out again when its transaction is retried."""

    def __init__(self, registry: Registry, ref: RecordRef, reason: str | None) -> None:
        self._registry = registry
        self._ref = ref
        self._reason = reason
        self.exports: list[str] = []
        """Ids of the audit exports that went: their files are to follow."""

    async def __call__(self, work: Work) -> dict[str, Any]:
        record = work.existing(self._ref, "record")
        if record.type.label == "Tombstone":
            return {"id": record.id, "erased": 0}
        going = await self._going(work.transaction, record)
        await _refuse_held(work, record, going)
        moment = clock.not_before(record.properties["updated_at"])
        counting = await _ids(work.transaction, cypher.COUNTING, ids=going.ids)
        await _Forgetting(self._registry, work.transaction, going).carry_out(moment, self._reason)
        if counting:
            await work.transaction.run(cypher.RECOUNT, ids=sorted(counting))
        prefix = self._registry.types["AuditExport"].prefix + "_"
        self.exports = [one for one in going.ids if one.startswith(prefix)]
        record.properties["updated_at"] = moment
        work.event("erased", record)
        return {"id": record.id, "erased": len(going.ids)}

    def _runs(self, ids: Iterable[str]) -> bool:
        """Whether a run is among them: what only it has named goes with it. Elsewhere lineage still leads there."""
        prefix = self._registry.types["Run"].prefix + "_"
        return any(one.startswith(prefix) for one in ids)

    async def _going(self, transaction: Transaction, record: State) -> _Going:
        roots = {record.id}
        if record.properties.get("kind") == "matter":
            roots |= await _ids(transaction, cypher.OF_MATTER, id=record.id)
        ids = await parts_of(transaction, roots)
        quoting = await _ids(transaction, cypher.QUOTING, ids=sorted(ids), types=QUOTED_WHOLE)
        ids = await parts_of(transaction, ids | quoting)
        if len(ids) > LIMIT:
            raise TooManyToErase(len(ids), LIMIT)
        listed = sorted(ids)
        stranded = await _ids(transaction, cypher.STRANDED, ids=listed) if self._runs(listed) else set[str]()
        stranded = await parts_of(transaction, stranded) - ids if stranded else stranded
        repeating = await _ids(transaction, cypher.REPEATING, ids=listed, types=QUOTED, basis=BASIS)
        repeating |= await _ids(transaction, cypher.NAMING, ids=listed)
        telling = await _ids(transaction, cypher.TELLING_PACKETS, ids=listed)
        return _Going(listed, sorted(stranded), sorted(repeating), sorted(telling))


async def _refuse_held(work: Work, record: State, going: _Going) -> None:
    """Refuse what a hold keeps: on what goes, on what that is a part of, or on a run that was given it to know."""
    audiences = list(work.viewer.audiences)
    together = await family(work.transaction, {*going.ids, *going.stranded})
    found = {one.id: one.visible for one in await holds(work.transaction, together, audiences)}
    repeating = [*going.repeating, *going.telling]
    rows = await work.transaction.run(
        cypher.QUOTED_IN_HELD, ids=going.ids, repeating=repeating, types=QUOTED, audiences=audiences
    )
    found |= {row["id"]: row["visible"] for row in rows}
    if found:
        raise HeldForLaw(record.id, sorted(one for one, visible in found.items() if visible))


class _Forgetting:
    """Takes records out of the graph, and what repeats them."""

    def __init__(self, registry: Registry, transaction: Transaction, going: _Going) -> None:
        self._registry = registry
        self._transaction = transaction
        self._ids = going.ids
        self._stranded = going.stranded
        self._repeating = going.repeating
        self._telling = going.telling
        self._all = [*going.ids, *going.stranded]
        self._kept = _kept_links(registry)

    async def carry_out(self, at: str, reason: str | None) -> None:
        facts = await self._transaction.run(
            cypher.FACTS, ids=self._ids, labels=[*self._registry.types], kept=self._kept
        )
        await self._blank_others(frozenset(row["key"] for row in facts if row["kind"] == "Artifact"))
        shared: dict[str, Any] = {"ids": self._all, "erased_result": ERASED_RESULT}
        await self._transaction.run(cypher.FORGET, **shared)
        await self._blank_links()
        gone = {row["id"] for row in facts if row["kind"] in _TRACELESS and not row["pointed_at"]}
        await self._transaction.run(cypher.DELETE, ids=[*sorted(gone), *self._stranded])
        rows = [_tomb(row) for row in facts if row["id"] not in gone]
        await self._transaction.run(cypher.ENTOMB, rows=rows, at=at, reason=reason)

    async def _blank_others(self, artifacts: frozenset[str]) -> None:
        """Take what was said of these records out of what stays."""
        runs = [one for one in self._ids if one.startswith(self._registry.types["Run"].prefix + "_")]
        row = await self._transaction.one(cypher.TOLD, runs=runs) if runs else None
        await self._untell(frozenset[str](row["told"]) if row else frozenset(), artifacts)
        links = {kind: blank_link(self._registry, kind) for kind in ("INJECTED", "EXCLUDED")}
        await self._transaction.run(cypher.BLANK_SETS, ids=self._ids, blank=links)
        if self._telling:
            await self._transaction.run(cypher.BLANK_TELLING, ids=self._ids, erased=ERASED)
        if self._repeating:
            await self._transaction.run(cypher.BLANK_PARTIES, ids=self._ids)
            await self._transaction.run(cypher.BLANK_GIVEN, ids=self._repeating, blank=links)
        kinds = {label: blank_texts(kind) for label, kind in self._registry.types.items()}
        await self._transaction.run(
            cypher.BLANK_QUOTES, ids=self._repeating, labels=[*kinds], blank=kinds, erased_result=ERASED_RESULT
        )

    async def _blank_links(self) -> None:
        links = {kind: blank_link(self._registry, kind) for kind in self._kept}
        await self._transaction.run(cypher.BLANK_LINKS, ids=self._ids, kept=self._kept, blank=links)
        await self._transaction.run(cypher.CUT_LINKS, ids=self._ids, kept=self._kept)
        await self._transaction.run(cypher.BLANK_FORMER_LINKS, ids=self._all)

    async def _untell(self, told: frozenset[str], artifacts: frozenset[str]) -> None:
        rows: list[dict[str, Any]] = []
        for row in await self._transaction.run(cypher.NEIGHBOURS, ids=self._all):
            kind = self._registry.types[self._registry.label_of(row["labels"])]
            left = without(kind, row["properties"], told, artifacts)
            if left is not None:
                rows.append({"element": row["element"], "properties": left})
        if rows:
            await self._transaction.run(cypher.REPLACE, rows=rows)


def _tomb(row: dict[str, Any]) -> dict[str, Any]:
    source, key = row["source"], row["key"]
    hashed = key_hash(source, key) if source is not None and key is not None else None
    return {"id": row["id"], "kind": row["kind"], "key_hash": hashed}


def _kept_links(registry: Registry) -> list[str]:
    """What tells what happened, and where things came from: lineage stays whole around a tombstone."""
    return sorted(
        {one.type for one in registry.relations if one.layer is EvidenceLayer.run_truth or one.type in BY_TYPE}
    )


async def _ids(transaction: Transaction, query: Any, **parameters: Iterable[str] | str) -> set[str]:
    row = await transaction.one(query, **parameters)
    return set(row["ids"]) if row else set()
