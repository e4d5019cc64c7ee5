"""A JVM of ours, whether this process started it or found it running."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

POLL_SECONDS = 0.1
STOP_SECONDS = 120.0
CLOCK_SECONDS = 2.0  # a birth is told relative to the clock, which may be set in between


@dataclass(frozen=True)
class ServerProcess:
    """Identified by its number and its birth: numbers are used again."""

    pid: int
    created: float

    @property
    def alive(self) -> bool:
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.created) < CLOCK_SECONDS
            return same and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    def exit_reason(self) -> str | None:
        """How it ended, or None while it runs. Also buries it when it is a child of this process."""
        try:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:  # somebody else's: how it ended is told to its parent alone
            return None if self.alive else "ended for an unknown reason"
        return _describe(os.waitstatus_to_exitcode(status)) if pid else None

    def signal(self, number: signal.Signals) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


def spawn(command: list[str], environment: Mapping[str, str], output: Path) -> ServerProcess:
    """Start a process in a session of its own, so that a Ctrl-C in the terminal does not reach it.

    Not through `subprocess`: a server may outlive the command that starts it, which that module warns about.
    """
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    pid = os.posix_spawn(
        command[0],
        command,
        environment,
        setsid=True,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), write, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
    )
    return ServerProcess(pid, psutil.Process(pid).create_time())


async def stop_process(process: ServerProcess, progress: Callable[[str], None]) -> None:
    """Ask it to end and wait until it has: it flushes its files, and the next start needs no recovery."""
    process.signal(signal.SIGTERM)
    started, told = time.monotonic(), False
    while process.exit_reason() is None:
        waited = time.monotonic() - started
        if waited > 2 and not told:
            told = True
            progress("Stopping the local Neo4j")
        if waited > STOP_SECONDS:
            progress(f"The local Neo4j did not stop within {STOP_SECONDS:.0f} s; killing it")
            process.signal(signal.SIGKILL)
        await asyncio.sleep(POLL_SECONDS)


def _describe(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
