"""`tasklore serve`: the composition root of the running service. The one place that joins the shell and the API."""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any

import typer
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.types import ASGIApp

from resolvers.mount import GRAPHQL, api_routes, rehearse
from service import collector
from service.access.viewer import OPERATOR, KeyScope
from service.cli import output
from service.errors import TaskloreError
from service.observe import log, set_up_logs
from service.principals.owner import OWNER
from service.principals.pages import sign_in_address
from service.runtime.planning import plan_ahead
from service.runtime.runtime import Runtime, in_background, running
from service.seeding import seed_if_empty
from service.settings import Settings, unknown_keys
from service.web import create_app
from service.web.address import base_address
from service.web.explorer import EXPLORER
from service.web.protocol import PunctualProtocol

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
KEEP_ALIVE_S = 5
"""How long a connection may rest between two requests. How long each part of a request may take: see `Patience`."""

PING_EVERY_S = 20.0
"""A socket whose other end does not answer a ping by the time of the next is closed."""


class AddressUnusable(TaskloreError):
    code = "address_unusable"

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(
            f"The service cannot listen on {host} port {port}: {reason}.",
            field="TASKLORE_PORT",
            remedy="Stop what uses it, or choose another with TASKLORE_PORT (and TASKLORE_HOST).",
        )


def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on, instead of TASKLORE_HOST.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port to listen on, instead of TASKLORE_PORT.")
    ] = None,
) -> None:
    """Run the service until Ctrl-C, with a local Neo4j unless TASKLORE_NEO4J_URI names one.

    What is missing is fetched first. A second Ctrl-C does not wait for requests in flight.

    Example: tasklore serve --port 8080
    """
    given = {"host": host, "port": port}
    settings: Settings = context.obj.settings.model_copy(
        update={key: value for key, value in given.items() if value is not None}
    )
    set_up_logs(settings)
    for key in unknown_keys():
        output.complain(f"Warning: {key} is set, and no setting has that name.")
    with output.progressing() as progress, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            runner.run(_serve(settings, progress))
        except asyncio.CancelledError:
            raise typer.Exit(130) from None


async def _serve(settings: Settings, progress: output.Progress) -> None:
    # Bound before anything is started: a taken port is told at once, not after the database has come up.
    with _listening(settings) as listener, _stopping(progress) as stop:
        app = create_app(partial(running, settings, progress), api_routes)
        async with app.router.lifespan_context(app):
            runtime: Runtime = app.state.runtime
            if settings.is_local and settings.sample_world:
                await seed_if_empty(runtime.database, progress, runtime.services)
            server = _Server(
                configuration(app, settings), partial(_announce, runtime, progress, await _sign_in(runtime))
            )
            stop.server = server
            collector.calm()
            async with in_background(*([_planned(app)] if settings.plan_ahead else [])):
                await server.serve([listener])


async def _planned(app: Starlette) -> None:
    runtime: Runtime = app.state.runtime
    await plan_ahead(runtime.services, runtime.access.viewers, partial(rehearse, app))


class _Server(uvicorn.Server):
    """Uvicorn with our signal handling (its own cannot interrupt a start) and a word when it listens."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()


class _Stop:
    """What a signal does: while starting it breaks off, while serving it ends gently, the second time at once."""

    def __init__(self, task: asyncio.Task[Any], progress: output.Progress) -> None:
        self._task = task
        self._progress = progress
        self.server: uvicorn.Server | None = None

    def __call__(self) -> None:
        if self.server is None or self.server.force_exit:
            self._task.cancel()
        elif self.server.should_exit:
            self.server.force_exit = True
        else:
            self._progress("Stopping: what is in flight is finished first")
            self.server.should_exit = True


@contextmanager
def _stopping(progress: output.Progress) -> Generator[_Stop]:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - this runs in a coroutine
    stop = _Stop(task, progress)
    loop = asyncio.get_running_loop()
    for one in STOP_SIGNALS:
        loop.add_signal_handler(one, stop)
    try:
        yield stop
    finally:
        for one in STOP_SIGNALS:
            loop.remove_signal_handler(one)


@contextmanager
def _listening(settings: Settings) -> Generator[socket.socket]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise AddressUnusable(settings.host, settings.port, error.strerror or str(error)) from None
    with listener:
        yield listener


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


def _announce(runtime: Runtime, progress: output.Progress, sign_in: str | None) -> None:
    taken = progress.seconds
    progress.hand_over(log.info)
    address = base_address(runtime.settings)
    facts = {"Start page": f"{address}/", "API": f"{address}{GRAPHQL}"}
    if runtime.settings.explorer:
        facts["Explorer"] = f"{address}{EXPLORER}"
    facts["Sign in"] = sign_in or "tasklore signin"
    if runtime.local:
        facts["Neo4j Browser"] = runtime.local.browser_url
        facts["Its password"] = f"in {runtime.local.home.password_file}"
    output.say(f"Ready after {taken:.1f} s")
    output.show({**facts, "To stop": "Ctrl-C"})
    sys.stdout.flush()


async def _sign_in(runtime: Runtime) -> str | None:
    """An address that signs the owner in once. Whoever uses a named server has keys of their own."""
    if runtime.local is None:
        return None
    created = await runtime.principals.create_sign_in(OPERATOR, OWNER, [*KeyScope])
    return sign_in_address(base_address(runtime.settings), created.text or "")
