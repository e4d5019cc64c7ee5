"""A Maven repository on loopback, with files that a test can spoil."""

import hashlib
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from service.artifacts import Artifact, Lock


class Repository:
    """`files` maps a path to its content; `requests` lists what was asked for, checksums of the repository left out."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.truncate = False
        self.address = ""

    @property
    def addresses(self) -> dict[str, str]:
        return {"test": self.address}

    def publish(self, *names: str, content: bytes = b"content of ") -> Lock:
        return Lock({"things": tuple(self._publish(name, content + name.encode()) for name in names)})

    def _publish(self, name: str, content: bytes) -> Artifact:
        digest = hashlib.sha256(content).hexdigest()
        artifact = Artifact("org.example", name, "1.0", f"{name}-1.0.jar", digest, len(content))
        self.files[f"/{artifact.path.as_posix()}"] = content
        return artifact


@contextmanager
def serving() -> Generator[Repository]:
    repository = Repository()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.endswith(".sha1"):
                repository.requests.append(self.path)
            content = repository.files.get(self.path)
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write((content or b"")[: 3 if repository.truncate else None])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
            """The test's output stays its own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        repository.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield repository
        finally:
            server.shutdown()
            thread.join()
