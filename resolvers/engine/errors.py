"""Errors as GraphQL shows them: with a code, the field, a remedy and the request id. Surprises are masked."""

import re
from typing import Any

import structlog
from graphql import GraphQLError

from graph_schema.model.names import api_name, api_path, api_text
from service.errors import TaskloreError, bounded

_log: Any = structlog.get_logger("tasklore")

INTERNAL = "Something went wrong on our side. The request id finds it in the log."


class OperationNotAllowed(TaskloreError):
    code = "operation_not_allowed"

    def __init__(self, kind: str) -> None:
        super().__init__(f"A {kind} cannot be sent this way.", remedy="Only queries may; send it by POST to /graphql.")


def with_code(error: GraphQLError, code: str, request_id: str) -> GraphQLError:
    """A copy of an error that graphql-core found, with its code. The error itself may be kept for the next caller."""
    extensions = {**(error.extensions or {}), "code": code, "requestId": request_id}
    if code == INVALID_VARIABLES:
        extensions = {"field": _variable(error.message), "remedy": _REMEDY, **extensions}
    return _relocated(error, bounded(error.message), {name: one for name, one in extensions.items() if one is not None})


INVALID_VARIABLES = "invalid_variables"
_REMEDY = "The schema says what it takes: GraphiQL shows it, and docs/api.md how values are written."
_PLACE = re.compile(r"\bat '([^']+)'")
_VARIABLE = re.compile(r"Variable '\$(\w+)'")
_FIELD = re.compile(r"; Field '(\w+)' ")


def _variable(message: str) -> str | None:
    """Which value of the variables graphql-core speaks of, by its path."""
    end = message[-2_000:]
    place, variable, field = _PLACE.search(end), _VARIABLE.search(message[:200]), _FIELD.search(end)
    whole = place or variable
    parts = [one.group(1) for one in (whole, field) if one]
    return ".".join(parts) or None


def code_of(error: GraphQLError) -> str | None:
    """The code that an error brings itself."""
    return (error.extensions or {}).get("code")


def shown(error: BaseException, request_id: str) -> GraphQLError:
    """The error as the caller may see it."""
    located = error if isinstance(error, GraphQLError) else GraphQLError(str(error), original_error=_exception(error))
    original = located.original_error
    if isinstance(original, TaskloreError):
        return _relocated(located, message_of(original), extensions_of(original, request_id))
    if original is None:
        # graphql-core's own: the request was wrong, not the service.
        return with_code(located, (located.extensions or {}).get("code", "invalid_document"), request_id)
    _log.error("request failed", request_id=request_id, path=located.path, exc_info=original)
    return _relocated(located, INTERNAL, {"code": "internal", "requestId": request_id})


def message_of(error: TaskloreError) -> str:
    return api_message(error.message, error.field)


def api_message(message: str, field: str | None) -> str:
    """The message, with the field that it is about called as the API calls it."""
    text = api_text(message)
    return text if field is None else text.replace(field, api_path(field))


def extensions_of(error: TaskloreError, request_id: str) -> dict[str, Any]:
    facts = {api_name(name): value for name, value in error.facts.items()}
    extensions: dict[str, Any] = {"code": error.code, **facts, "requestId": request_id}
    if error.field is not None:
        extensions["field"] = api_path(error.field)
    if error.remedy is not None:
        extensions["remedy"] = api_text(error.remedy)
    return extensions


def _relocated(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        original_error=error.original_error,
        extensions=extensions,
    )


def _exception(error: BaseException) -> Exception:
    return error if isinstance(error, Exception) else RuntimeError(repr(error))
