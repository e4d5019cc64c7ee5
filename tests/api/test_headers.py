"""Every answer of every route, to whomever, tells a browser to guess nothing, keep nothing and frame nothing."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from resolvers.mount import api_routes
from service.runtime.runtime import running
from service.settings import load_settings
from service.web import create_app
from service.web.explorer.routes import FILES
from service.web.headers import SAFE
from tests.api.conftest import Api
from tests.conftest import Server

BASE = "http://127.0.0.1:8000"
PAGE = {"accept": "text/html"}


@pytest.fixture(scope="module")
async def app(api: Api, neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Starlette]:
    """All that `tasklore serve` serves, in this process."""
    settings = load_settings(
        home=tmp_path_factory.mktemp("headers"),
        neo4j_uri=neo4j_server.uri,
        neo4j_user=neo4j_server.user,
        neo4j_password=neo4j_server.password,
        requests_per_second=0,
    )
    made = create_app(partial(running, settings, lambda _line: None), api_routes)
    async with made.router.lifespan_context(made):
        yield made


@asynccontextmanager
async def _client(app: Starlette) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        yield client


def _doors(app: Starlette) -> Iterator[tuple[str, str]]:
    """Every method of every path, with something in the place of its parameters."""
    for route in app.router.routes:
        if isinstance(route, Route):
            path = route.path.replace("{name}", "explorer.js").replace("{", "").replace("}", "")
            yield from ((method, path) for method in sorted(route.methods or ("GET", "POST", "DELETE")))


def _check(answer: httpx.Response, path: str) -> None:
    for raw, value in SAFE:
        name = raw.decode()
        assert name in answer.headers, (path, answer.status_code, name)
        assert len(answer.headers.get_list(name)) == 1, (path, name)
        if name in {"x-content-type-options", "x-frame-options", "cross-origin-resource-policy"}:
            assert answer.headers[name] == value.decode()
    if not path.startswith(FILES):
        assert "no-store" in answer.headers["cache-control"], path
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy, path
    assert "frame-ancestors 'none'" in policy, path
    assert answer.headers["x-request-id"]


async def test_every_answer_of_every_route_carries_what_keeps_a_browser_safe(app: Starlette, api: Api) -> None:
    admin = {"authorization": f"Bearer {api.keys['admin']}"}
    doors = [*_doors(app)]
    assert {path for _, path in doors} >= {"/", "/graphql", "/signin", "/v1/events", "/v1/traces", "/metrics"}
    async with _client(app) as client:
        for method, path in doors:
            for headers in (admin, {}, {**admin, **PAGE}, PAGE):
                _check(await client.request(method, path, headers=headers), path)


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/nowhere", {}, 401),
        ("GET", "/nowhere", PAGE, 401),
        ("DELETE", "/signin", {}, 405),
        ("GET", "/", {"host": "evil.example"}, 421),
        ("POST", "/signin", {"content-length": "99999999"}, 413),
        ("POST", "/signin", {"origin": "http://evil.example"}, 403),
        ("OPTIONS", "/graphql", {"origin": "http://evil.example", "access-control-request-method": "POST"}, 403),
    ],
)
async def test_so_does_every_refusal(
    app: Starlette, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    async with _client(app) as client:
        answer = await client.request(method, path, headers=headers)
    assert answer.status_code == status
    _check(answer, path)


async def test_so_does_what_is_not_found_and_what_is_streamed(app: Starlette, api: Api) -> None:
    headers = {"authorization": f"Bearer {api.keys['admin']}"}
    async with _client(app) as client:
        missing = await client.get("/nowhere", headers=headers)
        assert missing.status_code == 404
        _check(missing, "/nowhere")
        query = {"query": "{ viewer { name } }"}
        for accept in ("application/json", "text/event-stream", "multipart/mixed"):
            _check(await client.post("/graphql", json=query, headers={**headers, "accept": accept}), "/graphql")


def test_the_documentation_names_them() -> None:
    text = (Path(__file__).parents[2] / "docs" / "access.md").read_text()
    assert all(f"`{name.decode()}`" in text for name, _ in SAFE)
