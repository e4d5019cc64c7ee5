"""The guard over HTTP: who is let in, from where, how often and with how much."""

import asyncio
import io
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
import structlog
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from service.access.access import Access
from service.access.buckets import Buckets
from service.access.log import AccessLog
from service.access.perimeter import KEYLESS_BODY_BYTES, Patience, perimeter
from service.access.viewer import OPERATOR
from service.errors import SettingsInvalid
from service.observe import set_up_logs
from service.settings import load_settings
from service.web.guard import Guard
from tests.access.conftest import World

BASE = "http://127.0.0.1:8000"
ALLOWED = "https://app.example.org"
FORM = "application/x-www-form-urlencoded"


async def who(request: Request) -> Response:
    viewer = request.state.viewer
    body = await request.body()
    return JSONResponse({"name": viewer.name if viewer else None, "bytes": len(body)})


def application(*extra: Route) -> Starlette:
    paths = ("/", "/health/live", "/signin", "/metrics", "/graphql", "/docs/access.md", "/static/app.js")
    return Starlette(routes=[*(Route(path, who, methods=["GET", "POST"]) for path in paths), *extra])


@asynccontextmanager
async def guarded(
    access: Access, *routes: Route, client: tuple[str, int] = ("127.0.0.1", 50000)
) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Guard(application(*routes), lambda: access), client=client)
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as one:
        yield one


@pytest.fixture
async def client(world: World) -> AsyncGenerator[httpx.AsyncClient]:
    async with guarded(world.access) as one:
        yield one


@pytest.fixture
async def bearer(world: World) -> dict[str, str]:
    await world.principal()
    text, _ = await world.key()
    return {"authorization": f"Bearer {text}"}


@pytest.fixture
async def cookie(bearer: dict[str, str]) -> dict[str, str]:
    session = bearer["authorization"].removeprefix("Bearer ")
    return {"cookie": f"other=1; tasklore_session={session}", "content-type": "application/json"}


def told(answer: httpx.Response) -> dict[str, Any]:
    (error,) = answer.json()["errors"]
    assert error["message"]
    assert error["extensions"]["remedy"]
    return error["extensions"]


async def test_without_a_key_everything_is_refused_but_what_is_public(client: httpx.AsyncClient) -> None:
    for path in ("/", "/health/live", "/signin"):
        assert (await client.get(path)).json()["name"] is None
    for path in ("/graphql", "/docs/access.md", "/static/app.js", "/nowhere", "/health", "//", "/signin/x"):
        for method in ("GET", "POST", "DELETE"):
            answer = await client.request(method, BASE + path)
            assert answer.status_code == 401, path
            assert told(answer)["code"] == "unauthenticated"
            assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_an_address_posts_without_a_key_now_and_then(world: World) -> None:
    access = replace(world.access, strangers=Buckets(0.01, 2))
    form = {"content": "token=x", "headers": {"content-type": FORM}}
    async with guarded(access) as client:
        assert [(await client.post("/signin", **form)).status_code for _ in range(3)] == [200, 200, 429]
        assert (await client.get("/signin")).status_code == 200
    async with guarded(access, client=("127.0.0.2", 50000)) as another:
        assert (await another.post("/signin", **form)).status_code == 200


async def test_a_browser_without_a_key_is_told_how_to_sign_in(client: httpx.AsyncClient) -> None:
    answer = await client.get("/graphql", headers={"accept": "text/html,*/*"})
    assert answer.status_code == 401
    assert "tasklore signin" in answer.text


async def test_static_files_are_public_where_they_are_named(world: World) -> None:
    access = replace(world.access, perimeter=perimeter(host="127.0.0.1", public_prefixes=["/static/"]))
    async with guarded(access) as client:
        assert (await client.get("/static/app.js")).status_code == 200


async def test_a_bearer_key_lets_in_and_a_wrong_one_does_not(client: httpx.AsyncClient, bearer: dict[str, str]) -> None:
    assert (await client.post("/graphql", headers=bearer)).json()["name"] == "ada"
    key = bearer["authorization"].removeprefix("Bearer ")
    for header in (f"Basic {key}", key, "Bearer", "Bearer x", f"Bearer {key}x", ""):
        assert (await client.post("/graphql", headers={"authorization": header})).status_code == 401


