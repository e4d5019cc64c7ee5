"""Does the time of an answer tell a hidden record from one that is not there?

Each way of asking is asked in turns, now of a hidden record and now of a missing one, by somebody who may see neither.
The answers must be the same, byte for byte, apart from what was asked for and the request's id; their times must not
tell which was which.
"""

import re
import statistics
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, LiteralString

from graph_schema.registry import REGISTRY
from service.graph.database import Database
from service.graph.reads import cursors
from service.ids import new_id
from tests.api.marked import fitting
from tests.bench.client import Client, body_of
from tests.bench.measure import auroc
from tests.bench.report import Report
from tests.bench.setting import Setting
from tests.bench.world import ALL, FEW, row

SAMPLES = 100
"""Of each, hidden and missing: by chance alone a figure is beyond its bar once in four thousand times."""
WARM = 15
FARTHEST = 0.15
LINKED = 3
"""Records that the caller sees, with links to each of the hidden ones."""

SOURCE = "oracle"
OWN_GOAL, OWN_RUN, OWN_PACKET, MODULE = "goal_oracle", "run_oracle", "pack_oracle", "draft"
AT = "2026-01-01T00:00:00.000Z"
EACH_ITS_OWN = re.compile(rb'"(requestId|bookmark)":"[^"]*"')

CREATE: LiteralString = "UNWIND $rows AS row CREATE (n:$(row.labels)) SET n = row.values"
LINK: LiteralString = """
UNWIND $rows AS row
MATCH (tail:Record {id: row[0]})
MATCH (head:Record {id: row[2]})
CREATE (tail)-[:$(row[1])]->(head)
"""

Asked = Callable[[Client, str], Awaitable[bytes]]


@dataclass(frozen=True)
class Ids:
    """Of each label as many that are hidden as that are not there, made in turns: neither comes first in an order."""

    hidden: dict[str, list[str]]
    missing: dict[str, list[str]]

    @classmethod
    def made(cls, samples: int) -> "Ids":
        made = {label: [new_id(REGISTRY.types[label].prefix) for _ in range(2 * (WARM + samples))] for label in LABELS}
        return cls({label: ids[::2] for label, ids in made.items()}, {label: ids[1::2] for label, ids in made.items()})


@dataclass(frozen=True)
class Way:
    """One way of asking for records of a label, each by its id or by something that is made from it."""

    name: str
    label: str
    ask: Asked
    says: bytes = b'"code":"not_found"'
    """What is in the answer to both."""
    called: Callable[[str], str] = str

    def pairs(self, ids: Ids) -> list[tuple[str, str]]:
        """What is asked for: something hidden, and something missing."""
        return [
            (self.called(one), self.called(other))
            for one, other in zip(ids.hidden[self.label], ids.missing[self.label], strict=True)
        ]


async def measure(setting: Setting, report: Report) -> None:
    client = await Client.connect(setting.port, setting.narrow_key)
    async for way, times in sampled(setting.database, client, SAMPLES):
        found = auroc(times["hidden"], times["missing"])
        one, other = (statistics.median(times[name]) for name in ("hidden", "missing"))
        note = f"AUROC {found:.2f}; p50 {one:.2f} ms against {other:.2f} ms, {one / other:.2f} times"
        name = f"hidden or missing, by the time of {way.name}"
        report.add(name, abs(found - 0.5), "off a half", bar=FARTHEST, note=note)
    await client.close()


async def sampled(
    database: Database, client: Client, samples: int
) -> AsyncGenerator[tuple[Way, dict[str, list[float]]]]:
    """Each way with the times of its answers about hidden and about missing records."""
    ids = Ids.made(samples)
    await _plant(database, ids.hidden)
    for way in WAYS:
        yield way, await _times(client, way, ids)


async def _times(client: Client, way: Way, ids: Ids) -> dict[str, list[float]]:
    """Who comes first changes with every round, so that what one leaves behind falls on both."""
    times: dict[str, list[float]] = {"hidden": [], "missing": []}
    answers: set[bytes] = set()
    for number, pair in enumerate(way.pairs(ids)):
        for name, asked in [*zip(times, pair, strict=True)][:: 1 if number % 2 else -1]:
            started = time.perf_counter()
            answer = await way.ask(client, asked)
            if number >= WARM:
                times[name].append((time.perf_counter() - started) * 1_000)
            answers.add(EACH_ITS_OWN.sub(b"", answer).replace(asked.encode(), b""))
    [answer] = answers
    assert way.says in answer, answer
    return times


LINK_TO = f"""mutation ($id: ID!) {{
  linkRecords(tail: {{id: "{OWN_GOAL}"}}, type: "CONCERNS", head: {{id: $id}}) {{ commandId }} }}"""
