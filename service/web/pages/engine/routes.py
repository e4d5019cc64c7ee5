"""The pages' routes: a request becomes variables, these an answer of the API, and that a page."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Template
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType
from ulid import ULID

from resolvers.engine.http import GraphQLApp
from service.access.perimeter import FORMS
from service.errors import TaskloreError
from service.web.explorer import EXPLORER
from service.web.pages.engine.actions import (
    WROTE,
    Action,
    Done,
    actions,
    back_to,
    carried_out,
    fields_of,
    safe_back,
    session_of,
)
from service.web.pages.engine.answers import NOTHING_THERE, Refusal, refusals
from service.web.pages.engine.assets import Assets
from service.web.pages.engine.documents import KNOWN, SHELL, Fields, Question, question, variables_of
from service.web.pages.engine.page import Asked, Page
from service.web.pages.engine.rendering import templates
from service.web.pages.engine.tokens import check_token, token_for
from service.web.pages.site import PAGES, SECTIONS

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# Not `no-referrer`: a form's request would then have the origin `null`, and be refused.
HEADERS = {"content-security-policy": POLICY, "referrer-policy": "same-origin", "vary": "HX-Request"}
DONE = "done"
ASKING = frozenset(one.form for one in PAGES if one.form)
_READS, _CHANGES = (OperationType.QUERY,), (OperationType.MUTATION,)


def page_routes(api: Sequence[BaseRoute], jars: Iterable[Path], *, explorer: bool) -> list[Route]:
    """They ask the API's own endpoint, in process, as whoever the guard let in."""
    [graphql] = [one.endpoint for one in api if isinstance(one, Route) and isinstance(one.endpoint, GraphQLApp)]
    site = Site(graphql, Assets(jars), explorer=explorer)
    pages = [Route(one.address, site.page(one)) for one in PAGES]
    forms = [Route(FORMS + one.form, site.asked_by_form(one), methods=["POST"]) for one in PAGES if one.form]
    return [*pages, *forms, Route(f"{FORMS}{{name}}", site.act, methods=["POST"]), *site.assets.routes()]


