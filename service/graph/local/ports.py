"""Ports on loopback: the wanted one, or a free one that is told to the user."""

import socket
from collections.abc import Callable

LOOPBACK = "127.0.0.1"


def choose_port(wanted: int, purpose: str, progress: Callable[[str], None], *, not_this: int | None = None) -> int:
    if wanted != not_this and is_free(wanted):
        return wanted
    chosen = _any_free(not_this)
    progress(f"Port {wanted} is taken; the local Neo4j uses {chosen} for {purpose}")
    return chosen


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the server does it: a port whose last connections still linger is free, one that is listened on is not.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return not is_open(port)


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0


def _any_free(not_this: int | None) -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port = int(probe.getsockname()[1])
        return port if port != not_this else _any_free(not_this)
