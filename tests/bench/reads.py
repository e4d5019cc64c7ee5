"""Reads through HTTP against the same Cypher by the bare driver: one statement, auto-commit, one row."""

import re
from dataclasses import dataclass
from typing import Any

import neo4j
import orjson

from resolvers.engine.context import Context
from resolvers.schema import build_schema
from tests.bench.client import Client, body_of
from tests.bench.measure import Timing, Work, in_turns, throughputs
from tests.bench.report import Report
from tests.bench.setting import Setting

CLIENTS = 8
SECONDS = 4.0


@dataclass(frozen=True)
class Read:
    name: str
    query: str
    bar: float
    rounds: int


READS = (
    Read(
        "one record, two relations",
        """{ node(id: "ent_b7") { ... on Entity { id name summary
          hasGoal(first: 10) { nodes { id name } } partOf(first: 10) { nodes { id name } } } } }""",
        1.5,
        400,
    ),
    Read(
        "50 records, three levels",
        """{ entities(first: 50) { nodes { id name hasGoal(first: 10) { nodes { id name goalType
          constrainedBy(first: 2) { nodes { id name statement } } } } } } }""",
        1.3,
        80,
    ),
    Read("1,000 flat records", "{ goals(first: 1000) { nodes { id name goalType createdAt version } } }", 1.3, 80),
)
LIST = "{{ {plural}(first: 50) {{ nodes {{ id name createdAt }} }} }}"


@dataclass(frozen=True)
class Statement:
    """What the service sends to the database for a document."""

    text: Any
    parameters: dict[str, Any]

    def without_firewall(self) -> "Statement":
        return Statement(_let_all_pass(self.text), self.parameters)


async def statement_of(setting: Setting, query: str, key: str) -> Statement:
    """Catch the compiled statement on its way to the database."""
    caught: list[Statement] = []

    class Catching:
        async def read_value(self, text: Any, parameters: dict[str, Any]) -> Any:
            caught.append(Statement(text, parameters))
            return await setting.database.read_value(text, parameters)

    catching: Any = Catching()
    context = Context(viewer=await setting.viewer(key), database=catching, request_id="bench")
    result = await build_schema().execute(query, {}, context)
    assert not result.errors, result.errors
    return caught[0]


def bare(setting: Setting, statement: Statement) -> Work:
    async def work() -> Any:
        async with setting.driver.session(default_access_mode=neo4j.READ_ACCESS) as session:  # pyright: ignore[reportUnknownMemberType]
            result = await session.run(statement.text, statement.parameters)
            return (await result.fetch(1))[0].value()

    return work


async def asking(setting: Setting, query: str, key: str) -> Work:
    client = await Client.connect(setting.port, key)
    body = body_of(query)
    answer = orjson.loads(await client.ask(body))
    assert "errors" not in answer, answer
    return lambda: client.ask(body)


async def measure(setting: Setting, report: Report) -> dict[str, Timing]:
    timings: dict[str, Timing] = {}
    for read in READS:
        statement = await statement_of(setting, read.query, setting.key)
        works = {
            "floor": bare(setting, statement),
            "service": await asking(setting, read.query, setting.key),
            "open": bare(setting, statement.without_firewall()),
        }
        times = await in_turns(works, rounds=read.rounds)
        timings[read.name] = times["service"]
        note = f"p50 {times['service'].p50_ms:.2f} ms against {times['floor'].p50_ms:.2f} ms"
        report.add(read.name, times["service"].p50_ms / times["floor"].p50_ms, "of the floor", bar=read.bar, note=note)
        firewall = times["floor"].p50_ms / times["open"].p50_ms
        report.add(f"{read.name}: firewall", firewall, "of none", bar=1.25)
        await _measure_many(setting, report, read, statement)
    await _measure_narrow(setting, report)
    return timings


async def _measure_many(setting: Setting, report: Report, read: Read, statement: Statement) -> None:
    works = {
        "floor": [bare(setting, statement) for _ in range(CLIENTS)],
        "service": [await asking(setting, read.query, setting.key) for _ in range(CLIENTS)],
    }
    rates = await throughputs(works, SECONDS)
    note = f"{rates['service']:.0f} a second against {rates['floor']:.0f}"
    ratio = rates["service"] / rates["floor"]
    report.add(f"{read.name}: 8 clients", ratio, "of the floor", bar=0.6, at_least=True, note=note)


async def _measure_narrow(setting: Setting, report: Report) -> None:
    """A list of which the viewer sees one in a hundred, against a list of as many that they see whole."""
    works = {
        name: await asking(setting, LIST.format(plural=name), setting.narrow_key) for name in ("goals", "restrictions")
    }
    times = await in_turns(works, rounds=200)
    ratio = times["goals"].p50_ms / times["restrictions"].p50_ms
    report.add("a list seen to one per cent", ratio, "of that alone", bar=2.0)


async def measure_growth(setting: Setting, report: Report, small: dict[str, Timing]) -> None:
    for read in READS:
        times = await in_turns({"service": await asking(setting, read.query, setting.key)}, rounds=read.rounds)
        ratio = times["service"].p50_ms / small[read.name].p50_ms
        report.add(f"{read.name}: ten times the world", ratio, "of the small", bar=1.2)


def _let_all_pass(text: str) -> str:
    return re.sub(r"[`\w]+\.audience IN \$audiences", "true", text)
