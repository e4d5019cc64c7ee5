"""Lineage of depth 10 over a thousand records, through HTTP, against its own statements by the bare driver."""

from collections.abc import Callable
from typing import Any

import neo4j
import orjson

from graph_schema.registry import REGISTRY
from service.commands import RecordRef
from service.memory.lineage import LineageRequest, Lineages
from tests.bench.client import Client, body_of
from tests.bench.measure import Timing, Work, in_turns
from tests.bench.report import Report
from tests.bench.runs import DEEP, DEEP_LEVELS
from tests.bench.setting import Setting

MOST_NODES = 2_000
ROUNDS = 60
NAME = "lineage of a thousand records"
QUERY = f"""{{ lineage(of: {{id: "{DEEP}"}}, depth: {DEEP_LEVELS}, maxNodes: {MOST_NODES}) {{
  nodes {{ id kind name depth path {{ to type sentence }} }} edges {{ from to type reason layer }}
  groups {{ of count }} truncated cuts {{ reason message }} evidence {{ note }} }} }}"""

Statement = tuple[Any, dict[str, Any]]


async def measure(setting: Setting, report: Report) -> Timing:
    statements = await _statements(setting)
    works = {"floor": _bare(setting, statements), "service": await _asking(setting)}
    times = await in_turns(works, rounds=ROUNDS, warm=15)
    note = (
        f"p50 {times['service'].p50_ms:.1f} ms against {times['floor'].p50_ms:.1f} ms of {len(statements)} statements"
    )
    report.add(NAME, times["service"].p50_ms / times["floor"].p50_ms, "of the floor", bar=2.0, note=note)
    return times["service"]


async def measure_growth(setting: Setting, report: Report, small: Timing) -> None:
    times = await in_turns({"service": await _asking(setting)}, rounds=ROUNDS, warm=15)
    ratio = times["service"].p50_ms / small.p50_ms
    note = f"p50 {times['service'].p50_ms:.1f} ms against {small.p50_ms:.1f} ms"
    report.add(f"{NAME}: ten times the world", ratio, "of the small", bar=1.2, note=note)


async def _statements(setting: Setting) -> list[Statement]:
    """Catch what the service sends to the database."""
    caught: list[Statement] = []

    def catching(read: Callable[..., Any]) -> Callable[..., Any]:
        async def caught_read(text: Any, **parameters: Any) -> Any:
            caught.append((text, parameters))
            return await read(text, **parameters)

        return caught_read

    class Catching:
        read = staticmethod(catching(setting.database.read))
        read_one = staticmethod(catching(setting.database.read_one))

    database: Any = Catching()
    request = LineageRequest(RecordRef(id=DEEP), depth=DEEP_LEVELS, max_nodes=MOST_NODES)
    await Lineages(database, REGISTRY).lineage(await setting.viewer(setting.key), request)
    return caught


def _bare(setting: Setting, statements: list[Statement]) -> Work:
    async def work() -> None:
        for text, parameters in statements:
            async with setting.driver.session(default_access_mode=neo4j.READ_ACCESS) as session:  # pyright: ignore[reportUnknownMemberType]
                await (await session.run(text, parameters)).fetch(1)

    return work


async def _asking(setting: Setting) -> Work:
    client = await Client.connect(setting.port, setting.key)
    body = body_of(QUERY)
    answer = orjson.loads(await client.ask(body))
    assert "errors" not in answer, answer
    found = answer["data"]["lineage"]
    assert len(found["nodes"]) > 1_000 - 10, len(found["nodes"])
    assert (found["truncated"], found["nodes"][-1]["depth"]) == (False, DEEP_LEVELS), found["cuts"]
    return lambda: client.ask(body)
