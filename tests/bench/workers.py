"""Throughput of services with one, two and four processes on one database, in turns with the bare driver.

As many connections go to each process, as a proxy would deal them out: the kernel deals them by chance. The processor
time of a request is that of the service's processes, and beside it that of the database.
"""

import asyncio
import itertools
import statistics
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
import psutil

from embeddings import Embedder
from service.memory.reporting.commands import MOST_EVENTS
from service.memory.reporting.http import EVENTS, LINES
from service.runtime.runtime import load_embedder
from service.settings import load_settings
from tests.bench import context, matching, reads, reporting
from tests.bench.client import Client, body_of
from tests.bench.measure import Work, throughputs
from tests.bench.report import Report
from tests.bench.setting import READY_SECONDS, TASKLORE, Setting
from tests.ports import free_port

COUNTS = (1, 2, 4)
CLIENTS = 8
TEMPLATES = 1_000
ROUNDS = 2
SECONDS = {"reads": 3.0, "matches": 4.0, "packets": 10.0, "reports": 6.0}
BAR = 1.15
BARE = "bare driver"
NUMBERS = itertools.count(2_000_000)
"""For what must be new each time. Other parts count from elsewhere."""

Kind = Callable[[Client, int], Work]
"""From a connection, and its place among all, to what it asks over and over."""


@dataclass(frozen=True)
class Served:
    """A service with so many processes, and connections that are dealt out evenly to them."""

    processes: Sequence[psutil.Process]
    clients: Sequence[Client]

    def works(self, kind: Kind) -> list[Work]:
        return [kind(client, place) for place, client in enumerate(self.clients)]

    def cpu_seconds(self) -> float:
        return _cpu(self.processes)


@dataclass
class Found:
    """What one service did of one kind of work, a value for each turn."""

    rates: list[float] = field(default_factory=list[float])
    own_ms: list[float] = field(default_factory=list[float])
    database_ms: list[float] = field(default_factory=list[float])

    @property
    def rate(self) -> float:
        return statistics.mean(self.rates)

    def told(self) -> str:
        own, database = statistics.mean(self.own_ms), statistics.mean(self.database_ms)
        return f"{self.rate:,.1f} a second, {own:.2f} ms of processor each and {database:.2f} of the database's"


async def measure(setting: Setting, report: Report) -> None:
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    await matching.grow_to(setting, embedder, TEMPLATES)
    await context.grow(setting, embedder)
    floors = await _floors(setting, embedder)
    async with AsyncExitStack() as stack:
        served = {count: await stack.enter_async_context(_served(setting, count)) for count in COUNTS}
        for name, kind in KINDS.items():
            works = {str(count): one.works(kind) for count, one in served.items()} | {BARE: floors[name]}
            cpu = {str(count): one.cpu_seconds for count, one in served.items()}
            _tell(report, name, await _in_turns(works, cpu, SECONDS[name]))


def _tell(report: Report, name: str, found: Mapping[str, Found]) -> None:
    bare, one = found[BARE], found["1"]
    each = f" of {MOST_EVENTS} events" if name == "reports" else ""
    report.add(
        f"{name}{each}: 1 process", one.rate / bare.rate, "of the floor", note=f"{one.told()}; bare {bare.told()}"
    )
    for count in COUNTS[1:]:
        several = found[str(count)]
        bar: dict[str, Any] = {"bar": BAR, "at_least": True} if count == 2 else {}
        ratio = several.rate / one.rate
        report.add(f"{name}{each}: {count} processes", ratio, "of one", note=several.told(), **bar)


async def _in_turns(
    works: Mapping[str, list[Work]], cpu: Mapping[str, Callable[[], float]], seconds: float
) -> dict[str, Found]:
    """The first turn is for plans and caches."""
    found: defaultdict[str, Found] = defaultdict(Found)
    database = _databases()
    for turn, (name, together) in itertools.product(range(ROUNDS + 1), works.items()):
        own, of_database = cpu.get(name, lambda: 0.0), _cpu(database)
        before = own()
        rate = (await throughputs({name: together}, seconds))[name]
        if turn:
            done = max(rate * seconds, 1.0)
            found[name].rates.append(rate)
            found[name].own_ms.append((own() - before) * 1_000 / done)
            found[name].database_ms.append((_cpu(database) - of_database) * 1_000 / done)
    return found


