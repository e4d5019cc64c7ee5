"""The socket that the service listens on."""

import socket
from collections.abc import Generator
from contextlib import contextmanager

from service.errors import TaskloreError
from service.settings import Settings


class AddressUnusable(TaskloreError):
    code = "address_unusable"

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(
            f"The service cannot listen on {host} port {port}: {reason}.",
            field="TASKLORE_PORT",
            remedy="Stop what uses it, or choose another with TASKLORE_PORT (and TASKLORE_HOST).",
        )


@contextmanager
def listening(settings: Settings, *, shared: bool = False) -> Generator[socket.socket]:
    """Bound before anything is started: a taken port is told at once, not after the database has come up.

    `shared`: other processes listen on the same address, each on a socket of its own, and the kernel deals out whoever
    connects. A process that is killed takes down only what was dealt to it.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise AddressUnusable(settings.host, settings.port, error.strerror or str(error)) from None
    with listener:
        yield listener
