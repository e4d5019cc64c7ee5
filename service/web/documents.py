"""The documentation of this clone, as the plain text that it is."""

from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from service.runtime import DOCUMENTS

DOCS = Path(__file__).parents[2] / "docs"
HEADERS = {"x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; frame-ancestors 'none'"}


def document_names() -> list[str]:
    """Empty when the service was installed without its clone."""
    return sorted(file.name for file in DOCS.glob("*.md"))


def document_routes() -> list[Route]:
    """A route for each file: no path of a request is ever turned into a path of this machine."""
    return [Route(f"{DOCUMENTS}{name}", partial(_document, DOCS / name)) for name in document_names()]


def _document(file: Path, _request: Request) -> Response:
    return PlainTextResponse(file.read_bytes(), headers=HEADERS)
