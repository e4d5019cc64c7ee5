"""The documentation of this clone, as the plain text that it is."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from service.runtime.runtime import DOCUMENTS
from service.web.explorer import EXPLORER

DOCS = Path(__file__).parents[2] / "docs"
HEADERS = {"x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; frame-ancestors 'none'"}


def document_names() -> list[str]:
    """Empty when the service was installed without its clone."""
    return sorted(file.name for file in DOCS.glob("*.md"))


def document_routes(*, explorer: bool) -> list[Route]:
    """A route for each file: no path of a request is ever turned into a path of this machine."""
    text_of = Path.read_bytes if explorer else _without_explorer
    return [Route(f"{DOCUMENTS}{name}", partial(_document, text_of, DOCS / name)) for name in document_names()]


def _document(text_of: Callable[[Path], bytes], file: Path, _request: Request) -> Response:
    return PlainTextResponse(text_of(file), headers=HEADERS)


def _without_explorer(file: Path) -> bytes:
    """Without the lines of output that name an address which is not served."""
    return b"".join(line for line in file.read_bytes().splitlines(keepends=True) if EXPLORER.encode() not in line)
