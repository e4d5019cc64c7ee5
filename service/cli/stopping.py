"""What a signal does: while starting it breaks off, while serving it ends gently, the second time at once."""

import asyncio
import signal
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from service.cli import output

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Serving(Protocol):
    def end_gently(self) -> None:
        """Take in nothing more, and finish what is in flight."""
        ...

    def end_at_once(self) -> None: ...


class Stop:
    def __init__(self, task: asyncio.Task[Any]) -> None:
        self._task = task
        self._serving: Serving | None = None
        self._asked = 0

    def serves(self, serving: Serving) -> None:
        """From now on there is something to end."""
        self._serving = serving

    def gently(self) -> None:
        if self._serving:
            self._serving.end_gently()
        else:
            self._task.cancel()

    def at_once(self) -> None:
        if self._serving:
            self._serving.end_at_once()
        else:
            self._task.cancel()

    def harder(self, progress: output.Progress) -> None:
        """Gently, then at once, then not even that."""
        self._asked += 1
        if self._serving is None or self._asked > 2:
            self._task.cancel()
        elif self._asked == 2:
            self.at_once()
        else:
            progress("Stopping: what is in flight is finished first")
            self.gently()


@contextmanager
def stopping(progress: output.Progress) -> Generator[Stop]:
    """For whoever is stopped by people: each signal asks harder."""
    stop = _stop()
    with heard(dict.fromkeys(STOP_SIGNALS, lambda: stop.harder(progress))):
        yield stop


@contextmanager
def obeying() -> Generator[Stop]:
    """For a process that its parent stops, and perhaps a supervisor of both: the same asked twice is the same."""
    stop = _stop()
    with heard({signal.SIGTERM: stop.gently, signal.SIGINT: stop.at_once}):
        yield stop


@contextmanager
def heard(handlers: Mapping[signal.Signals, Callable[[], None]]) -> Generator[None]:
    loop = asyncio.get_running_loop()
    for one, handler in handlers.items():
        loop.add_signal_handler(one, handler)
    try:
        yield
    finally:
        for one in handlers:
            loop.remove_signal_handler(one)


def _stop() -> Stop:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - this runs in a coroutine
    return Stop(task)
