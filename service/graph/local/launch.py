"""Bring up a server in a home that this process owns: the one that runs there already, or a new one."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from service.graph.local.admin import Admin
from service.graph.local.answers import answers, await_answer
from service.graph.local.configuration import MAIN_CLASS, Configuration, write_conf
from service.graph.local.home import Home
from service.graph.local.password import ensure_password
from service.graph.local.process import spawn, stop_process
from service.graph.local.provision import Installation
from service.graph.local.replacement import undo_interrupted
from service.graph.local.state import ServerState, forget_state, read_state, write_state

Progress = Callable[[str], None]


async def adopt_or_start(
    home: Home, wanted: Configuration, installation: Installation, progress: Progress, *, detached: bool
) -> ServerState:
    return await adopt(home, wanted, progress, detached=detached) or await start(
        home, wanted, installation, progress, detached=detached
    )


async def adopt(home: Home, wanted: Configuration, progress: Progress, *, detached: bool) -> ServerState | None:
    """The server that runs here already, when it is what we want. One that is not is stopped."""
    state = read_state(home)
    if state is None:
        return None
    if state.fingerprint == wanted.fingerprint and await answers(state.connection(home), seconds=20):
        progress(f"Using the local Neo4j that runs already (process {state.pid})")
        adopted = replace(state, detached=state.detached or detached)
        write_state(home, adopted)
        return adopted
    progress(f"Stopping a local Neo4j that was left running (process {state.pid}): it has other settings or is stuck")
    await stop_running(home, progress)
    return None


async def start(
    home: Home, wanted: Configuration, installation: Installation, progress: Progress, *, detached: bool
) -> ServerState:
    home.prepare()
    undo_interrupted(home)
    configuration = wanted.with_free_ports(progress)
    write_conf(home, configuration)
    await asyncio.to_thread(_set_password, home, installation)
    state = start_process(home, wanted, configuration, installation, detached=detached)
    try:
        await await_answer(home, state, progress)
    except BaseException:
        await stop_running(home, progress)
        raise
    return state


def start_process(
    home: Home,
    wanted: Configuration,
    actual: Configuration,
    installation: Installation,
    *,
    detached: bool,
    restarts: int = 0,
) -> ServerState:
    if home.console_log.exists():
        home.console_log.replace(home.console_log.with_suffix(".previous.log"))
    java = str(installation.java.path)
    process = spawn(
        [
            java,
            *actual.jvm_flags(),
            f"-XX:ErrorFile={home.logs}/jvm-crash.log",
            MAIN_CLASS,
            f"--home-dir={home.root}",
            f"--config-dir={home.conf}",
            "--console-mode",
        ],
        installation.environment(),
        home.console_log,
    )
    state = ServerState(
        pid=process.pid,
        created=process.created,
        bolt_port=actual.bolt_port,
        http_port=actual.http_port,
        java=java,
        version=actual.version,
        fingerprint=wanted.fingerprint,
        detached=detached,
        restarts=restarts,
    )
    write_state(home, state)
    return state


async def stop_running(home: Home, progress: Progress) -> bool:
    """Stop the server of this home. False when none was running."""
    state = read_state(home)
    if state:
        await stop_process(state.process, progress)
    forget_state(home)
    return state is not None


def _set_password(home: Home, installation: Installation) -> None:
    password = ensure_password(home)
    if not home.has_data:
        Admin(home, installation).set_initial_password(password)
