"""A small real HTTP server that answers what it was told to, one after another, and keeps what it was asked."""

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: str = '{"data": {}}'
    headers: dict[str, str] = field(default_factory=dict[str, str])


class Dropped:
    """The connection ends without an answer."""


@dataclass
class Answering:
    url: str
    asked: list[bytes] = field(default_factory=list[bytes])
    bookmarks: list[str | None] = field(default_factory=list[str | None])


@contextmanager
def answering(*answers: Answer | type[Dropped]) -> Generator[Answering]:
    """The last one is given again and again."""
    left: Sequence[Answer | type[Dropped]] = [*answers]
    told = Answering("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            told.asked.append(self.rfile.read(int(self.headers["content-length"])))
            told.bookmarks.append(self.headers["tasklore-bookmark"])
            one = left[min(len(told.asked), len(left)) - 1]
            if not isinstance(one, Answer):
                self.close_connection = True
                self.connection.close()
                return
            body = one.body.encode()
            self.send_response(one.status)
            for name, value in {**one.headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
