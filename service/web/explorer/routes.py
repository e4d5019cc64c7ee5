"""The explorer's page and its files. Scripts come out of the provisioned jars; nothing is fetched from elsewhere."""

import zipfile
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

EXPLORER = "/explorer"
FILES = f"{EXPLORER}/files/"

SCRIPT, STYLE = "text/javascript", "text/css"


class WebFile(NamedTuple):
    """A file inside a WebJar."""

    artifact: str
    path: str
    media_type: str


WEB_FILES = {
    "react.js": WebFile("react-18", "umd/react.production.min.js", SCRIPT),
    "react-dom.js": WebFile("react-dom-", "umd/react-dom.production.min.js", SCRIPT),
    "graphql-ws.js": WebFile("graphql-ws-", "umd/graphql-ws.min.js", SCRIPT),
    "graphiql.js": WebFile("graphiql-", "graphiql.min.js", SCRIPT),
    "graphiql.css": WebFile("graphiql-", "graphiql.min.css", STYLE),
}
OWN_FILES = {"explorer.js": SCRIPT, "explorer.css": STYLE}

# GraphiQL's editor sets styles on its elements, and carries its fonts and icons inside its style sheet.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}


def explorer_routes(jars: Iterable[Path]) -> list[Route]:
    found = list(jars)

    async def page(_request: Request) -> Response:
        return HTMLResponse(_own("explorer.html"), headers={**HEADERS, "content-security-policy": POLICY})

    async def list_examples(_request: Request) -> Response:
        return Response(orjson.dumps(examples()), media_type="application/json", headers=HEADERS)

    async def file(request: Request) -> Response:
        content, media_type = _file(tuple(found), request.path_params["name"])
        return Response(content, 200 if content else 404, {**HEADERS, "cache-control": "max-age=3600"}, media_type)

    return [
        Route(EXPLORER, page),
        Route(f"{EXPLORER}/examples", list_examples),
        Route(f"{FILES}{{name}}", file),
    ]


@cache
def examples() -> list[dict[str, str]]:
    """The example documents, by the order of their file names. The first line of each has its group and its title."""
    folder = resources.files(__package__ or "") / "examples"
    files = sorted((one for one in folder.iterdir() if one.name.endswith(".graphql")), key=lambda one: one.name)
    return [_example(one.read_text("utf-8")) for one in files]


def _example(text: str) -> dict[str, str]:
    group, _, title = text.splitlines()[0].lstrip("# ").partition(": ")
    return {"group": group, "title": title, "query": text}


@cache
def _file(jars: tuple[Path, ...], name: str) -> tuple[bytes, str]:
    if name in OWN_FILES:
        return _own(name), OWN_FILES[name]
    if name not in WEB_FILES:
        return b"", SCRIPT
    wanted = WEB_FILES[name]
    jar = next(one for one in jars if one.name.startswith(wanted.artifact))
    with zipfile.ZipFile(jar) as archive:
        inside = next(one for one in archive.namelist() if one.endswith(f"/{wanted.path}"))
        return archive.read(inside), wanted.media_type


def _own(name: str) -> bytes:
    return (resources.files(__package__ or "") / name).read_bytes()
