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

from service.access.caller import Caller
from service.access.perimeter import FORMS
from service.errors import TaskloreError
from service.web.pages.engine.answers import Refusal, refusal_of
from service.web.pages.engine.documents import FOLDER, Question, question, text_of, variables_of
from service.web.pages.engine.page import own_page
from service.web.pages.engine.tokens import check_token

Ask = Callable[[Request, Question, dict[str, Any]], Awaitable[ExecutionResult]]
ENDING = ".graphql"


@dataclass(frozen=True)
class Action:
    name: str
    question: Question
    done: str
    """What is said when it was carried out: the comment in the document's first line."""

    @property
    def address(self) -> str:
        return FORMS + self.name


def actions(schema: GraphQLSchema) -> dict[str, Action]:
    folder = resources.files(FOLDER).joinpath("actions")
    names = sorted(one.name.removesuffix(ENDING) for one in folder.iterdir() if one.name.endswith(ENDING))
    return {name: _action(schema, name) for name in names}


def _action(schema: GraphQLSchema, name: str) -> Action:
    file = f"actions/{name}{ENDING}"
    return Action(name, question(schema, file), text_of(file).splitlines()[0].lstrip("# "))


async def carried_out(ask: Ask, action: Action, request: Request) -> tuple[dict[str, str], Refusal | None]:
    """The fields of the form, and why nothing was done, if so."""
    fields = parse_qsl((await request.body()).decode("utf-8", "replace"))
    given = dict(fields)
    try:
        check_token(session_of(request), action.name, given.get("token", ""))
        variables = variables_of(action.question, fields)
    except TaskloreError as error:
        return given, Refusal.of(error)
    result = await ask(request, action.question, variables)
    return given, refusal_of(result)


def session_of(request: Request) -> str:
    """What the browser's forms are bound to: its cookie, or for programs their key."""
    caller = Caller(request.scope)
    return caller.cookie or caller.bearer or ""


def back_to(given: dict[str, str], action: Action) -> Response:
    """To the page that the form stood on, and never to another place."""
    back = own_page(given.get("back", "")) or "/home"
    path, mark, anchor = back.partition("#")
    joined = "&" if "?" in path else "?"
    return RedirectResponse(f"{path}{joined}done={action.name}{mark}{anchor}", 303)
