"""One principal's worst beside another's plain read: the second should hardly notice.

The worst that is allowed is sent over four connections, again and again for some seconds: documents at the limit of
cost, many matches or lineages in one document, matches of the longest texts, packets of thousands of candidates, new
documents about the schema, filters as wide as they may be, reports of 500 events, commands while as many subscriptions
are open as one principal may have. How much memory the service takes is told before and after.
"""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import reduce

import orjson
import psutil
from graphql import get_introspection_query

from service.access.turns import MOST_STREAMS
from service.matching.request import LONGEST
from service.memory.reporting.http import EVENTS, LINES
from service.runtime.runtime import load_embedder
from service.seeding import seed
from service.settings import load_settings
from tests.bench import context
from tests.bench.client import Client, body_of
from tests.bench.commands import SAVE
from tests.bench.measure import Until, Work, for_seconds, timed, timing
from tests.bench.report import Report
from tests.bench.reporting import batch
from tests.bench.runs import DEEP, DEEP_LEVELS
from tests.bench.setting import Setting

CONNECTIONS = 4
ROUNDS = 3
WARM_SECONDS = 5.0
ALONE_SECONDS = 3.0
BESIDE_SECONDS = 6.0
MOST = 3.0
MOST_MEMORY_MB = 700.0
"""Beyond what the idle service has: caches have bounds of 64 MB each, and what is freed is given back late."""

SUBSCRIPTIONS = f"commands under {MOST_STREAMS} subscriptions"

MATCHES, LINEAGES = 40, 50
"""Times that one document asks. Fifty matches would be beyond the limit of cost."""

READ = body_of("{ entities(first: 10) { nodes { id name createdAt } } }")
DEEPLY = body_of(
    "{ runs(first: 1000) { nodes { id activated(first: 10) { nodes { id produced(first: 20) { nodes { id } } } } } } }"
)
LINEAGE = f'lineage(of: {{id: "{DEEP}"}}, depth: {DEEP_LEVELS}, maxNodes: 2400) {{ nodes {{ id }} }}'
MATCH = "matchTemplates(request: {text: $t#}) { outcome confidence }"

LONG_TEXTS = f"({' '.join(f'$t{place}: String!' for place in range(MATCHES))})"
EVENTS_SINCE_NOW = body_of("subscription { events { eventId kind } }")

# Tests of a filter that nothing passes, nearly as many as may differ: 96 of 100, those of a relation counted twice.
PATHS = ((), ("producedBy",))
FIELDS = ("source", "sourceKey", "runId", "moduleKey")
OPERATORS = {
    "contains": "§",
    "startsWith": "§",
    "eq": "§",
    "in": ["§"],
    "gt": "§",
    "gte": "§",
    "lt": "",
    "lte": "",
}

NUMBERS = itertools.count(1_000_000)
"""For what must be new each time. Other parts count from 0."""

Send = Callable[[Client, int], Awaitable[bytes]]


async def measure(setting: Setting, report: Report) -> None:
    await seed(setting.database, lambda _line: None)
    await context.grow(setting, await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None))
    service = psutil.Process(setting.pid)
    before = service.memory_info().rss / 1e6
    neighbour = await Client.connect(setting.port, setting.narrow_key)
    clients = [await Client.connect(setting.port, setting.key) for _ in range(CONNECTIONS)]
    alone: list[float] = []
    beside: dict[str, list[float]] = {name: [] for name in WORST}
    await timed(_plain(neighbour), for_seconds(WARM_SECONDS))
    for _, (name, send) in itertools.product(range(ROUNDS), WORST.items()):
        alone += await timed(_plain(neighbour), for_seconds(ALONE_SECONDS))
        beside[name] += await _beside(_plain(neighbour), clients, send)
    async with _subscribed(setting):
        beside[SUBSCRIPTIONS] = await _beside(_plain(neighbour), clients, _saved)
    usual = timing(alone)
    for name, times in beside.items():
        found = timing(times)
        note = (
            f"p50 {found.p50_ms:.2f} ms against {usual.p50_ms:.2f}, p95 {found.p95_ms:.2f} against {usual.p95_ms:.2f}"
        )
        report.add(f"a plain read beside {name}", found.p50_ms / usual.p50_ms, "of that alone", bar=MOST, note=note)
    for client in (neighbour, *clients):
        await client.close()
    grown = service.memory_info().rss / 1e6 - before
    note = f"{before + grown:.0f} MB after all of it, {before:.0f} before"
    report.add("memory that the worst leaves behind", grown, "MB", bar=MOST_MEMORY_MB, note=note)


