"""Posts: each runs the one mutation of its document, with fields of its form as variables."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl

from graphql import GraphQLSchema
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from strawberry.types import ExecutionResult

from resolvers.engine.execution import BOOKMARK
from service import clock
from service.access.caller import Caller
from service.access.perimeter import FORMS
from service.errors import TaskloreError
from service.web.pages.engine.answers import Refusal, refusal_of
from service.web.pages.engine.documents import FOLDER, Question, question, text_of, variables_of
from service.web.pages.engine.page import own_page
from service.web.pages.engine.tokens import check_token

Ask = Callable[[Request, Question, dict[str, Any]], Awaitable[ExecutionResult]]
ENDING = ".graphql"
SHOWN = ".html"
NOW = "now"
"""A variable that no form fills: when it was sent."""
WROTE = "tasklore_wrote"
"""A cookie with the bookmark of what a form has just written: the page behind it may be answered by another process."""
WROTE_SECONDS = 30


@dataclass(frozen=True)
class Action:
    name: str
    question: Question
    done: str
    """What is said when it was carried out: the comment in the document's first line."""
    shows: str | None = None
    """The template for what it brought, where that is shown once: nobody is led back to where it cannot be seen."""

    @property
    def address(self) -> str:
        return FORMS + self.name


def actions(schema: GraphQLSchema) -> dict[str, Action]:
    folder = resources.files(FOLDER).joinpath("actions")
    names = sorted(one.name.removesuffix(ENDING) for one in folder.iterdir() if one.name.endswith(ENDING))
    return {name: _action(schema, name) for name in names}


def _action(schema: GraphQLSchema, name: str) -> Action:
    file, template = f"actions/{name}{ENDING}", f"actions/{name}{SHOWN}"
    shows = template if resources.files(FOLDER).joinpath(template).is_file() else None
    return Action(name, question(schema, file), text_of(file).splitlines()[0].lstrip("# "), shows)


@dataclass(frozen=True)
class Done:
    """The fields of a form, and what came of them: data, or why nothing was done."""

    given: dict[str, str]
    refusal: Refusal | None = None
    data: dict[str, Any] | None = None
    bookmark: str | None = None


async def carried_out(ask: Ask, action: Action, request: Request) -> Done:
    fields = await fields_of(request)
    given = dict(fields)
    try:
        check_token(session_of(request), action.name, given.get("token", ""))
        variables = variables_of(action.question, fields)
        if NOW in action.question.variables:
            variables[NOW] = clock.now()
    except TaskloreError as error:
        return Done(given, Refusal.of(error))
    result = await ask(request, action.question, variables)
    return Done(given, refusal_of(result), result.data, (result.extensions or {}).get(BOOKMARK))


async def fields_of(request: Request) -> list[tuple[str, str]]:
    return parse_qsl((await request.body()).decode("utf-8", "replace"))


def session_of(request: Request) -> str:
    """What the browser's forms are bound to: its cookie, or for programs their key."""
    caller = Caller(request.scope)
    return caller.cookie or caller.bearer or ""


def safe_back(given: dict[str, str]) -> str:
    """The page that the form stood on, and never another place."""
    return own_page(given.get("back", "")) or "/home"


def back_to(done: Done, action: Action) -> Response:
    path, mark, anchor = safe_back(done.given).partition("#")
    joined = "&" if "?" in path else "?"
    answer = RedirectResponse(f"{path}{joined}done={action.name}{mark}{anchor}", 303)
    if done.bookmark:
        answer.set_cookie(WROTE, done.bookmark, max_age=WROTE_SECONDS, httponly=True, samesite="strict")
    return answer
