"""The service as its users have it: one real process with its own Neo4j, from start to stop."""

import json
import signal
import socket
from collections.abc import Iterator

import httpx
import psutil
import pytest

from tests.cli.serving import START_SECONDS, Service, installed, until
from tests.ports import free_port

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Without the sample world, which takes longer than all the rest, but in a thorough run."""
    service = Service(
        tmp_path_factory.mktemp("home"),
        local_bolt_port=free_port(),
        local_http_port=free_port(),
        local_heap_mb=512,
        local_page_cache_mb=64,
        sample_world=request.config.getoption("thorough"),
    )
    service.start()
    yield service
    if service.process.poll() is None:
        service.stop()


@pytest.fixture
def service(started: Service) -> Service:
    """Running, also after a test that has stopped it."""
    if started.process.poll() is not None:
        started.start()
    return started


def test_it_announces_where_everything_is(service: Service) -> None:
    facts = json.loads(service.announced())
    assert facts["API"] == f"{service.url}/graphql"
    assert httpx.get(facts["Neo4j Browser"], timeout=30).is_success


def test_it_is_ready_and_says_what_it_checked(service: Service) -> None:
    report = service.get("/health/ready").json()
    assert report["status"] == "ready"
    assert set(report["checks"]) == {"database", "migrations", "indexes", "model", "local_server"}
    assert service.get("/health/live").json() == {"status": "alive"}


def test_the_start_page_leads_everywhere_and_loads_nothing(service: Service) -> None:
    page = service.get("/")
    for words in (
        "/explorer",
        "/graphql",
        "/browser/",
        "tasklore db status",
        "/health/ready",
        "/metrics",
        "password sees and can",
    ):
        assert words in " ".join(page.text.split())
    assert "script" not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_its_documents_are_there_and_nothing_else_is(service: Service) -> None:
    assert ">Settings</h1>" in service.get("/docs/settings.md").text
    assert service.get("/docs/..%2Fpyproject.toml").status_code == 404


def test_metrics_tell_of_requests_database_pool_and_queue(service: Service) -> None:
    service.get("/health/live")
    shown = service.get("/metrics").text
    for start in (
        'tasklore_http_requests_total{method="GET",route="/health/live",status="200"}',
        'tasklore_http_request_seconds_bucket{le="0.001",route="/health/live"}',
        'tasklore_cypher_seconds_count{kind="read"}',
        "tasklore_database_connections_in_use ",
        "tasklore_embedding_queue_depth ",
        "tasklore_local_database_restarts ",
    ):
        assert start in shown


def test_requests_are_logged_with_their_id(service: Service) -> None:
    answer = service.get("/health/live", X_Request_ID="seen-by-a-test")
    assert answer.headers["x-request-id"] == "seen-by-a-test"
    until(lambda: "seen-by-a-test" in service.log(), 5)
    line = next(line for line in service.log().splitlines() if "seen-by-a-test" in line)
    assert json.loads(line)["route"] == "/health/live"


def test_a_second_service_on_the_same_data_is_told_so(service: Service) -> None:
    ended = installed("serve", home=service.home, port=free_port())
    assert ended.returncode == 1
    assert str(service.process.pid) in ended.stderr.splitlines()[-1]


def test_it_uses_little_memory(service: Service) -> None:
    assert psutil.Process(service.process.pid).memory_info().rss < 500e6  # a hundred of it is the second model


def test_it_says_so_while_its_database_is_down_and_recovers(service: Service) -> None:
    [database] = service.databases()
    database.kill()
    until(lambda: service.get("/health/ready").status_code == 503, 10)
    report = service.get("/health/ready").json()
    assert "database" in report["missing"] or "local_server" in report["missing"]
    assert service.get("/health/live").is_success
    until(lambda: service.get("/health/ready").is_success, START_SECONDS)
    assert "tasklore_local_database_restarts 1.0" in service.get("/metrics").text


def test_what_is_in_flight_is_finished_before_it_stops_and_the_next_start_needs_no_recovery(service: Service) -> None:
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(b"GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        code = service.stop(signal.SIGTERM)
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 200")
    assert code == 0
    assert service.databases() == []
    service.start()
    debug_log = (service.home / "neo4j/logs/debug.log").read_text()
    assert "Recovery required" not in debug_log[debug_log.rindex("System diagnostics") :]


def test_an_interrupt_stops_it_cleanly_too(service: Service) -> None:
    assert service.stop(signal.SIGINT) == 0
    assert service.databases() == []
    assert "Traceback" not in service.log()