SAVE = f"""mutation ($key: String!) {{
  saveEntity(input: {{name: "Mine", kind: document, source: "{SOURCE}", sourceKey: $key}}) {{ version }} }}"""
WHY = f"""query ($id: ID!) {{ whyExcluded(
  run: {{id: "{OWN_RUN}"}}, moduleKey: "{MODULE}", activationSeq: 1, record: {{id: $id}}) {{ sentence }} }}"""
EXPLAIN = 'query ($id: ID!) { explainMatch(request: {text: "Draft an answer"}, asset: {id: $id}) { outcome } }'
LINEAGE = "query ($id: ID!) { lineage(of: {id: $id}, direction: both) { nodes { id } } }"
DIFF = f'query ($id: ID!) {{ diffPackets(a: {{id: "{OWN_PACKET}"}}, b: {{id: $id}}) {{ identical }} }}'
FILTER = "query ($id: ID!) { goals(filter: {concerns: {id: {eq: $id}}}) { totalCount nodes { id } } }"
AFTER = "query ($cursor: String!) { goals(first: 5, after: $cursor) { nodes { id } pageInfo { hasPreviousPage } } }"


def _asking(query: str) -> Asked:
    return lambda client, asked: client.ask(body_of(query, {"id": asked}))


async def _saved(client: Client, key: str) -> bytes:
    return await client.ask(body_of(SAVE, {"key": key}))


async def _after(client: Client, cursor: str) -> bytes:
    return await client.ask(body_of(AFTER, {"cursor": cursor}))


async def _exported(client: Client, export: str) -> bytes:
    return await client.get(f"/v1/audits/{export}", client.authorized)


def _key(record_id: str) -> str:
    """What the outside calls a record."""
    return f"key of {record_id}"


def _cursor(goal: str) -> str:
    return cursors.encode("created_at", AT, goal, None)


WAYS = (
    Way("node", "Entity", _asking("query ($id: ID!) { node(id: $id) { id name } }"), b'{"node":null}'),
    Way("linkRecords", "Entity", _asking(LINK_TO)),
    Way("saveEntity", "Entity", _saved, b'{"version":1}', _key),
    Way("whyExcluded", "Entity", _asking(WHY)),
    Way("explainMatch", "Template", _asking(EXPLAIN)),
    Way("lineage", "Artifact", _asking(LINEAGE)),
    Way("diffPackets", "ContextPacket", _asking(DIFF)),
    Way("a filter through a relation", "Entity", _asking(FILTER), b'{"totalCount":0,"nodes":[]}'),
    Way("an order with a cursor", "Goal", _after, b'{"hasPreviousPage":true}', _cursor),
    Way("GET /v1/audits/{id}", "AuditExport", _exported),
)
LABELS = sorted({one.label for one in WAYS})


async def _plant(database: Database, hidden: dict[str, list[str]]) -> None:
    """Hidden records as they are found in use, with links from and to what the caller sees."""
    rows = [_row(label, one, ALL, number) for label, ids in hidden.items() for number, one in enumerate(ids)]
    goals = [f"goal_oracle{number}" for number in range(LINKED)]
    rows += [_row("Goal", one, FEW, number) for number, one in enumerate((OWN_GOAL, *goals))]
    rows.append(_row("Run", OWN_RUN, FEW, 0))
    rows.append(_row("ContextPacket", OWN_PACKET, FEW, 0, run_id=OWN_RUN, module_key=MODULE, activation_seq=1))
    await database.run_alone(CREATE, rows=rows)
    links = [(goal, "CONCERNS", one) for goal in goals for one in hidden["Entity"]]
    links += [(OWN_PACKET, "EXCLUDED", one) for one in hidden["Entity"]]
    links += [(packet, "INJECTED", goal) for packet in hidden["ContextPacket"] for goal in goals]
    links += [*((one, "DERIVED_FROM", other) for one, other in pairwise(hidden["Artifact"]))]
    await database.run_alone(LINK, rows=[*map(list, links)])
    await database.run_alone("CALL db.prepareForReplanning()")


def _row(label: str, record_id: str, matter: str, number: int, **values: Any) -> dict[str, Any]:
    kind = REGISTRY.types[label]
    needed = {name: fitting(one, number) for name, one in kind.fields.items() if one.required and name not in _SHARED}
    named = {"source": SOURCE, "source_key": _key(record_id), "realm": ""} if label == "Entity" else {}
    made = row(label, record_id, matter, **{**needed, **named, **values})["values"]
    return {"labels": kind.model.labels(made), "values": made}


_SHARED = frozenset({"id", "name", "created_at", "updated_at", "audience", "own_data_class"})
"""What `row` says of every record."""
