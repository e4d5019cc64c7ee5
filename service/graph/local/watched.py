"""The local Neo4j as a process finds it whose parent started it and watches over it."""

from service.graph.local.errors import NotRunning
from service.graph.local.home import Home
from service.graph.local.password import USER
from service.graph.local.server import State
from service.graph.local.state import Connection, read_state
from service.settings import Settings


class WatchedServer:
    def __init__(self, settings: Settings) -> None:
        self.home = Home(settings)
        found = read_state(self.home)
        if found is None:
            raise NotRunning(self.home.root.parent)
        self._found = found  # it is started again on the same ports

    @property
    def state(self) -> State:
        return "running" if read_state(self.home) else "restarting"

    @property
    def restarts(self) -> int:
        now = read_state(self.home)
        self._found = now or self._found
        return self._found.restarts

    @property
    def connection(self) -> Connection:
        return self._found.connection(self.home)

    @property
    def uri(self) -> str:
        return self._found.uri

    @property
    def user(self) -> str:
        return USER

    @property
    def browser_url(self) -> str:
        return self._found.browser_url