async def test_a_dead_key_is_refused(world: World, client: httpx.AsyncClient, bearer: dict[str, str]) -> None:
    await world.principals.disable_principal(OPERATOR, "ada")
    assert (await client.post("/graphql", headers=bearer)).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "192.168.1.5"])
async def test_another_host_name_is_refused_against_rebinding(
    client: httpx.AsyncClient, bearer: dict[str, str], host: str
) -> None:
    for path in ("/", "/graphql"):
        answer = await client.get(path, headers={**bearer, "host": host})
        assert answer.status_code == 421
        assert told(answer)["code"] == "host_not_allowed"


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:9", "[::1]:8000", "127.0.0.1"])
async def test_our_own_names_are_allowed(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get("/", headers={"host": host})).status_code == 200


def test_hosts_that_are_named_and_addresses_when_listening_everywhere() -> None:
    named = perimeter(host="10.1.2.3", allowed_hosts=["Tasklore.example.org", "::2"])
    assert named.host_allowed(b"tasklore.example.org:443")
    assert named.host_allowed(b"10.1.2.3:8000")
    assert named.host_allowed(b"[::2]:8000")
    assert not named.host_allowed(b"10.1.2.4")
    everywhere = perimeter(host="0.0.0.0")  # noqa: S104
    assert everywhere.host_allowed(b"192.168.1.5:8000")
    assert everywhere.host_allowed(b"[fe80::1]")
    assert not everywhere.host_allowed(b"evil.example")


@pytest.mark.parametrize(
    "origin", ["*", "app.example.org", "https://app.example.org/", "https://a/b", "ftp://a", "null"]
)
def test_an_origin_that_could_never_match_is_told_at_the_start(origin: str) -> None:
    with pytest.raises(SettingsInvalid, match="ALLOWED_ORIGINS"):
        perimeter(host="127.0.0.1", allowed_origins=[origin])


@pytest.mark.parametrize("host", ["*", "http://a", "a:80", "", "*.example.org"])
def test_a_host_that_could_never_match_is_told_at_the_start(host: str) -> None:
    with pytest.raises(SettingsInvalid, match="ALLOWED_HOSTS"):
        perimeter(host="127.0.0.1", allowed_hosts=[host])


async def test_a_cookie_reads_from_anywhere_and_writes_from_allowed_origins_alone(
    client: httpx.AsyncClient, cookie: dict[str, str]
) -> None:
    assert (await client.get("/graphql", headers=cookie)).json()["name"] == "ada"
    for origin in (BASE, "https://127.0.0.1:8000", ALLOWED):
        assert (await client.post("/graphql", headers={**cookie, "origin": origin})).status_code == 200
    assert (await client.post("/graphql", headers={**cookie, "sec-fetch-site": "same-origin"})).status_code == 200
    for origin in ("http://127.0.0.1:3000", "http://localhost:8000", "null", "http://evil.example", ALLOWED + ".evil"):
        answer = await client.post("/graphql", headers={**cookie, "origin": origin})
        assert answer.status_code == 403
        assert told(answer)["code"] == "origin_not_allowed"
    assert (await client.post("/graphql", headers=cookie)).status_code == 403
    assert (await client.post("/graphql", headers={**cookie, "sec-fetch-site": "same-site"})).status_code == 403


@pytest.mark.parametrize("kind", ["", "text/plain", "multipart/form-data; boundary=x", FORM, f"{FORM.upper()};a=b"])
async def test_with_a_cookie_nothing_comes_in_that_a_form_could_send(
    client: httpx.AsyncClient, cookie: dict[str, str], bearer: dict[str, str], kind: str
) -> None:
    sent = {**cookie, "content-type": kind, "origin": BASE}
    answer = await client.post("/graphql", headers=sent, content=b'{"query": "x"}')
    assert (answer.status_code, told(answer)["code"]) == (415, "unsupported_content_type")
    assert (await client.post("/graphql", headers={**bearer, "content-type": kind})).status_code == 200


async def test_a_preflight_is_answered_for_allowed_origins_alone(client: httpx.AsyncClient) -> None:
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    answer = await client.options("/graphql", headers={**asked, "origin": ALLOWED})
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == ALLOWED
    assert "authorization" in answer.headers["access-control-allow-headers"]
    assert "POST" in answer.headers["access-control-allow-methods"]
    assert answer.headers["vary"] == "Origin"
    refused = await client.options("/graphql", headers={**asked, "origin": "http://evil.example"})
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers


