"""The door of shared pages, with a clock that stands still."""

import httpx
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from graph_schema.sharing.words import ShareMode
from service.sharing.opening import TRIES_AT_ONCE, SharedDoor
from service.sharing.secrets import new_secret
from service.web.pages.engine.assets import Assets
from service.web.pages.shared.routes import shared_routes
from tests.sharing.scene import Scene, ref


def _asked_by_nobody(app: ASGIApp) -> ASGIApp:
    async def ask(scope: Scope, receive: Receive, send: Send) -> None:
        scope["state"] = {"viewer": None}
        await app(scope, receive, send)

    return ask


async def test_guesses_are_slowed_and_find_nothing(scene: Scene) -> None:
    ground = scene.services.ground
    door = SharedDoor(ground.commands, scene.database, ground.registry, monotonic=lambda: 0.0)
    secret = await scene.shared(task=ref(await scene.task("Fact check")), share_mode=ShareMode.task_design_only)
    app = _asked_by_nobody(Starlette(routes=shared_routes(door, Assets(()))))
    for client in ("192.0.2.1", "192.0.2.2"):
        transport = httpx.ASGITransport(app, client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://shared") as guesser:
            seen = await guesser.get(f"/share/{secret}")
            assert (seen.status_code, "Fact check" in seen.text) == (200, True)
            told = [(await guesser.get(f"/share/{new_secret()}")).status_code for _ in range(TRIES_AT_ONCE + 5)]
            assert told == [404] * (TRIES_AT_ONCE - 1) + [429] * 6
            limited = await guesser.get(f"/share/{secret}")
        assert (limited.status_code, "Fact check" in limited.text) == (429, False)
        assert int(limited.headers["retry-after"]) >= 1
