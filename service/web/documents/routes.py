"""The pages' addresses. What is asked for is looked up in a list of files, and never turned into a path."""

from functools import cache
from html import escape
from importlib import resources
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from service.runtime.runtime import DOCUMENTS
from service.web.documents.index import Found, search
from service.web.documents.library import README, files, groups, media_type, title_of
from service.web.documents.markdown import headings, render, tokens_of
from service.web.explorer import EXPLORER

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
OWN_FILES = {"docs.css": "text/css", "docs.js": "text/javascript"}
OWN = f"{DOCUMENTS}-/"
QUERY_CHARACTERS = 200
INSTALLED_ALONE = "The documentation is in the folder docs of the source."


def document_routes(*, explorer: bool) -> list[Route]:
    """`explorer` says whether it is served: what leads to it is left out where it is not."""

    def page(request: Request) -> Response:
        return _file(request.path_params.get("name", README), explorer=explorer)

    def found(request: Request) -> Response:
        return _search(request.query_params.get("q", "")[:QUERY_CHARACTERS], explorer=explorer)

    def own(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in OWN_FILES:
            return _missing()
        return Response(_own(name), headers={**HEADERS, "cache-control": "max-age=3600"}, media_type=OWN_FILES[name])

    return [
        Route(DOCUMENTS.rstrip("/"), page),
        Route(DOCUMENTS, page),
        Route(f"{DOCUMENTS}search", found),
        Route(f"{OWN}{{name}}", own),
        Route(f"{DOCUMENTS}{{name:path}}", page),
    ]


def _file(name: str, *, explorer: bool) -> Response:
    if name not in files():
        return _missing()
    if name.endswith(".md"):
        return _page(_html(name, explorer=explorer))
    headers = HEADERS | {"content-security-policy": PICTURE_POLICY}
    return Response(files()[name].read_bytes(), headers=headers, media_type=media_type(name))


def _missing() -> Response:
    return PlainTextResponse("There is no such page." if files() else INSTALLED_ALONE, 404, HEADERS)


def _page(html: str) -> Response:
    return HTMLResponse(html, headers=HEADERS | {"content-security-policy": POLICY})


@cache
def _html(name: str, *, explorer: bool) -> str:
    text = files()[name].read_text("utf-8")
    told = text if explorer else _without_explorer(text)
    return _framed(title_of(name), render(name, told), current=name, contents=_contents(told))


def _search(asked: str, *, explorer: bool) -> Response:
    hits = [one for one in search(asked) if explorer or EXPLORER not in one.excerpt] if asked else []
    count = f"{len(hits)} sections, the nearest first" if hits else "Nothing has these words."
    told = f"<p>{count}</p>" + "".join(map(_hit, hits)) if asked.strip() else "<p>Type some words above.</p>"
    return _page(_framed("Search", f"<h1>Search</h1>{told}", asked=asked))


def _hit(found: Found) -> str:
    section = found.section
    place = escape(section.title if section.heading == section.title else f"{section.title}: {section.heading}")
    link = f"{DOCUMENTS}{section.page}#{section.anchor}"
    return f'<div class="found"><a href="{escape(link)}">{place}</a><p>{escape(found.excerpt)}</p></div>'


def _framed(title: str, content: str, *, current: str = "", contents: str = "", asked: str = "") -> str:
    return Template(_own("page.html").decode()).substitute(
        title=escape(title), content=content, groups=_groups(current), contents=contents, asked=escape(asked)
    )


def _groups(current: str) -> str:
    return "".join(
        f'<h2 id="{escape(group.title.lower())}">{escape(group.title)}</h2><ul>'
        + "".join(f"<li>{_link(name, current)}</li>" for name in group.pages)
        + "</ul>"
        for group in groups()
    )


def _link(name: str, current: str) -> str:
    here = ' aria-current="page"' if name == current else ""
    return f'<a href="{escape(DOCUMENTS + name)}"{here}>{escape(title_of(name))}</a>'


def _contents(text: str) -> str:
    told = [one for one in headings(tokens_of(text)) if one.level in (2, 3)]
    rows = [
        f'<li><a href="#{one.anchor}"{" class=deeper" if one.level == 3 else ""}>{escape(one.text)}</a></li>'
        for one in told
    ]
    return f"<h2>On this page</h2><ul>{''.join(rows)}</ul>" if len(rows) > 1 else ""


def _without_explorer(text: str) -> str:
    """Without the lines of output that name an address which is not served."""
    return "".join(line for line in text.splitlines(keepends=True) if EXPLORER not in line)


@cache
def _own(name: str) -> bytes:
    return (resources.files(__package__ or "") / name).read_bytes()
