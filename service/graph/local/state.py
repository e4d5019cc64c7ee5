"""The state file: which server runs in a home. It outlives a service that is killed, so its server can be found."""

import json
from dataclasses import asdict, dataclass

from service.graph.local.home import Home
from service.graph.local.password import USER, read_password
from service.graph.local.ports import LOOPBACK
from service.graph.local.process import ServerProcess


@dataclass(frozen=True)
class Connection:
    """How to reach a running local server."""

    uri: str
    browser_url: str
    user: str
    password: str


@dataclass(frozen=True)
class ServerState:
    pid: int
    created: float
    bolt_port: int
    http_port: int
    java: str
    version: str
    fingerprint: str
    detached: bool
    """Whether it was asked to go on without a service (`tasklore db start`)."""
    restarts: int = 0
    """Times that its service has started it again."""

    @property
    def process(self) -> ServerProcess:
        return ServerProcess(self.pid, self.created)

    @property
    def uri(self) -> str:
        return f"bolt://{LOOPBACK}:{self.bolt_port}"

    @property
    def browser_url(self) -> str:
        return f"http://{LOOPBACK}:{self.http_port}/browser/"

    def connection(self, home: Home) -> Connection:
        return Connection(self.uri, self.browser_url, USER, read_password(home))


def read_state(home: Home) -> ServerState | None:
    """The server that runs in the home; None when there is none, whatever the file says."""
    try:
        state = ServerState(**json.loads(home.state_file.read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None
    return state if state.process.alive else None


def write_state(home: Home, state: ServerState) -> None:
    part = home.state_file.with_suffix(".part")
    part.write_text(json.dumps(asdict(state), indent=1) + "\n")
    part.replace(home.state_file)


def forget_state(home: Home) -> None:
    home.state_file.unlink(missing_ok=True)
