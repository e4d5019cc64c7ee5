"""The page of a large run against a small one's, as a browser first gets it: over HTTP, drawn and written."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from service import clock
from tests.bench.client import Client
from tests.bench.measure import Work, in_turns
from tests.bench.report import Report
from tests.bench.setting import Setting
from tests.bench.views import LARGE, SMALL, line, reported

ROUNDS = 40
FEW_SPANS, MANY_SPANS = 50, 5_000
STEPS, FAN = 10, 8
START = datetime(2026, 1, 1, tzinfo=UTC)
POLICY: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
Event = dict[str, Any]


async def measure(setting: Setting, report: Report) -> None:
    lines = {size: await reported(setting, line(size)) for size in (SMALL, LARGE)}
    trees = {size: await reported(setting, _tree(size)) for size in (FEW_SPANS, MANY_SPANS)}
    for what, runs in (("steps", lines), ("spans in a tree", trees)):
        few, many = sorted(runs)
        times = await in_turns({str(size): await _opening(setting, runs[size]) for size in runs}, rounds=ROUNDS)
        small, large = times[str(few)].p50_ms, times[str(many)].p50_ms
        note = f"p50 {large:.2f} ms against {small:.2f} ms"
        report.add(f"page of a run of {many:,} {what}", large / small, f"of {few}", bar=3.0, note=note)


async def _opening(setting: Setting, run: str) -> Work:
    client = await Client.connect(setting.port, setting.key)
    page = await client.get(f"/runs/{run}", client.authorized)
    assert b'id="steps"' in page, page[:400]
    return lambda: client.get(f"/runs/{run}", client.authorized)


def _tree(size: int) -> Iterator[Event]:
    """A few steps, and spans that each but the first hang on another, eight on each."""
    run = {"run": {"source": "bench-pages", "key": f"tree-{size}"}, "policy": POLICY}
    at = clock.stamp(START)
    yield {"event_id": "start", "kind": "run_started", "occurred_at": at, "task_key": "bench-tree", **run}
    for place in range(STEPS):
        step = {"module_key": f"m{place}", "activation_seq": 1, "occurred_at": at}
        yield {"event_id": f"step {place}", "kind": "activation_started", **step, **run}
    for place in range(size):
        moment = clock.stamp(START + timedelta(seconds=place + 1))
        span = {"span_key": f"s{place}", "span_kind": "tool_call", "status": "success", "name": f"Call {place}"}
        parent = {"parent_span_key": f"s{(place - 1) // FAN}"} if place else {}
        step = {"module_key": "m0", "activation_seq": 1}
        yield {"event_id": f"{place}", "kind": "span", "occurred_at": moment, **step, **span, **parent, **run}
