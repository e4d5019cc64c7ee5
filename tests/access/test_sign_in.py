"""The one-time address: it works once, for one browser, whoever else looks at it."""

import asyncio
from collections.abc import AsyncGenerator
from http.cookies import SimpleCookie

import httpx
import pytest
from starlette.applications import Starlette

from service.access.errors import Unauthenticated
from service.access.viewer import OPERATOR, KeyScope
from service.principals.commands import KeyCreated
from service.principals.pages import sign_in_address, sign_in_routes
from service.web.guard import Guard
from tests.access.conftest import World

BASE = "http://127.0.0.1:8000"


@pytest.fixture
async def browser(world: World) -> AsyncGenerator[httpx.AsyncClient]:
    app = Guard(Starlette(routes=sign_in_routes(world.principals, world.access.log)), lambda: world.access)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
        yield client


async def token_for(world: World, name: str = "ada") -> str:
    created = await world.principals.create_sign_in(OPERATOR, name, [KeyScope.read, KeyScope.curate])
    assert created.text
    return created.text


async def test_a_token_works_once_under_concurrency(world: World) -> None:
    await world.principal()
    token = await token_for(world)
    tries = await asyncio.gather(*(world.principals.sign_in(token) for _ in range(8)), return_exceptions=True)
    signed_in = [one for one in tries if isinstance(one, KeyCreated)]
    assert len(signed_in) == 1
    assert sum(isinstance(one, Unauthenticated) for one in tries) == 7
    viewer = await world.viewers.of_key(signed_in[0].text or "")
    assert viewer.name == "ada"
    assert viewer.scopes == {KeyScope.read, KeyScope.curate}
    assert token not in await world.all_properties()


async def test_a_token_that_is_old_revoked_or_no_token_does_not_work(world: World) -> None:
    await world.principal()
    await world.principal("eve")
    old = await world.principals.create_sign_in(OPERATOR, "ada", [KeyScope.read])
    await world.expire(old.key["id"])
    revoked = await world.principals.create_sign_in(OPERATOR, "ada", [KeyScope.read])
    await world.principals.revoke_key(OPERATOR, revoked.key["id"])
    disabled = await token_for(world, "eve")
    await world.principals.disable_principal(OPERATOR, "eve")
    api_key, _ = await world.key()
    for token in (old.text or "", revoked.text or "", disabled, api_key):
        with pytest.raises(Unauthenticated):
            await world.principals.sign_in(token)


async def test_looking_at_the_address_uses_nothing_up_and_posting_signs_in(
    world: World, browser: httpx.AsyncClient
) -> None:
    await world.principal()
    token = await token_for(world)
    for _ in range(3):
        page = await browser.get(sign_in_address(BASE, token))
        assert page.status_code == 200
        assert token in page.text
        assert "no-store" in page.headers["cache-control"]
        assert "script-src 'sha256-" in page.headers["content-security-policy"]
    answer = await browser.post("/signin", data={"token": token}, headers={"origin": BASE})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/home"
    cookie = SimpleCookie(answer.headers["set-cookie"])["tasklore_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "strict"
    assert cookie["path"] == "/"
    assert not cookie["secure"]
    assert cookie["max-age"] == str(30 * 24 * 3600)
    assert (await world.viewers.of_key(cookie.value)).name == "ada"
    again = await browser.post("/signin", data={"token": token}, headers={"origin": BASE})
    assert again.status_code == 401
    assert "works once" in again.text


async def test_the_cookie_is_secure_behind_tls(world: World, browser: httpx.AsyncClient) -> None:
    await world.principal()
    headers = {"origin": "https://127.0.0.1:8000"}
    answer = await browser.post("/signin", data={"token": await token_for(world)}, headers=headers)
    assert SimpleCookie(answer.headers["set-cookie"])["tasklore_session"]["secure"]


async def test_a_page_of_another_origin_signs_nobody_in(world: World, browser: httpx.AsyncClient) -> None:
    await world.principal()
    token = await token_for(world)
    for origin in ("http://evil.example", "http://127.0.0.1:3000", "null"):
        answer = await browser.post("/signin", data={"token": token}, headers={"origin": origin})
        assert answer.status_code == 403
    assert (await world.principals.sign_in(token)).text


@pytest.mark.parametrize("body", [b"", b"token=", b"token=x", b"token=%ff", b"\xff\xfe", b"token=tl_" + b"a" * 43])
async def test_a_body_that_is_no_token_is_refused(world: World, browser: httpx.AsyncClient, body: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert (await browser.post("/signin", content=body, headers=headers)).status_code == 401


async def test_a_hostile_token_is_not_echoed(browser: httpx.AsyncClient) -> None:
    page = await browser.get("/signin", params={"token": '"><script>alert(1)</script>'})
    assert "alert" not in page.text
    assert "tasklore signin" in page.text


async def test_signing_out_ends_the_session(world: World, browser: httpx.AsyncClient) -> None:
    await world.principal()
    session = (await world.principals.sign_in(await token_for(world))).text or ""
    browser.cookies.set("tasklore_session", session)
    assert (await browser.get("/signout")).status_code == 200
    assert (await browser.post("/signout", headers={"origin": "http://evil.example"})).status_code == 403
    assert (await world.viewers.of_key(session)).name == "ada"
    answer = await browser.post("/signout", headers={"origin": BASE})
    assert answer.status_code == 200
    assert 'tasklore_session=""' in answer.headers["set-cookie"]
    with pytest.raises(Unauthenticated):
        await world.viewers.of_key(session)
    kinds = [row["e"]["kind"] for row in await world.events()]
    assert kinds.count("access.signed_in") == kinds.count("access.signed_out") == 1


async def test_signing_out_revokes_sessions_alone(world: World, browser: httpx.AsyncClient) -> None:
    """A key of another purpose that somebody put into the cookie stays what it was."""
    await world.principal()
    text, _ = await world.key()
    browser.cookies.set("tasklore_session", text)
    assert (await browser.post("/signout", headers={"origin": BASE})).status_code == 200
    assert (await world.viewers.of_key(text)).name == "ada"
