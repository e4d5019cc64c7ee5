"""What a command shows: tables for people, JSON with `--json`. Progress goes to stderr and never mixes with either."""

import json
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from service.progress import Part

if TYPE_CHECKING:
    from service.cli.bars import Bar

T = TypeVar("T")

QUIET_SECONDS = 2.0
"""A step that takes longer than this shows how long it has been going on."""


@dataclass(frozen=True)
class Mode:
    json: bool = False
    debug: bool = False


PLAIN = Mode()
_mode: ContextVar[Mode] = ContextVar("mode", default=PLAIN)


def set_mode(mode: Mode) -> None:
    _mode.set(mode)


def wants_json() -> bool:
    return _mode.get().json


def wants_debug() -> bool:
    return _mode.get().debug


def say(text: str = "") -> None:
    """A sentence for people. With `--json` there is none: the data say it."""
    if not wants_json():
        _write(text)


def show(facts: Mapping[str, object]) -> None:
    """One thing: a line for each of its facts, or one JSON object."""
    if wants_json():
        _write(_json(facts))
        return
    width = max((len(key) for key in facts), default=0)
    for key, value in facts.items():
        _write(f"{key.ljust(width)}  {_cell(value)}".rstrip())


def show_rows(rows: Iterable[Mapping[str, object]], *, empty: str = "Nothing.") -> None:
    """Things of one kind: a table whose columns are the keys of the first row, or a JSON array."""
    listed = list(rows)
    if wants_json():
        _write(_json(listed))
        return
    if not listed:
        _write(empty)
        return
    columns = list(listed[0])
    for line in _table(columns, [[_cell(row.get(column)) for column in columns] for row in listed]):
        _write(line)


def show_json(data: object) -> None:
    """Data that have no other form."""
    _write(_json(data))


def complain(text: str) -> None:
    """An error or a warning, on stderr."""
    sys.stderr.write(f"{text}\n")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine. An interrupted one is cancelled, so that what it opened is closed."""
    import asyncio  # noqa: PLC0415 - a tenth of the time that help takes

    with asyncio.Runner() as runner:
        return runner.run(work)


class Progress:
    """Lines on stderr with the time since the start. Call it with what begins now.

    Work that says how far it has got (`Part`) is one bar on a terminal; elsewhere its first and its last line, and one
    now and then between.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._current = ""
        self._since = self._started
        self._live = sys.stderr.isatty()
        self._successor: Callable[[str], None] | None = None
        self._bar: Bar | None = None
        self._what = ""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def __call__(self, text: str) -> None:
        if self._successor:
            self._successor(text)
            return
        with self._lock:
            if not isinstance(text, Part):
                self.close()
                self._begin(text)
            elif self._live:
                self._draw(text)
            elif text.what != self._what or text.done >= text.total or self._is_due():
                self._what = text.what
                self._begin(text)

    def tick(self) -> None:
        """Called from time to time: shows that a long step is still going on. On a terminal the line is replaced."""
        with self._lock:
            lasting = time.monotonic() - self._since
            if self._live and self._current and self._bar is None and lasting > QUIET_SECONDS:
                sys.stderr.write(f"\r          … {lasting:.0f} s")
                sys.stderr.flush()

    def hand_over(self, successor: Callable[[str], None]) -> None:
        """From now on somebody else tells what happens: a service that has started writes log lines."""
        with self._lock:
            self.close()
            self._current, self._successor = "", successor

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._what = None, ""

    def _begin(self, text: str) -> None:
        self._current, self._since = text, time.monotonic()
        self._line(f"{self._since - self._started:6.1f} s  {text}")

    def _is_due(self) -> bool:
        return time.monotonic() - self._since > QUIET_SECONDS

    def _draw(self, part: Part) -> None:
        from service.cli.bars import Bar  # noqa: PLC0415 - rich takes a while to import

        if self._bar is None or self._bar.what != part.what:
            self.close()
            self._bar = Bar(part)
        self._bar.move(part)

    def _line(self, text: str) -> None:
        sys.stderr.write(f"\r{text}\n" if self._live else f"{text}\n")
        sys.stderr.flush()


@contextmanager
def progressing() -> Generator[Progress]:
    """A `Progress` whose long steps count seconds, for the duration of the block."""
    progress = Progress()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(1.0):
            progress.tick()

    watcher = threading.Thread(target=watch, name="progress", daemon=True)
    watcher.start()
    try:
        yield progress
    finally:
        done.set()
        watcher.join()
        progress.close()


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(line[index]) for line in [columns, *rows]) for index in range(len(columns))]
    lines = [columns, ["-" * width for width in widths], *rows]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return str(value)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
