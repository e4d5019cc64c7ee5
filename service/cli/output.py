"""What a command shows: tables for people, JSON with `--json`. Progress goes to stderr and never mixes with either."""

import json
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

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


def complain(text: str) -> None:
    """An error or a warning, on stderr."""
    sys.stderr.write(f"{text}\n")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine. An interrupted one is cancelled, so that what it opened is closed."""
    import asyncio  # noqa: PLC0415 - a tenth of the time that help takes

    with asyncio.Runner() as runner:
        return runner.run(work)


class Progress:
    """Lines on stderr with the time since the start. Call it with what begins now."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._current = ""
        self._since = self._started
        self._live = sys.stderr.isatty()
        self._successor: Callable[[str], None] | None = None

    def __call__(self, text: str) -> None:
        if self._successor:
            self._successor(text)
            return
        with self._lock:
            self._current, self._since = text, time.monotonic()
            self._line(f"{self._since - self._started:6.1f} s  {text}")

    def tick(self) -> None:
        """Called from time to time: shows that a long step is still going on. On a terminal the line is replaced."""
        with self._lock:
            lasting = time.monotonic() - self._since
            if self._live and self._current and lasting > QUIET_SECONDS:
                sys.stderr.write(f"\r          … {lasting:.0f} s")
                sys.stderr.flush()

    def hand_over(self, successor: Callable[[str], None]) -> None:
        """From now on somebody else tells what happens: a service that has started writes log lines."""
        with self._lock:
            self._current, self._successor = "", successor

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
