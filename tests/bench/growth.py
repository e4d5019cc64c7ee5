"""Extremes: much of one thing, asked beside little of it in the same graph and in turns.

The ratios say which figures grow with a template's runs, a matter's records, a record's matters, a viewer's audiences.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, LiteralString

import orjson

from service.access.audience import audience_of
from service.graph.database import Database
from tests.bench.client import Client, body_of
from tests.bench.measure import Work, in_turns
from tests.bench.report import Report
from tests.bench.runs import POLICY
from tests.bench.setting import Setting, new_key
from tests.bench.world import ALL, row

ROUNDS = 60
FEW = 20
"""How much there is of a thing where there is little."""
MANY_RUNS = 40_000
MANY_RECORDS = 1_000_000
MANY_MATTERS = 1_000
MANY_AUDIENCES = 5_000
GOALS_EACH = 20
"""In each matter of whoever has many."""

# Made by the database itself, which takes seconds where rows from here take minutes.
GOALS: LiteralString = """
UNWIND range(0, $size - 1) AS number
CALL (number) {
  WITH $matter + toString(number / $each) AS matter,
    toString(datetime({epochMillis: 1767225600001 + number * 1000})) AS at
  CREATE (n:Goal:Record)
  SET n = $values
  SET n.id = 'goal_' + $matter + toString(number), n.name = 'Goal ' + toString(number),
    n.matter_ids = [matter], n.own_matter_ids = [matter], n.audience = 'internal|' + matter,
    n.created_at = at, n.updated_at = at
} IN TRANSACTIONS OF 10000 ROWS
"""
RUNS: LiteralString = """
UNWIND range(0, $size - 1) AS number
CALL (number) {
  WITH toString(datetime({epochMillis: 1767225600001 + number * 1000})) AS at
  CREATE (n:Run:Record)
  SET n = $values
  SET n.id = 'run_' + $template + toString(number), n.source_key = n.id, n.name = n.id, n.template_key = $template,
    n.created_at = at, n.updated_at = at, n.started_at = at
} IN TRANSACTIONS OF 10000 ROWS
"""
MATTERS: LiteralString = """
UNWIND range(0, $size - 1) AS number
CALL (number) {
  WITH $matter + toString(number) AS id
  CREATE (n:Entity:Matter:Record)
  SET n = $values
  SET n.id = id, n.name = id
  MERGE (a:Audience {audience: 'internal|' + id})
  SET a.data_class = 'internal', a.rank = 1, a.matter_ids = [id]
} IN TRANSACTIONS OF 10000 ROWS
"""
AUDIENCE: LiteralString = """
MERGE (a:Audience {audience: $audience})
SET a.data_class = 'internal', a.rank = 1, a.matter_ids = $matters
"""
WIDE: LiteralString = "CREATE (n:Goal:Record) SET n = $values"

PAGE = "{ goals(first: 50) { nodes { id name createdAt } } }"
COUNT = "{ goals(first: 1) { totalCount } }"
HISTORY = """query ($k: String!) { taskHistory(filter: {templates: [{source: "bench", key: $k}]}, first: 20) {
  nodes { id name status } } }"""
STATISTICS = """query ($k: String!) {
  operationalStatistics(of: {kind: "Template", source: "bench", key: $k}) { runCount p50DurationMs } }"""
NODE = "query ($id: ID!) { node(id: $id) { id ... on Goal { name goalStatement } } }"
EVENTS = "{ events(first: 50) { nodes { cursor kind } } }"
SAVE = """mutation ($id: ID!, $n: String!) { saveGoal(input: {id: $id, goalStatement: $n}) { version } }"""
TEMPLATE = 'mutation ($k: String!) { saveTemplate(input: {name: $k, source: "bench", sourceKey: $k}) { recordId } }'


@dataclass(frozen=True)
class Asked:
    """One question, and with what it is asked of little and of much."""

    what: str
    query: str
    little: dict[str, Any] = field(default_factory=dict[str, Any])
    much: dict[str, Any] = field(default_factory=dict[str, Any])
    bar: float | None = 1.5
    """None: it looks at all that there is, and may grow with it."""


@dataclass(frozen=True)
class Keys:
    little: str
    much: str


async def measure(_setting: Setting, _report: Report) -> None:
    """There is nothing to say of little alone."""


async def measure_growth(setting: Setting, report: Report, _small: None) -> None:
    for extreme in EXTREMES:
        await extreme(setting, report)


async def _runs_of_a_template(setting: Setting, report: Report) -> None:
    client = await Client.connect(setting.port, setting.key)
    values = row("Run", "x", ALL, status="completed", source="bench", **POLICY)["values"]
    for template, size in (("growth_few", FEW), ("growth_many", MANY_RUNS)):
        await _answered(client, TEMPLATE, k=template)
        await setting.database.run_alone(RUNS, template=template, size=size, values=values)
    await client.close()
    few, many = {"k": "growth_few"}, {"k": "growth_many"}
    questions = (
        Asked("first page of its runs", HISTORY, few, many),
        Asked("its statistics", STATISTICS, few, many, bar=None),
    )
    both = Keys(setting.key, setting.key)
    await _compare(setting, report, f"a template with {MANY_RUNS:,} runs", questions, both)


async def _records_of_a_matter(setting: Setting, report: Report) -> None:
    little = await _member(setting, "ent_gfew", 1, GOALS_EACH * 50)
    much = await _member(setting, "ent_gmany", 1, MANY_RECORDS)
    questions = (Asked("first page", PAGE), Asked("all counted", COUNT, bar=None))
    await _compare(setting, report, f"a matter with {MANY_RECORDS:,} records", questions, Keys(little, much))


async def _matters_of_a_record(setting: Setting, report: Report) -> None:
    numbers = count()
    await _matters(setting.database, "ent_gshared", MANY_MATTERS)
    for name, size in (("few", 1), ("many", MANY_MATTERS)):
        matters = [f"ent_gshared{number}" for number in range(size)]
        audience = audience_of("internal", matters)
        goal = row("Goal", f"goal_gshared{name}", ALL, goal_type="task_outcome_goal", goal_statement="Be quick.")
        access = {"matter_ids": matters, "own_matter_ids": matters, "audience": audience}
        await setting.database.run_alone(AUDIENCE, audience=audience, matters=matters)
        await setting.database.run_alone(WIDE, values={**goal["values"], **access})
    few, many = {"id": "goal_gsharedfew"}, {"id": "goal_gsharedmany"}
    both = Keys(setting.key, setting.key)
    what = f"a record in {MANY_MATTERS:,} matters"
    await _compare(setting, report, what, (Asked("read by its id", NODE, few, many),), both)
    changed = Asked("changed", SAVE, few, many, bar=2.0)
    await _compare(setting, report, what, (changed,), both, more=lambda: {"n": f"Be quick {next(numbers)}."})


async def _audiences_of_a_viewer(setting: Setting, report: Report) -> None:
    little = await _member(setting, "ent_gone", 5, 5 * GOALS_EACH)
    much = await _member(setting, "ent_gall", MANY_AUDIENCES, MANY_AUDIENCES * GOALS_EACH)
    few, many = {"id": "goal_ent_gone7"}, {"id": "goal_ent_gall7"}
    questions = (
        Asked("one record", NODE, few, many, bar=None),
        Asked("first page", PAGE, bar=None),
        Asked("events", EVENTS, bar=None),
    )
    what = f"a viewer with {MANY_AUDIENCES:,} audiences"
    await _compare(setting, report, what, questions, Keys(little, much))


EXTREMES: tuple[Callable[[Setting, Report], Awaitable[None]], ...] = (
    _runs_of_a_template,
    _records_of_a_matter,
    _matters_of_a_record,
    _audiences_of_a_viewer,
)


async def _member(setting: Setting, prefix: str, matters: int, goals: int) -> str:
    """The key of somebody who sees these matters alone, each with as many goals."""
    await _matters(setting.database, prefix, matters)
    values = row("Goal", "x", ALL, goal_type="task_outcome_goal", goal_statement="Be quick.")["values"]
    each = -(-goals // matters)
    await setting.database.run_alone(GOALS, matter=prefix, size=goals, each=each, values=values)
    await setting.database.run_alone("CALL db.awaitIndexes(600)")
    await setting.database.run_alone("CALL db.prepareForReplanning()")
    return await new_key(setting.database, prefix, matter_ids=[f"{prefix}{one}" for one in range(matters)])


async def _matters(database: Database, prefix: str, size: int) -> None:
    values = row("Entity", "x", ALL, kind="matter")["values"]
    await database.run_alone(MATTERS, matter=prefix, size=size, values=values)


async def _compare(
    setting: Setting,
    report: Report,
    extreme: str,
    questions: tuple[Asked, ...],
    keys: Keys,
    *,
    more: Callable[[], dict[str, Any]] = dict,
) -> None:
    for asked in questions:
        clients = [await Client.connect(setting.port, one) for one in (keys.little, keys.much)]
        works = {
            "little": await _asking(clients[0], asked.query, asked.little, more),
            "much": await _asking(clients[1], asked.query, asked.much, more),
        }
        times = await in_turns(works, rounds=ROUNDS, warm=10)
        for client in clients:
            await client.close()
        note = f"p50 {times['much'].p50_ms:.2f} ms against {times['little'].p50_ms:.2f} ms"
        ratio = times["much"].p50_ms / times["little"].p50_ms
        report.add(f"{extreme}: {asked.what}", ratio, "of little", bar=asked.bar, note=note)


async def _asking(client: Client, query: str, given: dict[str, Any], more: Callable[[], dict[str, Any]]) -> Work:
    await _answered(client, query, **given, **more())
    return lambda: client.ask(body_of(query, {**given, **more()}))


async def _answered(client: Client, query: str, **variables: Any) -> None:
    answer = orjson.loads(await client.ask(body_of(query, variables)))
    assert "errors" not in answer, answer
