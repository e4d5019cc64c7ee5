"""The schema in the graph against the one that the registry asks for."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from neo4j import exceptions as driver_errors

from graph_schema.output.ddl import Index, IndexKind, drop_statement
from service.graph.database import Database, Row, Transaction
from service.graph.leases import Progress
from service.graph.migrations import cypher
from service.graph.migrations.errors import IndexFailed
from service.progress import Part

STATEMENTS_AT_ONCE = 60
POLL_SECONDS = 0.05

Shown = Mapping[str, Row]


@dataclass(frozen=True, slots=True)
class Step:
    """DDL that takes effect together."""

    title: str
    statements: tuple[LiteralString, ...]

    async def run(self, database: Database) -> None:
        """One by one where data stands against a constraint: the others take effect, and the error names that one."""
        try:
            await self._together(database)
        except driver_errors.ClientError:
            if len(self.statements) == 1:
                raise
            for statement in self.statements:
                await Step(self.title, (statement,)).run(database)

    async def _together(self, database: Database) -> None:
        async def work(transaction: Transaction) -> None:
            for statement in self.statements:
                await transaction.run(statement)

        await database.write(work)


async def shown_indexes(database: Database) -> dict[str, Row]:
    return {row["name"]: row for row in await database.read(cypher.INDEXES)}


def missing(wanted: Iterable[Index], shown: Shown) -> list[Index]:
    """What is not there, or not as it should be."""
    return [one for one in wanted if one.name not in shown or not one.is_shown_as(shown[one.name])]


def steps(wanted: Iterable[Index], shown: Shown, retired: Iterable[Index] = ()) -> list[Step]:
    """What brings the graph to the wanted indexes. One whose definition has grown is dropped and built anew."""
    lacking = missing(wanted, shown)
    drops: list[LiteralString] = [_drop(one.name, shown[one.name]) for one in lacking if one.name in shown]
    gone = [one for one in retired if one.name in shown and one.is_shown_as(shown[one.name])]
    constraints = [one for one in lacking if one.kind is IndexKind.unique]
    indexes = [one for one in lacking if one.kind is not IndexKind.unique]
    return [
        *([Step("drop what has changed", tuple(drops))] if drops else []),
        *(Step(f"drop {_span(group)}", tuple(one.drop for one in group)) for group in _groups(gone)),
        *(Step(_span(group), tuple(one.statement for one in group)) for group in _groups(constraints)),
        *(Step(_span(group), tuple(one.statement for one in group)) for group in _groups(indexes)),
    ]


def _groups(indexes: Sequence[Index]) -> list[Sequence[Index]]:
    return [indexes[start : start + STATEMENTS_AT_ONCE] for start in range(0, len(indexes), STATEMENTS_AT_ONCE)]


def _span(group: Sequence[Index]) -> str:
    return f"{group[0].name} to {group[-1].name}"


async def ensure(database: Database, wanted: Iterable[Index]) -> None:
    """Create a few constraints that another process may be creating at this moment, too."""
    for one in wanted:
        try:
            await Step(one.name, (one.statement,)).run(database)
        except driver_errors.ClientError as error:
            if not (error.code or "").endswith("AlreadyExists"):
                raise


async def wait_until_online(database: Database, wanted: Iterable[Index], progress: Progress) -> None:
    names = {one.name for one in wanted}
    said = -1
    while True:
        rows = [row for name, row in (await shown_indexes(database)).items() if name in names]
        _refuse_failed(rows)
        populating = [row for row in rows if row["state"] != "ONLINE"]
        if not populating:
            return
        percent = int(sum(row["populationPercent"] for row in rows) / len(rows))
        if percent != said:
            progress(Part("Building indexes", percent, 100, f"{len(populating)} of {len(rows)} are left"))
            said = percent
        await asyncio.sleep(POLL_SECONDS)


def _refuse_failed(rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        if row["state"] == "FAILED":
            raise IndexFailed(row["name"], row["failureMessage"].strip())


def _drop(name: str, row: Mapping[str, Any]) -> LiteralString:
    return drop_statement(name, owned_by_constraint=row["owningConstraint"] is not None)
