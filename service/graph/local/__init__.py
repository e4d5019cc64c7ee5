"""A real Neo4j for people who have none: provisioned, bound to loopback, supervised."""

from service.graph.local.backup import backup, restore
from service.graph.local.borrow import borrowed
from service.graph.local.detached import reset, start_detached, stop
from service.graph.local.errors import HomeInUse
from service.graph.local.provision import Installation, provision
from service.graph.local.server import LocalServer
from service.graph.local.state import Connection
from service.graph.local.status import ServerStatus, status
from service.graph.local.watched import WatchedServer

LocalNeo4j = LocalServer | WatchedServer

__all__ = [
    "Connection",
    "HomeInUse",
    "Installation",
    "LocalNeo4j",
    "LocalServer",
    "ServerStatus",
    "WatchedServer",
    "backup",
    "borrowed",
    "provision",
    "reset",
    "restore",
    "start_detached",
    "status",
    "stop",
]
