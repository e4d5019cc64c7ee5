"""Timing in turns, so that what the machine does meanwhile falls on all alike."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

TURNS = 4
Work = Callable[[], Awaitable[object]]
Until = Callable[[], bool]


@dataclass(frozen=True)
class Timing:
    p50_ms: float
    p95_ms: float


async def in_turns(works: dict[str, Work], *, rounds: int, warm: int = 30) -> dict[str, Timing]:
    """Each work once a round, in turn."""
    for _ in range(warm):
        for work in works.values():
            await work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            started = time.perf_counter()
            await work()
            times[name].append((time.perf_counter() - started) * 1_000)
    return {name: timing(values) for name, values in times.items()}


async def timed(work: Work, until: Until) -> list[float]:
    """The milliseconds of a work that is done over and over, until it is enough."""
    found: list[float] = []
    while not until():
        started = time.perf_counter()
        await work()
        found.append((time.perf_counter() - started) * 1_000)
    return found


def for_seconds(seconds: float) -> Until:
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() > end


async def throughputs(works: dict[str, list[Work]], seconds: float) -> dict[str, float]:
    """Pieces of work a second, with all of a name going at once; the names in turns."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(TURNS):
        for name, together in works.items():
            found[name].append(await _throughput(together, seconds / TURNS))
    return {name: statistics.mean(values) for name, values in found.items()}


async def _throughput(works: list[Work], seconds: float) -> float:
    deadline = time.perf_counter() + seconds

    async def keep_going(work: Work) -> int:
        done = 0
        while time.perf_counter() < deadline:
            await work()
            done += 1
        return done

    started = time.perf_counter()
    counts = await asyncio.gather(*(keep_going(work) for work in works))
    return sum(counts) / (time.perf_counter() - started)


def auroc(ones: list[float], others: list[float]) -> float:
    """How often one of the first took longer than one of the others: a half when their times tell nothing."""
    longer = sum((one > other) + (one == other) / 2 for one in ones for other in others)
    return longer / (len(ones) * len(others))


def timing(values: list[float]) -> Timing:
    ordered = sorted(values)
    return Timing(statistics.median(ordered), ordered[int(len(ordered) * 0.95)])
