"""Log lines, request ids, metrics and health, without a database."""

import asyncio
import io
import json
from collections.abc import Iterator

import httpx
import pytest
import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from service.errors import TaskloreError
from service.observe import Health, Metrics, current_request_id, log, set_up_logs
from service.observe import health as health_module
from service.observe.health import Finding
from service.settings import load_settings
from service.web.middleware import UNMATCHED, Observed


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    set_up_logs(load_settings(log_format="json"), stream)
    yield stream
    structlog.reset_defaults()


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def client(metrics: Metrics) -> httpx.AsyncClient:
    async def hello(request: Request) -> Response:
        log.info("inside")
        return PlainTextResponse(f"{request.path_params['name']} {current_request_id()}")

    async def fail(_request: Request) -> Response:
        raise RuntimeError("a secret of the house")

    app = Observed(Starlette(routes=[Route("/hello/{name}", hello), Route("/fail", fail)]), metrics)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


def _logged(lines: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


async def test_a_request_has_one_line_with_its_id(client: httpx.AsyncClient, lines: io.StringIO) -> None:
    answer = await client.get("/hello/anna", headers={"X-Request-ID": "trace-1.a_B"})
    assert answer.text == "anna trace-1.a_B"
    assert answer.headers["x-request-id"] == "trace-1.a_B"
    inside, line = _logged(lines)
    assert inside["request_id"] == "trace-1.a_B"
    assert {
        "method": "GET",
        "route": "/hello/{name}",
        "status": 200,
        "request_id": "trace-1.a_B",
    }.items() <= line.items()
    assert isinstance(line["ms"], float)


@pytest.mark.parametrize("offered", ["", "two words", "x" * 65, "line\\u000abreak", "ünï", "<b>"])
async def test_a_strange_id_is_replaced(client: httpx.AsyncClient, lines: io.StringIO, offered: str) -> None:
    answer = await client.get("/hello/a", headers=[(b"x-request-id", offered.encode())])
    assert answer.headers["x-request-id"] != offered
    assert len(answer.headers["x-request-id"]) == 16


async def test_an_unexpected_error_is_masked_logged_once_and_has_an_id(
    client: httpx.AsyncClient, lines: io.StringIO, metrics: Metrics
) -> None:
    answer = await client.get("/fail")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    failed, request = _logged(lines)
    assert "a secret of the house" in str(failed["error"])
    assert failed["request_id"] == request["request_id"] == answer.headers["x-request-id"]
    assert 'tasklore_http_requests_total{method="GET",route="/fail",status="500"} 1.0' in metrics.exposition().decode()


async def test_paths_without_a_route_share_one_series(
    client: httpx.AsyncClient, lines: io.StringIO, metrics: Metrics
) -> None:
    for path in ("/a", "/b"):
        await client.get(path)
    shown = metrics.exposition().decode()
    assert f'tasklore_http_requests_total{{method="GET",route="{UNMATCHED}",status="404"}} 2.0' in shown


def test_metrics_of_two_applications_are_apart() -> None:
    first, second = Metrics(), Metrics()
    first.cypher("read", 0.2)
    assert 'tasklore_cypher_seconds_count{kind="read"} 1.0' in first.exposition().decode()
    assert 'tasklore_cypher_seconds_count{kind="read"} 0.0' in second.exposition().decode()


def test_a_text_line_cannot_be_forged() -> None:
    stream = io.StringIO()
    set_up_logs(load_settings(log_format="text"), stream)
    log.info("request", path="/a\n2026-01-01T00:00:00.000Z error   forged", word="plain")
    structlog.reset_defaults()
    assert len(stream.getvalue().splitlines()) == 1
    assert "word=plain" in stream.getvalue()


class Gone(TaskloreError):
    code = "gone"

    def __init__(self) -> None:
        super().__init__("It is gone from db.internal:7687.")


async def test_health_names_what_is_missing_and_no_address(monkeypatch: pytest.MonkeyPatch, lines: io.StringIO) -> None:
    monkeypatch.setattr(health_module, "CHECK_SECONDS", 0.05)

    async def fine() -> Finding:
        return Finding(True, "fine")

    async def gone() -> Finding:
        raise Gone

    async def silent() -> Finding:
        await asyncio.Event().wait()
        return Finding(True, "never")

    async def broken() -> Finding:
        raise ValueError("db.internal")

    report = await Health({"fine": fine, "gone": gone, "silent": silent, "broken": broken}).report()
    assert not report.ready
    assert report.missing == ["gone", "silent", "broken"]
    assert report.checks["gone"].detail == "gone"
    assert "db.internal" not in json.dumps(report.as_json())


async def test_health_asks_no_more_often_than_once_a_second() -> None:
    asked = 0

    async def count() -> Finding:
        nonlocal asked
        asked += 1
        return Finding(True, "counted")

    health = Health({"count": count})
    await asyncio.gather(*(health.report() for _ in range(20)))
    assert asked == 1
