"""A server that goes on without a service: what `tasklore db` does."""

import asyncio
import shutil
from collections.abc import Callable

from service.graph.local.configuration import Configuration
from service.graph.local.home import Home
from service.graph.local.launch import adopt_or_start, stop_running
from service.graph.local.provision import provision
from service.graph.local.status import ServerStatus, status
from service.settings import Settings

Progress = Callable[[str], None]


async def start_detached(settings: Settings, progress: Progress) -> ServerStatus:
    """Start the server, or find it running, and leave it running."""
    home = Home(settings)
    if (now := await status(settings)).state == "running" and now.owner_pid:
        progress(f"It runs already, under process {now.owner_pid}, and stops with that")
        return now
    with home.owned("tasklore db start"):
        installation = await asyncio.to_thread(provision, settings, progress)
        await adopt_or_start(home, Configuration.wanted(settings), installation, progress, detached=True)
    return await status(settings)


async def stop(settings: Settings, progress: Progress) -> bool:
    """Stop a server that no service supervises. False when none was running."""
    home = Home(settings)
    with home.owned("tasklore db stop"):
        return await stop_running(home, progress)


async def reset(settings: Settings, progress: Progress) -> None:
    """Remove the database, its password and its logs. Backups stay."""
    home = Home(settings)
    with home.owned("tasklore db reset"):
        await stop_running(home, progress)
        for folder in (home.data, home.conf, home.logs):
            shutil.rmtree(folder, ignore_errors=True)
        home.password_file.unlink(missing_ok=True)
