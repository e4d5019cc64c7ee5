"""`tasklore serve`: one process that answers, or several on one port with one that watches over them."""

import asyncio
import sys
from collections.abc import Mapping
from functools import partial
from typing import Annotated

import typer
import uvloop

from service.cli import output
from service.cli.listening import listening
from service.cli.stopping import stopping
from service.observe import log, set_up_logs
from service.settings import Settings, unknown_keys


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
    work = _alone if settings.workers == 1 else _together
    with output.progressing() as progress, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            runner.run(work(settings, progress))
        except asyncio.CancelledError:
            raise typer.Exit(130) from None


async def _alone(settings: Settings, progress: output.Progress) -> None:
    with listening(settings) as listener, stopping(progress) as stop:
        from service.cli.answering import answer  # noqa: PLC0415 - whoever only watches over others needs none of it

        await answer(settings, progress, listener, stop, partial(announce, progress))


async def _together(settings: Settings, progress: output.Progress) -> None:
    from service.cli.workers import serve_together  # noqa: PLC0415

    with listening(settings):
        pass  # nobody else is there; another service with several processes would not mind us
    with listening(settings, shared=True), stopping(progress) as stop:
        await serve_together(settings, progress, stop, partial(announce, progress))


def announce(progress: output.Progress, facts: Mapping[str, str]) -> None:
    taken = progress.seconds
    progress.hand_over(log.info)
    output.say(f"Ready after {taken:.1f} s")
    output.show({**facts, "To stop": "Ctrl-C"})
    sys.stdout.flush()
