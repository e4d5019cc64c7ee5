"""One process that answers requests: the composition root. The one place that joins the shell and the API."""

import socket
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from resolvers.mount import GRAPHQL, api_routes, rehearse
from service import collector
from service.access.viewer import OPERATOR, KeyScope
from service.cli.stopping import Stop
from service.graph.leases import leased
from service.graph.local import WatchedServer
from service.principals.owner import OWNER
from service.principals.pages import sign_in_address
from service.runtime.planning import plan_ahead
from service.runtime.runtime import Progress, Runtime, in_background, running
from service.seeding import seed_if_empty
from service.settings import Settings
from service.web import create_app
from service.web.address import base_address
from service.web.explorer import EXPLORER
from service.web.protocol import PunctualProtocol

KEEP_ALIVE_S = 5
"""How long a connection may rest between two requests. How long each part of a request may take: see `Patience`."""

PING_EVERY_S = 20.0
"""A socket whose other end does not answer a ping by the time of the next is closed."""

PLANNING = "planning ahead"
"""The lease on it: of several processes the later ones find the statements planned."""

Facts = Mapping[str, str]
"""What is told when the service is ready."""


async def answer(
    settings: Settings,
    progress: Progress,
    listener: socket.socket,
    stop: Stop,
    announce: Callable[[Facts], None],
    *,
    watched: WatchedServer | None = None,
    leads: bool = True,
) -> None:
    """Answer on a socket until stopped. `leads`: it is the first of its service, and does what is done once."""
    app = create_app(partial(running, settings, progress, watched=watched), api_routes)
    async with app.router.lifespan_context(app):
        runtime: Runtime = app.state.runtime
        if leads and settings.is_local and settings.sample_world:
            await seed_if_empty(runtime.database, progress, runtime.services)
        facts = await _facts(runtime) if leads else {}
        server = _Server(configuration(app, settings), partial(announce, facts))
        stop.serves(server)
        collector.calm()
        async with in_background(*([_planned(app)] if settings.plan_ahead else [])):
            await server.serve([listener])


async def _planned(app: Starlette) -> None:
    runtime: Runtime = app.state.runtime
    async with leased(runtime.database, PLANNING, lambda _waiting: None):
        await plan_ahead(runtime.services, runtime.access.viewers, partial(rehearse, app))


class _Server(uvicorn.Server):
    """Uvicorn with our signal handling (its own cannot interrupt a start) and a word when it listens."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    def end_gently(self) -> None:
        self.should_exit = True

    def end_at_once(self) -> None:
        self.should_exit = self.force_exit = True

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()


def configuration(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=PunctualProtocol,
        lifespan="off",  # entered above, so that an error at the start arrives as what it is
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=settings.shutdown_grace_s,
        timeout_keep_alive=KEEP_ALIVE_S,
        ws_max_size=settings.max_body_bytes,
        ws_ping_interval=PING_EVERY_S,
        ws_ping_timeout=PING_EVERY_S,
        # It would be done in the event loop, message by message: nearly all are small, and the others take too long.
        ws_per_message_deflate=False,
    )


async def _facts(runtime: Runtime) -> Facts:
    address = base_address(runtime.settings)
    facts = {"Start page": f"{address}/", "API": f"{address}{GRAPHQL}"}
    if runtime.settings.explorer:
        facts["Explorer"] = f"{address}{EXPLORER}"
    facts["Sign in"] = await _sign_in(runtime) or "tasklore signin"
    if runtime.local:
        facts["Neo4j Browser"] = runtime.local.browser_url
        facts["Its password"] = f"in {runtime.local.home.password_file}"
    return facts


async def _sign_in(runtime: Runtime) -> str | None:
    """An address that signs the owner in once. Whoever uses a named server has keys of their own."""
    if runtime.local is None:
        return None
    created = await runtime.principals.create_sign_in(OPERATOR, OWNER, [*KeyScope])
    return sign_in_address(base_address(runtime.settings), created.text or "")