def _read(client: Client, _place: int) -> Work:
    body = body_of(reads.READS[1].query)
    return lambda: _good(client.ask(body))


def _match(client: Client, _place: int) -> Work:
    return lambda: _good(client.ask(body_of(matching.QUERY, {"text": matching.request_text(next(NUMBERS))})))


def _packet(client: Client, place: int) -> Work:
    """Each connection is an executor with a run of its own."""
    given = {"run": {"id": context.RUNS[place]}, "moduleKey": context.MODULE, "maxTokens": 1_000_000}
    given["config"] = {"instruction": context.INSTRUCTION}
    return lambda: _good(client.ask(body_of(context.MUTATION, {"input": {**given, "activationSeq": next(NUMBERS)}})))


def _report(client: Client, _place: int) -> Work:
    return lambda: _good(client.post(EVENTS, _lines(reporting.batch(next(NUMBERS))), LINES))


KINDS: dict[str, Kind] = {"reads": _read, "matches": _match, "packets": _packet, "reports": _report}


def _lines(events: Sequence[Any]) -> bytes:
    return b"\n".join(orjson.dumps(one) for one in events)


async def _good(answer: Awaitable[bytes]) -> None:
    found = await answer
    assert not found.startswith(b'{"errors"'), found[:1_000]
    assert b'"rejected"' not in found, found[:1_000]


async def _floors(setting: Setting, embedder: Embedder) -> dict[str, list[Work]]:
    statement = await reads.statement_of(setting, reads.READS[1].query, setting.key)
    world = context.World(embedder, NUMBERS)
    viewer = await setting.viewer(setting.key)

    async def report() -> None:
        await reporting.bare_write(setting.database, reporting.rows_of(viewer, reporting.batch(next(NUMBERS))))

    return {
        "reads": [reads.bare(setting, statement) for _ in range(CLIENTS)],
        "matches": [matching.floor(setting, embedder) for _ in range(CLIENTS)],
        "packets": [await context.bare_packet(setting, world, run) for run in context.RUNS[:CLIENTS]],
        "reports": [report for _ in range(CLIENTS)],
    }


@asynccontextmanager
async def _served(setting: Setting, count: int) -> AsyncGenerator[Served]:
    port = free_port()
    environment = {**setting.environment, "TASKLORE_WORKERS": str(count), "TASKLORE_PLAN_AHEAD": "false"}
    process = await asyncio.create_subprocess_exec(
        *(TASKLORE, "serve", "--json", "--port", str(port)), env=environment, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(READY_SECONDS):
            assert process.stdout
            assert await process.stdout.readline(), "it did not start"
        parent = psutil.Process(process.pid)
        processes = parent.children() or [parent]
        clients = await _dealt(port, setting.key, processes)
        yield Served(processes, clients)
        for client in clients:
            await client.close()
    finally:
        process.terminate()
        await process.wait()


async def _dealt(port: int, key: str, processes: Sequence[psutil.Process]) -> list[Client]:
    """Connections, as many to each process."""
    share = CLIENTS // len(processes)
    held: Counter[int] = Counter()
    clients: list[Client] = []
    while len(clients) < CLIENTS:
        client = await Client.connect(port, key)
        await client.get("/health/live")
        pid = _holder(processes, client.local_port)
        if held[pid] < share:
            held[pid] += 1
            clients.append(client)
        else:
            await client.close()
    return clients


def _holder(processes: Sequence[psutil.Process], port: int) -> int:
    for process in processes:
        if any(one.raddr and one.raddr.port == port for one in process.net_connections("inet")):
            return process.pid
    raise AssertionError("nobody holds the connection")


def _databases() -> list[psutil.Process]:
    """The server is a child of whoever measures."""
    return [one for one in psutil.Process().children() if "java" in one.name()]


def _cpu(processes: Sequence[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)
