"""A service as a process of its own, the way its users run it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil

from tests.ports import free_port

CACHE = "TASKLORE_CACHE"
TASKLORE = Path(sys.executable).with_name("tasklore")
START_SECONDS = 300.0
STOP_SECONDS = 90.0


def environment(**settings: object) -> dict[str, str]:
    """This process's environment without settings of the person who runs the tests, and with the given ones."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TASKLORE_") or key == CACHE}
    return kept | {f"TASKLORE_{key.upper()}": str(value) for key, value in settings.items()}


def tasklore(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TASKLORE, *arguments], env=environment(**settings), capture_output=True, text=True, timeout=60, check=False
    )


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
        until(self._is_ready, START_SECONDS)
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
        return self.process.wait(STOP_SECONDS)

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, self.log()
        try:
            return self.get("/health/ready").is_success
        except httpx.TransportError:
            return False
