"""What is known about the server of a home, for people and for health checks."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from service.graph.local.answers import answers
from service.graph.local.home import Home
from service.graph.local.password import USER
from service.graph.local.state import ServerState, read_state
from service.settings import Settings


@dataclass(frozen=True)
class ServerStatus:
    state: Literal["running", "not_answering", "stopped"]
    home: Path
    password_file: Path
    user: str = USER
    pid: int | None = None
    owner_pid: int | None = None
    """The service or command that supervises it, if any."""
    detached: bool = False
    uri: str | None = None
    browser_url: str | None = None
    version: str | None = None
    java: str | None = None
    started_at: str | None = None

    @property
    def running(self) -> bool:
        return self.state != "stopped"


async def status(settings: Settings) -> ServerStatus:
    home = Home(settings)
    server = read_state(home)
    if server is None:
        return ServerStatus("stopped", home.root, home.password_file, owner_pid=home.owner())
    return ServerStatus(
        state="running" if await answers(server.connection(home)) else "not_answering",
        home=home.root,
        password_file=home.password_file,
        pid=server.pid,
        owner_pid=home.owner(),
        detached=server.detached,
        uri=server.uri,
        browser_url=server.browser_url,
        version=server.version,
        java=server.java,
        started_at=_started_at(server),
    )


def _started_at(server: ServerState) -> str:
    moment = datetime.fromtimestamp(server.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
