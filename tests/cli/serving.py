"""The command line in this process, and a service as a process of its own, the way its users run it."""

import asyncio
import contextvars
import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import httpx
import psutil
import pytest

from service.cli.main import run
from tests.orphans import ended_with_us
from tests.ports import free_port

CACHE = "TASKLORE_CACHE"
TASKLORE = Path(sys.executable).with_name("tasklore")
START_SECONDS = 300.0
STOP_SECONDS = 90.0


def environment(**settings: object) -> dict[str, str]:
    """This process's environment without settings of the person who runs the tests, and with the given ones."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TASKLORE_") or key == CACHE}
    # Planning what a test never asks would take longer than most tests.
    given = {"plan_ahead": False, **settings}
    return kept | {f"TASKLORE_{key.upper()}": str(value) for key, value in given.items()}


@dataclass(frozen=True)
class Ended:
    returncode: int
    stdout: str
    stderr: str


def installed(*arguments: str, **settings: object) -> Ended:
    """The command as it was installed, in a process of its own. That takes seconds, most of them for imports."""
    done = subprocess.run(
        [TASKLORE, *arguments], env=environment(**settings), capture_output=True, text=True, timeout=60, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def tasklore(*arguments: str, **settings: object) -> Ended:
    """The same command in this process. A coroutine's thread has a loop already, so that needs another one."""
    call = contextvars.copy_context().run
    if threading.current_thread() is threading.main_thread() and not _in_a_loop():
        return call(_run, arguments, environment(**settings))
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(call, _run, arguments, environment(**settings)).result()


def _run(arguments: tuple[str, ...], environ: dict[str, str]) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    alone = patch.dict(os.environ, environ, clear=True)
    with alone, redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        run(arguments)
    assert isinstance(ended.value.code, int)
    return Ended(ended.value.code, out.getvalue(), err.getvalue())


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def until(condition: Callable[[], object], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    never = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        never.wait(0.1)


class Service:
    def __init__(self, home: Path, **settings: object) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._settings = settings
        self._log = home / "service.log"
        self._announced = home / "announced.json"
        self._watched = ExitStack()

    def start(self) -> float:
        """Start it and wait until it is ready. The seconds that took."""
        self.home.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        with self._log.open("w") as log, self._announced.open("w") as announced:
            self.process = subprocess.Popen(
                [TASKLORE, "serve", "--json", "--port", str(self.port)],
                env=environment(home=self.home, log_format="json", **self._settings),
                stdout=announced,
                stderr=log,
            )
        self._watched.enter_context(ended_with_us(self.process.pid))
        try:
            until(self.is_ready, START_SECONDS)
        except BaseException:
            self.stop()
            raise
        return time.monotonic() - started

    def get(self, path: str, **headers: str) -> httpx.Response:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.get(self.url + path, headers=sent, timeout=10)

    def log(self) -> str:
        return self._log.read_text()

    def announced(self) -> str:
        return self._announced.read_text()

    def databases(self) -> list[psutil.Process]:
        """The Java processes of this home."""
        found: list[psutil.Process] = []
        for process in psutil.process_iter(["cmdline"]):
            line: list[str] = process.info["cmdline"] or []
            if any(str(self.home) in part for part in line) and "java" in Path(line[0]).name:
                found.append(process)
        return found

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        code = self.process.wait(STOP_SECONDS)
        self._watched.close()
        return code

    def is_ready(self) -> bool:
        assert self.process.poll() is None, self.log()
        try:
            return self.get("/health/ready").is_success
        except httpx.TransportError:
            return False
