"""The directory of the local Neo4j, and who may touch it."""

import fcntl
import json
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO

from service.graph.local.errors import HomeInUse
from service.settings import Settings


class Home:
    def __init__(self, settings: Settings) -> None:
        self.root = settings.home.expanduser().absolute() / "neo4j"
        self.conf = self.root / "conf"
        self.data = self.root / "data"
        self.logs = self.root / "logs"
        self.console_log = self.logs / "console.log"
        self.password_file = self.root / "password"
        self.state_file = self.root / "server.json"
        self.backups = self.root.parent / "backups"
        self._owner_file = self.root / "owner.lock"
        self._users_file = self.root / "users.lock"

    def prepare(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)
        for folder in (self.conf, self.data, self.logs):
            folder.mkdir(exist_ok=True)

    @property
    def has_data(self) -> bool:
        """Whether a server has run here: from then on the initial password is fixed."""
        return (self.data / "databases" / "system").is_dir()

    @contextmanager
    def owned(self, purpose: str) -> Generator[None]:
        """Be the one process that starts and stops the server here. The kernel frees the lock of one that dies."""
        self.prepare()
        with self._owner_file.open("a+") as handle:
            if not _try_lock(handle, fcntl.LOCK_EX, attempts=3):
                raise HomeInUse(self.root.parent, *self._read_owner())
            handle.truncate(0)
            handle.write(json.dumps({"pid": os.getpid(), "purpose": purpose}))
            handle.flush()
            try:
                yield
            finally:
                handle.truncate(0)

    def owner(self) -> int | None:
        """The process that owns the home now, if any."""
        pid, _ = self._read_owner()
        if pid is None:
            return None
        with self._owner_file.open() as handle:  # an owner that was killed leaves its number, but not its lock
            return None if _try_lock(handle, fcntl.LOCK_SH) else pid

    def open_users(self) -> IO[str]:
        """A handle for `use` and `use_alone`."""
        self.prepare()
        return self._users_file.open("a+")

    def _read_owner(self) -> tuple[int | None, str]:
        try:
            owner = json.loads(self._owner_file.read_text())
        except (FileNotFoundError, ValueError):  # nobody ever, or given up
            return None, ""
        return owner["pid"], owner["purpose"]


def use(handle: IO[str]) -> bool:
    """Be one of many users of a borrowed server. False while its owner is stopping it."""
    return _try_lock(handle, fcntl.LOCK_SH)


def use_alone(handle: IO[str]) -> bool:
    """Be the last user, after whom it may be stopped. False while there are others."""
    return _try_lock(handle, fcntl.LOCK_EX)


def _try_lock(handle: IO[str], kind: int, attempts: int = 1) -> bool:
    """More than one attempt outlasts a process that only looks whether the lock is held."""
    for attempt in range(attempts):
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.02 if attempt + 1 < attempts else 0)
        else:
            return True
    return False