async def test_pages_of_allowed_origins_can_read_answers_and_refusals(
    client: httpx.AsyncClient, bearer: dict[str, str]
) -> None:
    for headers, status in ((bearer, 200), ({}, 401)):
        answer = await client.get("/graphql", headers={**headers, "origin": ALLOWED})
        assert answer.status_code == status
        assert answer.headers["access-control-allow-origin"] == ALLOWED
    other = await client.get("/graphql", headers={**bearer, "origin": "http://evil.example"})
    assert "access-control-allow-origin" not in other.headers


async def test_metrics_need_a_key_from_elsewhere(world: World, bearer: dict[str, str]) -> None:
    async with guarded(world.access) as here:
        assert (await here.get("/metrics")).status_code == 200
        assert (await here.get("/metrics", headers={"x-forwarded-for": "10.0.0.9"})).status_code == 401
        assert (await here.get("/metrics", headers={"authorization": "Bearer x"})).status_code == 401
    async with guarded(world.access, client=("10.0.0.9", 50000)) as elsewhere:
        assert (await elsewhere.get("/metrics")).status_code == 401
        assert (await elsewhere.get("/metrics", headers=bearer)).status_code == 200


async def test_a_body_is_counted_as_announced_and_as_it_comes(world: World, bearer: dict[str, str]) -> None:
    access = replace(world.access, perimeter=perimeter(host="127.0.0.1", body_bytes=1000))

    async def chunks(count: int) -> AsyncGenerator[bytes]:
        for _ in range(count):
            yield b"x" * 100

    async with guarded(access) as client:
        assert (await client.post("/graphql", headers=bearer, content=b"x" * 1000)).json()["bytes"] == 1000
        assert (await client.post("/graphql", headers=bearer, content=chunks(10))).json()["bytes"] == 1000
        for content in (b"x" * 1001, chunks(11)):
            answer = await client.post("/graphql", headers=bearer, content=content)
            assert answer.status_code == 413
            assert told(answer)["code"] == "body_too_large"
            assert told(answer)["limit"] == 1000


async def test_whoever_shows_no_key_sends_little(client: httpx.AsyncClient, bearer: dict[str, str]) -> None:
    """At every door that is open to all, announced or not; and a key makes no difference where none is asked for."""

    async def chunks() -> AsyncGenerator[bytes]:
        for _ in range(100):
            yield b"x" * 1_000

    small, large = b"x" * KEYLESS_BODY_BYTES, b"x" * (KEYLESS_BODY_BYTES + 1)
    for path in ("/", "/signin", "/health/live"):
        for headers in ({}, bearer):
            assert (await client.post(path, headers=headers, content=small)).status_code == 200
            for content in (large, chunks()):
                answer = await client.post(path, headers=headers, content=content)
                assert (answer.status_code, told(answer)["code"]) == (413, "body_too_large")
                assert told(answer)["limit"] == KEYLESS_BODY_BYTES
    assert (await client.post("/graphql", headers=bearer, content=large)).status_code == 200


@pytest.mark.parametrize("patience", [Patience(pause=0.05), Patience(body=0.05)])
async def test_a_body_that_does_not_come_is_not_waited_for(
    world: World, bearer: dict[str, str], patience: Patience
) -> None:
    async def endless() -> AsyncGenerator[bytes]:
        yield b"x"
        await asyncio.Event().wait()
        yield b"x"

    async with guarded(replace(world.access, patience=patience)) as client:
        answer = await client.post("/graphql", headers=bearer, content=endless())
        assert (answer.status_code, told(answer)["code"]) == (408, "body_too_slow")
        assert answer.headers["connection"] == "close"
        assert (await client.post("/graphql", headers=bearer, content=b"x")).json()["bytes"] == 1


async def test_an_application_that_makes_its_own_answer_of_a_cut_body_is_overruled(
    world: World, bearer: dict[str, str]
) -> None:
    async def stubborn(request: Request) -> Response:
        try:
            await request.body()
        except ClientDisconnect:
            return PlainTextResponse("all is well")
        return PlainTextResponse("small")

    access = replace(world.access, perimeter=perimeter(host="127.0.0.1", body_bytes=10))

    async def chunks() -> AsyncGenerator[bytes]:
        yield b"x" * 11

    async with guarded(access, Route("/stubborn", stubborn, methods=["POST"])) as client:
        assert (await client.post("/stubborn", headers=bearer, content=chunks())).status_code == 413


