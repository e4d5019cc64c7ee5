"""A store with the schema in place. It is made once for a schema and a Neo4j, kept, and copied to servers of tests."""

import fcntl
import hashlib
import shutil
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from graph_schema.output.ddl import schema_ddl
from graph_schema.registry import REGISTRY
from service.artifacts import load_lock
from service.graph.local.configuration import CONF
from service.graph.local.home import Home
from service.graph.migrations import MIGRATIONS
from service.settings import Settings

KEPT_DAYS = 7
PARTS = ("data", "password")
"""Of the home of a server that was stopped: all that the next one takes over."""
CLASSES = "classes.jsa"
"""The classes that the server of the store had loaded, as the JVM can map them: a start then takes a third less."""

Make = Callable[[Path], Awaitable[None]]
"""Runs a server in a home until its schema is in place, and stops it."""


async def put_store(settings: Settings, make: Make) -> None:
    """Put a copy of the store into a home in which no server has run."""
    kept = kept_store(settings)
    with _alone(kept.parent):
        if not kept.exists():
            await _keep(kept, make)
        kept.touch()
        _copy(kept, Home(settings).root)


def kept_store(settings: Settings) -> Path:
    return settings.cache.expanduser().absolute() / "test-stores" / _key()


async def _keep(kept: Path, make: Make) -> None:
    for old in kept.parent.iterdir():
        if old.is_dir() and time.time() - old.stat().st_mtime > KEPT_DAYS * 86_400:
            shutil.rmtree(old)
    home = kept.with_suffix(".home")
    part = kept.with_suffix(".part")
    for place in (home, part):  # of a process that was killed
        shutil.rmtree(place, ignore_errors=True)
    await make(home)
    _copy(home / "neo4j", part)
    if (home / CLASSES).exists():
        shutil.move(home / CLASSES, part / CLASSES)
    shutil.rmtree(home)
    part.rename(kept)


def _copy(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    target.chmod(0o700)
    for name in PARTS:
        part = source / name
        (shutil.copytree if part.is_dir() else shutil.copy2)(part, target / name)


@contextmanager
def _alone(folder: Path) -> Generator[None]:
    """One process at a time: the first makes the store, the others wait for it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _key() -> str:
    """Another one whenever the schema, a migration, Neo4j, its configuration or this file changes."""
    said = [
        Path(__file__).read_text(),
        (Path(__file__).parent / "conftest.py").read_text(),
        CONF,
        *(repr(item) for item in load_lock().group("neo4j")),
        *(one.statement for one in schema_ddl(REGISTRY)),
        *(one.checksum for one in MIGRATIONS),
    ]
    return hashlib.sha256("\0".join(said).encode()).hexdigest()[:16]
