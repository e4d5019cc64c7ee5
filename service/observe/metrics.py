"""Figures for Prometheus. One registry for each application, so that two in one process never share a counter.

The processes of one service keep theirs in files of one folder, so that any of them tells those of all together.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.multiprocess import (
    MultiProcessCollector,
    mark_process_dead,  # pyright: ignore[reportUnknownVariableType] - the library says nothing of its arguments
)
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

disable_created_metrics()  # a time series more for each counter, which nothing reads

Mode = Literal["livesum", "livemax"]
"""How a figure of the moment is told of several processes."""

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where the processes of one service keep their figures: read by the library when it is imported."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._gauges: list[tuple[Gauge, Callable[[], int]]] = []
        self._folder = os.environ.get(FOLDER)
        for collector in (GCCollector, PlatformCollector, ProcessCollector):
            collector(registry=self.registry)
        self._requests = Counter(
            "tasklore_http_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._latency = Histogram(
            "tasklore_http_request_seconds",
            "Time from a request's arrival to the end of its answer.",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._cypher = Histogram(
            "tasklore_cypher_seconds",
            "Time of the work in the database, by kind.",
            ("kind",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._spans = Counter(
            "tasklore_otlp_spans", "Spans that were sent, by what became of them.", ("outcome",), registry=self.registry
        )
        self._left_out = Counter(
            "tasklore_otlp_left_out", "What spans carried and has no place here.", ("what",), registry=self.registry
        )
        self._by_request: dict[tuple[str, str, int], Counter] = {}
        self._by_route: dict[str, Histogram] = {}
        self._cypher_by_kind = {kind: self._cypher.labels(kind) for kind in ("read", "write")}

    def request(self, method: str, route: str, status: int) -> None:
        known = self._by_request.get((method, route, status))
        if known is None:  # found faster than `labels` finds it: every request is counted
            known = self._by_request[method, route, status] = self._requests.labels(method, route, status)
        known.inc()

    def answered(self, route: str, seconds: float) -> None:
        known = self._by_route.get(route)
        if known is None:
            known = self._by_route[route] = self._latency.labels(route)
        known.observe(seconds)

    def cypher(self, kind: str, seconds: float) -> None:
        """What a `Database` is given as its observer."""
        self._cypher_by_kind[kind].observe(seconds)

    def traces(self, outcomes: Mapping[str, int], left_out: Mapping[str, int]) -> None:
        for counter, counted in ((self._spans, outcomes), (self._left_out, left_out)):
            for name, count in counted.items():
                counter.labels(name).inc(count)

    def watch(
        self, *, pool_in_use: Callable[[], int], queue_depth: Callable[[], int], restarts: Callable[[], int]
    ) -> None:
        """Figures that are read when somebody asks for them: of several processes the sum, or what all say."""
        summed: Mode = "livesum"
        same: Mode = "livemax"
        shown: tuple[tuple[str, str, Callable[[], int], Mode], ...] = (
            ("tasklore_database_connections_in_use", "Connections of the pool that carry work.", pool_in_use, summed),
            ("tasklore_embedding_queue_depth", "Calls that wait for an embedding.", queue_depth, summed),
            ("tasklore_local_database_restarts", "Times the local Neo4j was started again.", restarts, same),
            ("tasklore_processes", "Processes of the service that answer.", lambda: 1, summed),
        )
        for name, meaning, read, mode in shown:
            self._gauges.append((Gauge(name, meaning, registry=self.registry, multiprocess_mode=mode), read))

    def refresh(self) -> None:
        """So that other processes can tell them."""
        for gauge, read in self._gauges:
            gauge.set(read())

    def exposition(self) -> bytes:
        self.refresh()
        return generate_latest(self._of_all() if self._folder else self.registry)

    def _of_all(self) -> CollectorRegistry:
        registry = CollectorRegistry()
        MultiProcessCollector(registry, self._folder)  # pyright: ignore[reportUnknownArgumentType]
        return registry


def forget_process(folder: Path, pid: int) -> None:
    """What a process counted stays; what it told of the moment goes with it."""
    mark_process_dead(pid, str(folder))
