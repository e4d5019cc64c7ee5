"""Events in variables that GraphQL cannot read. It would refuse the whole request; here each is refused for itself.

Such an event is replaced by its id alone, and the id carries what is wrong with it: so the place of the event among the
others stays, whatever the document does with the variable.
"""

from collections.abc import Sequence
from typing import Any, cast

from graphql import GraphQLError, GraphQLSchema, VariableDefinitionNode

from graph_schema.model.names import api_name
from resolvers.engine.errors import code_of
from resolvers.engine.graphql_core import (
    Type,
    is_input_object,
    is_list,
    named_type,
    nullable_type,
    type_from_ast,
    validate_value,
)
from service.memory.reporting.errors import EventUnreadable
from service.memory.reporting.events import Unread, unknown_field

EVENTS = ("RunEventInput", "ToolOutcomeInput", "AskInput", "AgentEventInput")


class UnreadId(str):
    """The id of an event that cannot be read, as far as it is known."""

    __slots__ = ("error",)
    error: EventUnreadable


def set_aside(
    schema: GraphQLSchema, definitions: Sequence[VariableDefinitionNode], variables: dict[str, Any]
) -> dict[str, Any]:
    """The variables with every event that cannot be read set aside. Without such events they are as they were."""
    found = dict(variables)
    for one in definitions:
        name, type_ = one.variable.name.value, type_from_ast(schema, one.type)
        if name in found and getattr(named_type(type_), "name", None) in EVENTS:
            found[name] = _checked(nullable_type(type_), found[name])
    return found


def unread_of(values: dict[str, Any]) -> Unread | None:
    """What is wrong with an event that was set aside."""
    event_id = values.get("event_id")
    return Unread(str(event_id) or None, event_id.error) if isinstance(event_id, UnreadId) else None


def _checked(type_: Type, value: Any) -> Any:
    if is_list(type_) and isinstance(value, list):
        return [_checked(nullable_type(type_.of_type), one) for one in cast("list[Any]", value)]
    error = _error(named_type(type_), value) if value is not None else None
    return value if error is None else {"eventId": _unread(value, error)}


def _unread(event: Any, error: EventUnreadable) -> UnreadId:
    named: Any = cast("dict[str, Any]", event).get("eventId") if isinstance(event, dict) else None
    found = UnreadId(named if isinstance(named, str) else "")
    found.error = error
    return found


def _error(type_: Type, event: Any) -> EventUnreadable | None:
    """A name that is not known is told before a value that does not fit: it may be why another is missing."""
    stray = _stray(type_, event, "")
    return stray or _misfit(type_, event)


def _stray(type_: Type, value: Any, path: str) -> EventUnreadable | None:
    inner = nullable_type(type_)
    if is_list(inner) and isinstance(value, list):
        inside = (_stray(inner.of_type, one, path) for one in cast("list[Any]", value))
        return next((one for one in inside if one), None)
    if not is_input_object(inner) or not isinstance(value, dict):
        return None
    for name, one in cast("dict[str, Any]", value).items():
        if name not in inner.fields:
            meant = api_name(name)
            return unknown_field(path + name, inner.fields, meant if meant in inner.fields else None)
        found = _stray(inner.fields[name].type, one, f"{path}{name}.")
        if found is not None:
            return found
    return None


def _misfit(type_: Type, event: Any) -> EventUnreadable | None:
    found: list[EventUnreadable] = []

    def note(error: GraphQLError, path: list[Any]) -> None:
        where = ".".join(str(one) for one in path) or "event"
        found.append(EventUnreadable(code_of(error) or "invalid_input", where, error.message.rstrip(".")))

    validate_value(event, type_, note)
    return found[0] if found else None