@asynccontextmanager
async def _subscribed(setting: Setting) -> AsyncGenerator[None]:
    """As many subscriptions as one principal may have, each on a connection of its own; what comes is thrown away."""
    clients = [Client(setting.port, setting.key) for _ in range(MOST_STREAMS)]
    reading = [asyncio.create_task(one.listen(EVENTS_SINCE_NOW)) for one in clients]
    try:
        yield
        assert not any(task.done() for task in reading), "a subscription has ended"
    finally:
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        for client in clients:
            await client.close()


def _plain(neighbour: Client) -> Work:
    return lambda: neighbour.ask(READ)


async def _beside(read: Work, clients: list[Client], send: Send) -> list[float]:
    """The times of the read while all clients keep on sending. What was sent last is waited for, and counts."""
    sending = asyncio.gather(*(_keep_on(client, send, for_seconds(BESIDE_SECONDS)) for client in clients))
    times = await timed(read, sending.done)
    await sending
    return times


async def _keep_on(client: Client, send: Send, until: Until) -> None:
    while not until():
        answer = await send(client, next(NUMBERS))
        assert not answer.startswith(b'{"errors"') or b'"query_timed_out"' in answer, answer[:1_000]


def _repeated(field: str, times: int, declared: str = "") -> str:
    """A document that asks for a field so many times; `#` in it is the place."""
    asked = " ".join(f"a{place}: {field}".replace("#", str(place)) for place in range(times))
    return f"query {declared} {{ {asked} }}"


def _matches(number: int) -> bytes:
    """Of other texts each time: what was embedded before is known."""
    texts = {f"t{place}": f"Draft answer {number}.{place} to the complaint" for place in range(MATCHES)}
    return body_of(_repeated(MATCH, MATCHES, f"({' '.join(f'${name}: String!' for name in texts)})"), texts)


def _wide() -> bytes:
    tests = [
        reduce(lambda inner, name: {name: inner}, path, {field: {operator: value}})
        for path, field, (operator, value) in itertools.product(PATHS, FIELDS, OPERATORS.items())
    ]
    query = "query ($filter: ArtifactFilter!) { artifacts(first: 1000, filter: $filter) { totalCount nodes { id } } }"
    return body_of(query, {"filter": {"or": tests}})


def _asking(body: bytes) -> Send:
    return lambda client, _number: client.ask(body)


async def _matched(client: Client, number: int) -> bytes:
    return await client.ask(_matches(number))


async def _saved(client: Client, number: int) -> bytes:
    return await client.ask(body_of(SAVE, {"n": f"Neighbour {number}"}))


async def _matched_long(client: Client, number: int) -> bytes:
    text = f"{number} " + "Draft an answer to the complaint about the lease. " * LONGEST
    return await client.ask(body_of(_repeated(MATCH, MATCHES, LONG_TEXTS), _long_texts(text)))


def _long_texts(text: str) -> dict[str, str]:
    return {f"t{place}": f"{place} {text}"[:LONGEST] for place in range(MATCHES)}


async def _packet(client: Client, number: int) -> bytes:
    given = {"run": {"id": context.RUNS[number % len(context.RUNS)]}, "moduleKey": context.MODULE}
    given |= {"activationSeq": number, "config": {"instruction": context.INSTRUCTION}, "maxTokens": 1_000_000}
    return await client.ask(body_of(context.MUTATION, {"input": given}))


async def _introspected(client: Client, number: int) -> bytes:
    """Under a new name each time, so that no answer is known."""
    return await client.ask(body_of(get_introspection_query().replace("IntrospectionQuery", f"Introspection{number}")))


async def _reported(client: Client, number: int) -> bytes:
    return await client.post(EVENTS, b"\n".join(orjson.dumps(one) for one in batch(number)), LINES)


WORST: dict[str, Send] = {
    "documents at the limit of cost": _asking(DEEPLY),
    f"{MATCHES} matches in a document": _matched,
    f"{LINEAGES} lineages in a document": _asking(body_of(_repeated(LINEAGE, LINEAGES))),
    "filters as wide as may be": _asking(_wide()),
    "reports of 500 events": _reported,
    f"{MATCHES} matches of the longest texts": _matched_long,
    f"packets of {context.CANDIDATES:,} candidates": _packet,
    "new documents about the schema": _introspected,
}
