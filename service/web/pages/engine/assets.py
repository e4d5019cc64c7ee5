"""The scripts and styles of the pages: ours from `shell/`, htmx out of its WebJar. An address names what it holds."""

import hashlib
import zipfile
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.runtime.runtime import FILES
from service.web.pages.engine.documents import FOLDER

OWN = ("pages.css", "pages.js", "live.js", "picture.js")
HTMX = "htmx.js"
_JAR, _INSIDE = "htmx.org-", "/dist/htmx.min.js"
KEPT = {"cache-control": "max-age=31536000, immutable"}


class Assets:
    def __init__(self, jars: Iterable[Path]) -> None:
        self._jars = tuple(jars)

    def address(self, name: str) -> str:
        return f"{FILES}{name}?{_digest(self.content(name))}"

    def content(self, name: str) -> bytes:
        return _from_jar(self._jars) if name == HTMX else _own(name)

    def routes(self) -> list[Route]:
        async def file(request: Request) -> Response:
            name = request.path_params["name"]
            if name not in (*OWN, HTMX):
                return Response(status_code=404)
            kind = "text/css" if name.endswith(".css") else "text/javascript"
            return Response(self.content(name), headers=KEPT, media_type=kind)

        return [Route(f"{FILES}{{name}}", file)]


@cache
def _own(name: str) -> bytes:
    return resources.files(FOLDER).joinpath("shell", name).read_bytes()


@cache
def _from_jar(jars: tuple[Path, ...]) -> bytes:
    jar = next(one for one in jars if one.name.startswith(_JAR))
    with zipfile.ZipFile(jar) as archive:
        return archive.read(next(one for one in archive.namelist() if one.endswith(_INSIDE)))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
