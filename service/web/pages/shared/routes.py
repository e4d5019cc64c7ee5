"""`/share/{secret}`: what somebody outside sees. It knows the manifest, and nobody's name, rights or other pages."""

import math
from collections.abc import Iterator, Mapping

from jinja2 import Environment, meta, nodes
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from service.errors import TaskloreError
from service.sharing.errors import ShareGone, ShareRateLimited
from service.sharing.http import UNLISTED, opened
from service.sharing.opening import SharedDoor
from service.web.pages.engine.assets import Assets
from service.web.pages.engine.errors import ShellDependency
from service.web.pages.engine.rendering import templates
from service.web.pages.shared.view import view

SHARED = "/share/"
PAGE, GONE, LANDING = "shared/page.html", "shared/gone.html", "shared/landing.html"
HANDED = frozenset({"asset", "path", "part", "share", "refusal"})
"""All that a shared page is handed. `part`: whether it shows one record or section, not all."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {**UNLISTED, "content-security-policy": POLICY, "referrer-policy": "no-referrer", "cache-control": "no-store"}
_SHELL = "shell/shell"


def shared_routes(door: SharedDoor, assets: Assets) -> list[Route]:
    environment = templates()
    for name in (PAGE, GONE, LANDING):
        check_shell_free(environment, name)

    async def show(request: Request) -> Response:
        told = {"asset": assets.address, "path": request.url.path, "part": bool(request.url.query)}
        if _comes_from_elsewhere(request):
            return HTMLResponse(environment.get_template(LANDING).render(told), headers=HEADERS)
        try:
            manifest = await opened(door, request)
        except TaskloreError as error:
            return _refused(environment, error, told)
        page = environment.get_template(PAGE).render(told, share=view(manifest.as_json()))
        return HTMLResponse(page, headers=HEADERS)

    return [Route(f"{SHARED}{{secret}}", show, methods=["GET"])]


def _comes_from_elsewhere(request: Request) -> bool:
    """By a link on another site, as in web mail: a browser then keeps back who has signed in. From our own page on, it
    does not."""
    return request.headers.get("sec-fetch-site") == "cross-site" and not request.cookies


def check_shell_free(environment: Environment, name: str) -> None:
    """Refuse a page that could not be shown to somebody who is no principal."""
    for used, source in _sources(environment, name):
        needs = [used] if used.startswith(_SHELL) else []
        if used == name:
            needs += sorted(_asked_for(environment.parse(source)) - HANDED)
        if needs:
            raise ShellDependency(name, needs)


def _asked_for(template: nodes.Template) -> set[str]:
    """What it is to be handed; not what it takes from other templates."""
    taken = {name for one in template.find_all(nodes.FromImport) for name in one.names}
    return meta.find_undeclared_variables(template) - {one[-1] if isinstance(one, tuple) else one for one in taken}


def _sources(environment: Environment, name: str) -> Iterator[tuple[str, str]]:
    """A template, and all that it is put together from."""
    assert environment.loader is not None  # noqa: S101 - ours has one
    source, _, _ = environment.loader.get_source(environment, name)
    yield name, source
    for one in meta.find_referenced_templates(environment.parse(source)):
        if one is not None:
            yield from _sources(environment, one)


def _refused(environment: Environment, error: TaskloreError, told: Mapping[str, object]) -> Response:
    limited = isinstance(error, ShareRateLimited)
    status = 429 if limited else 404 if isinstance(error, ShareGone) or error.code == "not_found" else 503
    page = environment.get_template(GONE).render(told, refusal=error)
    answer = HTMLResponse(page, status, HEADERS)
    if limited:
        answer.headers["retry-after"] = str(math.ceil(error.seconds))
    return answer
