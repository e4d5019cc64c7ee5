"""Reporting on an empty graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.graph.database import Database
from service.memory.reporting.answers import EventAnswer
from service.memory.reporting.commands import Reporting
from tests.viewers import viewer_of

GENERATED = frozenset({"id", "created_at", "updated_at", "run_id", "about_id"})

GRAPH = """
MATCH (n:Record) RETURN n.id AS id, labels(n) AS labels, properties(n) AS properties,
  COLLECT { MATCH (n)-[r]->(m:Record) RETURN [type(r), m.id, properties(r)] } AS links
"""


@dataclass(frozen=True)
class Executor:
    """Reports, and looks at what came of it."""

    database: Database
    reporting: Reporting

    async def report(self, events: Sequence[Any], **viewer: Any) -> list[EventAnswer]:
        return await self.reporting.report(await viewer_of(self.database, **viewer), events)

    async def told(self, events: Sequence[Any], **viewer: Any) -> list[str]:
        return [one.code or one.outcome.value for one in await self.report(events, **viewer)]

    async def one(self, label: str, **values: Any) -> dict[str, Any]:
        rows = await self.database.read(
            "MATCH (n:$($label)) WHERE all(k IN keys($v) WHERE n[k] = $v[k]) RETURN properties(n) AS p",
            label=label,
            v=values,
        )
        assert len(rows) == 1, rows
        return rows[0]["p"]

    async def count(self, label: str) -> int:
        rows = await self.database.read("MATCH (n:$($label)) RETURN count(n) AS count", label=label)
        return rows[0]["count"]

    async def graph(self) -> tuple[list[Any], list[Any]]:
        """All records and links, without generated ids and times of writing."""
        rows = await self.database.read(GRAPH)
        names = {row["id"]: _name(row) for row in rows}
        nodes = sorted((names[row["id"]], _told(row["properties"], names)) for row in rows)
        links = sorted(
            (names[row["id"]], kind, names[head], repr(sorted(facts.items())))
            for row in rows
            for kind, head, facts in row["links"]
        )
        return nodes, links

    async def layers(self) -> set[str]:
        """The evidence layers of all that is there, by the registry."""
        labels = await self.database.read("MATCH (n:Record) UNWIND labels(n) AS label RETURN DISTINCT label")
        links = await self.database.read(
            "MATCH (t:Record)-[r]->(:Record) UNWIND labels(t) AS tail RETURN DISTINCT type(r) AS type, tail"
        )
        named = {row["label"] for row in labels} & {*REGISTRY.types}
        linked = (REGISTRY.relation(row["type"], row["tail"]) for row in links)
        return {REGISTRY.types[one].layer.value for one in named} | {one.layer.value for one in linked if one}


def _told(properties: dict[str, Any], names: dict[str, str]) -> str:
    plain = {name: value for name, value in properties.items() if name not in GENERATED}
    about = names.get(properties.get("about_id", ""))
    return repr(sorted({**plain, "run": names.get(properties.get("run_id", "")), "about": about}.items(), key=str))


def _name(row: dict[str, Any]) -> str:
    values = row["properties"]
    keys = ("source", "source_key", "module_key", "activation_seq", "span_key", "idempotency_key", "gate_key")
    more = ("snapshot_key", "checkpoint_key", "session_key", "intervention_key", "native_key", "reason")
    return repr([sorted(row["labels"]), *(values.get(name) for name in (*keys, *more))])


@pytest.fixture
def executor(database: Database) -> Executor:
    return Executor(database, Reporting(database, REGISTRY, lambda _new: None))
