"""One of the processes of a service, as its parent starts it: `python -m service.cli.worker`.

It tells its parent on standard output, a JSON object a line, how its start goes and that it is ready. It ends gently
when it is told to, and when its parent is gone: then its standard input is closed.
"""

import asyncio
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import orjson
import uvloop

from service.cli.answering import Facts, answer
from service.cli.listening import listening
from service.cli.main import complain
from service.cli.stopping import Stop, obeying
from service.graph.local import WatchedServer
from service.observe import log, set_up_logs
from service.progress import Part
from service.settings import load_settings

LEADS = "--leads"
STDIN = 0


class Telling:
    """What the parent hears of the start. Afterwards there is the log."""

    def __init__(self) -> None:
        self._ready = False

    def __call__(self, text: str) -> None:
        if self._ready:
            log.info(text)
        elif isinstance(text, Part):
            _tell({"part": [text.what, text.done, text.total]})
        else:
            _tell({"begins": text})

    def ready(self, facts: Facts) -> None:
        self._ready = True
        _tell({"ready": facts})


async def _work(*, leads: bool) -> None:
    settings, telling = load_settings(), Telling()
    set_up_logs(settings)
    with listening(settings, shared=True) as listener, obeying() as stop, _parent_watched(stop):
        watched = WatchedServer(settings) if settings.is_local else None
        await answer(settings, telling, listener, stop, telling.ready, watched=watched, leads=leads)


@contextmanager
def _parent_watched(stop: Stop) -> Generator[None]:
    loop = asyncio.get_running_loop()

    def closed() -> None:
        if not os.read(STDIN, 1):
            loop.remove_reader(STDIN)
            stop.gently()

    loop.add_reader(STDIN, closed)
    try:
        yield
    finally:
        loop.remove_reader(STDIN)


def _tell(told: object) -> None:
    sys.stdout.buffer.write(orjson.dumps(told) + b"\n")
    sys.stdout.buffer.flush()


def main(arguments: list[str]) -> int:
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_work(leads=LEADS in arguments))
    except asyncio.CancelledError:
        return 0  # told to end before it was ready
    except Exception as error:
        return complain(error)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