class Site:
    def __init__(self, graphql: GraphQLApp, assets: Assets, *, explorer: bool) -> None:
        self.assets = assets
        self._graphql = graphql
        self._explorer = explorer
        self._schema = graphql.schema.core_schema
        self._actions = actions(self._schema)

    def page(self, page: Page) -> Any:
        asked, template = self._parts_of(page)

        async def shown(request: Request) -> Response:
            return await self._shown(request, page, asked, template)

        return shown

    def asked_by_form(self, page: Page) -> Any:
        """The same page, with what a form of ours brings as its variables."""
        asked, template = self._parts_of(page)

        async def shown(request: Request) -> Response:
            fields = await fields_of(request)
            try:
                check_token(session_of(request), page.form, dict(fields).get("token", ""))
            except TaskloreError as error:
                return self._refused(request, Refusal.of(error), page.address)
            return await self._shown(request, page, asked, template, [one for one in fields if one[0] != "token"])

        return shown

    def _parts_of(self, page: Page) -> tuple[Question, Template]:
        asked = question(self._schema, f"{page.folder}/query.graphql", *page.fragments, SHELL)
        return asked, templates().get_template(f"{page.folder}/page.html")

    async def act(self, request: Request) -> Response:
        action = self._actions.get(request.path_params["name"])
        if action is None:
            return self._refused(request, NOTHING_THERE)
        done = await carried_out(self._changed, action, request)
        if _is_part(request):
            told: dict[str, Any] = {**_outcome(action, done), "data": done.data}
            return HTMLResponse(templates().get_template(told["shown"]).render(told), headers=HEADERS)
        if done.refusal:
            return self._refused(request, done.refusal, done.given.get("back", ""))
        return self._once(request, action, done) if action.shows else back_to(done, action)

    def _once(self, request: Request, action: Action, done: Done) -> Response:
        """A page for what is shown this once."""
        told = self._around(request, "", None, {}) | _outcome(action, done)
        told |= {"back": safe_back(done.given), "data": done.data}
        return HTMLResponse(rendered(templates().get_template("shell/once.html"), told, ""), headers=HEADERS)

    async def _shown(
        self, request: Request, page: Page, question: Question, template: Template, sent: Fields | None = None
    ) -> Response:
        """`sent` are the fields of a form; else those of the address count."""
        given = request.query_params.multi_items() if sent is None else sent
        fields = [one for one in given if one[0] != DONE]
        part = _part_of(request, question)
        try:
            variables = variables_of(question, [*request.path_params.items(), *fields])
        except TaskloreError as error:
            return self._refused(request, Refusal.of(error))
        if page.by_id and "source" in variables["record"]:
            variables |= await self._known(request, variables["record"])
        variables |= (page.settle(variables) if page.settle else {}) | question.only(part)
        answer = await self._asked(request, question, variables)
        refused, data = refusals(answer), answer.data
        if data is None or (page.root and data.get(page.root) is None):
            return self._refused(request, refused[0] if refused else NOTHING_THERE)
        asked = Asked(page.address if sent is not None else request.url.path, tuple(fields), variables)
        told = self._around(request, page.section, question, variables) | {"refusals": refused, "asked": asked}
        if sent is not None:
            told["back"] = page.address
        told |= {"data": data, "part": part} | (page.view(data, asked) if page.view else {})
        return HTMLResponse(rendered(template, told, part), headers=HEADERS)

    async def _known(self, request: Request, record: dict[str, str]) -> dict[str, Any]:
        """The record by its id, where there is one that may be seen."""
        found = (await self._asked(request, question(self._schema, KNOWN), record)).data
        return {"record": {"id": found["node"]["id"]}} if found and found["node"] else {}

    async def _asked(self, request: Request, question: Question, variables: dict[str, Any]) -> ExecutionResult:
        return await self._graphql.asked(request, question.text, variables, _READS, request.cookies.get(WROTE))

    async def _changed(self, request: Request, question: Question, variables: dict[str, Any]) -> ExecutionResult:
        return await self._graphql.asked(request, question.text, variables, _CHANGES)

    def _refused(self, request: Request, refusal: Refusal, back: str = "") -> Response:
        told = self._around(request, "", None, {})
        told |= {"refusal": refusal, "back": back, "data": dict[str, Any](), "part": ""}
        template = templates().get_template("shell/refused.html")
        html = rendered(template, told, "main" if _is_part(request) else "")
        return HTMLResponse(html, refusal.status, HEADERS)

    def _around(
        self, request: Request, section: str, asked: Question | None, variables: dict[str, Any]
    ) -> dict[str, Any]:
        session = session_of(request)
        done = self._actions.get(request.query_params.get(DONE, ""))
        return {
            "asset": self.assets.address,
            "sections": SECTIONS,
            "section": section,
            "explorer": self._explorer,
            "question": asked,
            "in_explorer": _in_explorer(asked, variables) if asked and self._explorer else "",
            "token": self._tokens(session),
            "command_id": lambda: f"page_{ULID()}",
            "back": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            "done": done.done if done else "",
            "refusals": [],
        }

    def _tokens(self, session: str) -> Callable[[str], str]:
        """A form for what there is not is a mistake of the template, and found by every test that shows it."""

        def token(name: str) -> str:
            return token_for(session, name if name in ASKING else self._actions[name].name)

        return token


def _outcome(action: Action, done: Done) -> dict[str, Any]:
    shown = action.shows if action.shows and not done.refusal else "shell/outcome.html"
    return dict[str, Any](action=action, refusal=done.refusal, shown=shown)


def _is_part(request: Request) -> bool:
    return "hx-request" in request.headers and "hx-boosted" not in request.headers


def _part_of(request: Request, question: Question) -> str:
    """The part that a swap is for: the element that htmx names is the block of that name."""
    target = request.headers.get("hx-target", "") if _is_part(request) else ""
    return target if target in question.parts else ""


def rendered(template: Template, told: dict[str, Any], part: str) -> str:
    """The page, or one block of it. A block alone knows nothing of what its template imports, so macros are given."""
    told |= {"ui": templates().get_template("shell/macros.html").make_module(told)}
    return "".join(template.blocks[part](template.new_context(told))) if part else template.render(told)


def _in_explorer(asked: Question, variables: dict[str, Any]) -> str:
    """Behind the `#`, which no browser sends: what somebody asked for stays out of logs."""
    return f"{EXPLORER}#{quote(json.dumps({'query': asked.text, 'variables': variables}))}"
