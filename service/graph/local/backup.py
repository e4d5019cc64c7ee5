"""Back up and restore the local database. Community Edition does both only while the server is stopped."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from service.graph.local.admin import Admin
from service.graph.local.configuration import Configuration, write_conf
from service.graph.local.errors import BackupExists, BackupMissing, NothingToBackUp
from service.graph.local.home import Home
from service.graph.local.launch import start, stop_running
from service.graph.local.provision import Installation, provision
from service.graph.local.replacement import replacing, undo_interrupted
from service.graph.local.state import read_state
from service.settings import Settings

Progress = Callable[[str], None]


async def backup(settings: Settings, target: Path | None, progress: Progress) -> Path:
    """Write the database into one file. It has its name only once it is complete."""
    home = Home(settings)
    target, part = _prepare_target(home, target or _default_target(home))
    async with _while_stopped(settings, home, "tasklore db backup", progress) as installation:
        try:
            await asyncio.to_thread(Admin(home, installation).dump, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return target


async def restore(settings: Settings, source: Path, progress: Progress) -> None:
    """Put a backup in the place of the database. When that fails, the database is as it was."""
    home = Home(settings)
    source = _existing(source)
    async with _while_stopped(settings, home, "tasklore db restore", progress) as installation:
        with replacing(home):
            await asyncio.to_thread(Admin(home, installation).load, source)


@asynccontextmanager
async def _while_stopped(
    settings: Settings, home: Home, purpose: str, progress: Progress
) -> AsyncGenerator[Installation]:
    """With the server stopped for the duration, and started again if it ran."""
    with home.owned(purpose):
        installation = await asyncio.to_thread(provision, settings, progress)
        wanted = Configuration.wanted(settings)
        running = read_state(home)
        if running:
            progress("Stopping the local Neo4j for the duration")
            await stop_running(home, progress)
        undo_interrupted(home)
        write_conf(home, wanted)
        try:
            yield installation
        finally:
            if running:
                progress("Starting the local Neo4j again")
                await start(home, wanted, installation, progress, detached=running.detached)


def _prepare_target(home: Home, target: Path) -> tuple[Path, Path]:
    """Where the backup will be, and where it grows until it is complete."""
    target = target.expanduser().absolute()
    if target.exists():
        raise BackupExists(target)
    if not home.has_data:
        raise NothingToBackUp(home.root)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target, target.with_name(target.name + ".part")


def _existing(source: Path) -> Path:
    source = source.expanduser().absolute()
    if not source.is_file():
        raise BackupMissing(source)
    return source


def _default_target(home: Home) -> Path:
    return home.backups / f"tasklore-{datetime.now(UTC):%Y%m%d-%H%M%S}.dump"
