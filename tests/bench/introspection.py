"""`/health/live` and a plain read while eight clients ask for the whole schema, against the same alone."""

import asyncio
import itertools
import statistics
import time
from collections.abc import Awaitable, Iterator

from graphql import get_introspection_query

from tests.bench.client import Client, body_of
from tests.bench.measure import Until, Work, for_seconds, timed
from tests.bench.report import Report
from tests.bench.setting import Setting

CLIENTS = 8
ROUNDS = 4
WARM_SECONDS = 10.0
ALONE_SECONDS = 4.0
EVERY_SECONDS = 0.1
BURSTS = 30
READ = body_of("{ entities(first: 10) { nodes { id name createdAt } } }")
GZIP = b"accept-encoding: gzip\r\n"

Times = dict[str, list[float]]


async def measure(setting: Setting, report: Report) -> None:
    probes = await _probes(setting)
    clients = [await Client.connect(setting.port, setting.key) for _ in range(CLIENTS)]
    documents = _documents()
    new: Times = {name: [] for name in probes}
    kept: Times = {name: [] for name in probes}
    alone: Times = {name: [] for name in probes}
    await _probe(probes, {name: [] for name in probes}, for_seconds(WARM_SECONDS))
    waits: list[float] = []
    for _ in range(ROUNDS):
        await _probe(probes, alone, for_seconds(ALONE_SECONDS))
        asked = [next(documents) for _ in clients]
        waits.append(await _meanwhile(probes, new, _together(clients, asked)))
        await _meanwhile(probes, kept, _again(clients, asked))
    _tell(report, "a new document about the schema", alone, new)
    _tell(report, "one that was asked before", alone, kept)
    report.add("eight new documents about the schema, all answered", statistics.median(waits), "s")


async def _probes(setting: Setting) -> dict[str, Work]:
    health, read = [await Client.connect(setting.port, setting.key) for _ in range(2)]
    assert b"errors" not in await read.ask(READ)
    return {"/health/live": lambda: health.get("/health/live"), "a plain read": lambda: read.ask(READ)}


def _documents() -> Iterator[bytes]:
    """All clients' ways of asking, under a new name each time, so that no answer is known."""
    for number, (text, deprecated, url) in enumerate(itertools.cycle(itertools.product((True, False), repeat=3))):
        query = get_introspection_query(descriptions=text, specified_by_url=url, input_value_deprecation=deprecated)
        yield body_of(query.replace("IntrospectionQuery", f"Introspection{number}"))


async def _together(clients: list[Client], bodies: list[bytes]) -> None:
    answers = await asyncio.gather(*(client.ask(body, GZIP) for client, body in zip(clients, bodies, strict=True)))
    assert all(len(answer) > 50_000 for answer in answers)


async def _again(clients: list[Client], bodies: list[bytes]) -> None:
    for _ in range(BURSTS):
        started = time.perf_counter()
        await _together(clients, bodies)
        await asyncio.sleep(max(0.0, EVERY_SECONDS - (time.perf_counter() - started)))


async def _meanwhile(probes: dict[str, Work], times: Times, work: Awaitable[None]) -> float:
    """Probe until the work is done; its seconds."""
    started = time.perf_counter()
    working = asyncio.ensure_future(work)
    await _probe(probes, times, working.done)
    await working
    return time.perf_counter() - started


async def _probe(probes: dict[str, Work], times: Times, until: Until) -> None:
    """Each on its own connection, at once and over and over, as callers who know nothing of each other."""

    found = await asyncio.gather(*(timed(work, until) for work in probes.values()))
    for name, one in zip(probes, found, strict=True):
        times[name] += one


def _tell(report: Report, what: str, alone: Times, times: Times) -> None:
    for name, found in times.items():
        ratio = statistics.median(found) / statistics.median(alone[name])
        note = f"p50, p95, most: {_figures(found)} ms against {_figures(alone[name])} ms"
        report.add(f"{name} beside eight times {what}", ratio, "of that alone", bar=2.0, note=note)


def _figures(times: list[float]) -> str:
    ordered = sorted(times)
    return ", ".join(
        f"{one:.2f}" for one in (statistics.median(ordered), ordered[int(len(ordered) * 0.95)], ordered[-1])
    )