async def test_a_key_has_its_own_rate(world: World, bearer: dict[str, str]) -> None:
    now = 50.0
    access = replace(world.access, buckets=Buckets(2, 3, lambda: now))
    other, _ = await world.key()
    async with guarded(access) as client:
        for _ in range(3):
            assert (await client.post("/graphql", headers=bearer)).status_code == 200
        answer = await client.post("/graphql", headers=bearer)
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "1"
        assert told(answer)["code"] == "rate_limited"
        assert told(answer)["retryAfter"] == pytest.approx(0.5)
        assert "`retryAfter`" in told(answer)["remedy"]
        assert (await client.post("/graphql", headers={"authorization": f"Bearer {other}"})).status_code == 200
        now = 50.5
        assert (await client.post("/graphql", headers=bearer)).status_code == 200
        assert (await client.post("/graphql", headers=bearer)).status_code == 429


def test_no_limit_means_no_limit() -> None:
    buckets = Buckets(0, 0)
    assert all(buckets.take("k") == 0 for _ in range(10_000))


async def test_a_long_answer_ends_when_its_key_dies(world: World, bearer: dict[str, str]) -> None:
    sent: list[int] = []

    async def numbers() -> AsyncGenerator[str]:
        for number in range(100):
            sent.append(number)
            yield f"{number}\n"
            if number == 2:
                await world.principals.disable_principal(OPERATOR, "ada")

    async def stream(_request: Request) -> Response:
        return StreamingResponse(numbers())

    async with guarded(world.access, Route("/stream", stream)) as client:
        answer = await client.get("/stream", headers=bearer)
    assert answer.text.splitlines() == ["0", "1", "2"]
    assert len(sent) < 10


async def test_a_long_answer_can_ask_for_its_viewer_as_of_now(world: World, bearer: dict[str, str]) -> None:
    async def latest(request: Request) -> Response:
        before = request.state.viewer.clearance
        await world.principals.change_principal(OPERATOR, "ada", {"clearance": "public"})
        return JSONResponse([before, (await request.state.current_viewer()).clearance])

    async with guarded(world.access, Route("/latest", latest)) as client:
        assert (await client.get("/latest", headers=bearer)).json() == ["internal", "public"]


@pytest.fixture
def lines() -> Any:
    stream = io.StringIO()
    set_up_logs(load_settings(log_format="json"), stream)
    yield stream
    structlog.reset_defaults()


async def test_the_access_log_tells_denials_and_key_use_without_a_key(
    world: World, bearer: dict[str, str], lines: io.StringIO, tmp_path: Any
) -> None:
    file = tmp_path / "access.log"
    access = replace(world.access, log=AccessLog(file))
    key = bearer["authorization"].removeprefix("Bearer ")
    async with guarded(access) as client:
        for _ in range(3):
            await client.post("/graphql", headers=bearer)
        await world.principals.disable_principal(OPERATOR, "ada")
        await client.post(f"/graphql?token={key}", headers=bearer)
        await client.get("/graphql", headers={"host": "evil.example"})
    for text in (lines.getvalue(), file.read_text()):
        assert text.count('"key used"') == 1
        assert '"principal disabled"' in text
        assert '"host_not_allowed"' in text
        assert key not in text
    assert oct(file.stat().st_mode & 0o777) == "0o600"


def test_a_flood_of_denials_is_counted_not_written(tmp_path: Any) -> None:
    now = 10.0
    clock: Callable[[], float] = lambda: now  # noqa: E731
    file = tmp_path / "access.log"
    log = AccessLog(file, stream=False, monotonic=clock)
    for _ in range(500):
        log.denied("unauthenticated", "10.0.0.9")
    assert len(file.read_text().splitlines()) == 50
    log.denied("unauthenticated", "10.0.0.8")
    now = 12.0
    log.denied("unauthenticated", "10.0.0.9")
    assert '"not_written_before":450' in file.read_text().splitlines()[-1]


async def test_a_log_that_cannot_be_written_stops_nobody(
    world: World, bearer: dict[str, str], lines: io.StringIO, tmp_path: Any
) -> None:
    access = replace(world.access, log=AccessLog(tmp_path / "none" / "access.log"))
    async with guarded(access) as client:
        assert (await client.post("/graphql", headers=bearer)).status_code == 200
    assert "cannot be written" in lines.getvalue()
