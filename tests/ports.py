"""Ports that are free. The kernel gives another one each time, so that tests in several processes do not meet."""

import socket


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
