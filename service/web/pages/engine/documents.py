"""The documents of pages and posts, and their variables, which are read from addresses and forms."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, cast

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    OperationDefinitionNode,
    parse,
)
from graphql import type_from_ast as _typed  # pyright: ignore[reportUnknownVariableType] - generic lists

from service.mcp.arguments import PARTS, REFERENCE, reference
from service.web.pages.engine.errors import NotANumber, NotOneOf

FOLDER = "service.web.pages"
SHELL = "shell/shell.graphql"
KNOWN = "shell/known.graphql"
SHOW = "show"
NOTHING = "nothing"
"""A field of this name names another that is to be emptied: an empty field is one that nobody filled in."""
_WITHOUT_ZONE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?")

Fields = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Question:
    """A document with the types of its variables."""

    text: str
    name: str
    variables: Mapping[str, Any]
    parts: tuple[str, ...]
    """The parts that can be asked for alone: the variable `$showSteps` says whether `steps` is asked for."""

    def only(self, part: str) -> dict[str, bool]:
        """What asks for one part alone; nothing where there is no such part."""
        return {f"{SHOW}{one.title()}": one == part for one in self.parts} if part in self.parts else {}


def question(schema: GraphQLSchema, *files: str) -> Question:
    text = "\n".join(text_of(one).strip() for one in files) + "\n"
    [operation] = [one for one in parse(text).definitions if isinstance(one, OperationDefinitionNode)]
    defined = operation.variable_definitions or ()
    types = {one.variable.name.value: cast("Any", _typed)(schema, one.type) for one in defined}
    parts = [one.removeprefix(SHOW).lower() for one in types if one.startswith(SHOW)]
    return Question(text, operation.name.value if operation.name else "", types, tuple(parts))


def text_of(file: str) -> str:
    return resources.files(FOLDER).joinpath(file).read_text("utf-8")


def variables_of(asked: Question, fields: Fields) -> dict[str, Any]:
    """Fields that are no variables of the document are somebody else's. An empty field is left out."""
    variables: dict[str, Any] = {}
    for name, value in fields:
        text = value.strip()
        if not text or (name.startswith(SHOW) and text != "true"):
            continue  # a page cannot be asked for without one of its parts
        if name in asked.variables:
            _take(variables, name, _value(name, asked.variables[name], text))
        elif name == NOTHING and text in asked.variables:
            variables[text] = [] if isinstance(asked.variables[text], GraphQLList) else None
        if all(f"{name}{part.title()}" in asked.variables for part in PARTS):
            variables |= {f"{name}{part.title()}": one for part, one in reference(name, text).items()}
    return variables


def _take(variables: dict[str, Any], name: str, value: Any) -> None:
    """A field that comes again makes its list longer."""
    if isinstance(value, list) and name in variables:
        value = [*variables[name], *cast("list[Any]", value)]
    variables[name] = value


def _value(name: str, type_: Any, text: str) -> Any:
    if isinstance(type_, GraphQLNonNull):
        return _value(name, cast("Any", type_).of_type, text)
    if isinstance(type_, GraphQLList):
        return [_value(name, cast("Any", type_).of_type, text)]
    if isinstance(type_, GraphQLInputObjectType) and type_.name == REFERENCE:
        return reference(name, text)
    if isinstance(type_, GraphQLEnumType) and text not in type_.values:
        raise NotOneOf(name, text, [*type_.values])
    if type_.name == "Timestamp":
        return _moment(text)
    if type_.name in ("Int", "Long", "Float"):
        return _number(name, type_.name, text)
    return text in ("true", "on", "1") if type_.name == "Boolean" else text


def _moment(text: str) -> str:
    """A browser's field for a time knows no zone: it is UTC, as is said beside it."""
    return f"{text}Z" if _WITHOUT_ZONE.fullmatch(text) else text


def _number(name: str, kind: str, text: str) -> int | float:
    try:
        return float(text) if kind == "Float" else int(text)
    except ValueError:
        raise NotANumber(name, text) from None
