"""No server outlives the tests that started it, not even when they are killed."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def ended_with_us(pid: int) -> Generator[None]:
    """Whichever way this process ends, the pipe to the watcher is closed then, and the watcher ends that process.

    In a session of its own: what is sent to all processes of a terminal does not reach the watcher.
    """
    watch = ["sh", "-c", f"read _; kill {pid}"]
    with subprocess.Popen(watch, stdin=subprocess.PIPE, start_new_session=True) as watcher:
        try:
            yield
        finally:
            watcher.kill()
