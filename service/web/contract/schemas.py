"""JSON Schema of events, other reports and their answers, from the models by which they are read and told."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, TypeAdapter

from service.memory.reporting.events import MODELS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EVENT = "One event of a run, as a line of POST /v1/events. `kind` says which of the shapes it has."
_TIMES = ("_at", "_since")

Json = dict[str, Any]


def events_schema() -> Json:
    """An event, by itself."""
    return {"$schema": DIALECT, "title": "Event", "description": EVENT, **event_schema("#/$defs/{model}")}


def event_schema(ref: str) -> Json:
    """`ref` is where definitions are kept, as OpenAPI and JSON Schema have it."""
    shapes: Any = Union[tuple(MODELS.values())]  # noqa: UP007 - from a list  # pyright: ignore
    event: Any = Annotated[shapes, Field(discriminator="kind")]
    return _plain(TypeAdapter[Any](event).json_schema(ref_template=ref))


def model_schema(model: type[BaseModel], ref: str) -> Json:
    return _plain(model.model_json_schema(ref_template=ref))


def answer_schema(model: type, ref: str) -> Json:
    """A read model as it goes into a line: what is null is left out."""
    hints = get_type_hints(model, include_extras=True)
    shown = {one.name: _told(hints[one.name], ref) for one in fields(model)}
    return {
        "type": "object",
        "description": (model.__doc__ or "").strip(),
        "properties": shown,
        "required": [one.name for one in fields(model) if one.default is MISSING and not _may_lack(hints[one.name])],
        "$defs": {name: one for schema in shown.values() for name, one in schema.pop("$defs", {}).items()},
    }


def _told(hint: Any, ref: str) -> Json:
    """The schema of a field, with the words that its annotation ends with."""
    schema = _without_null(TypeAdapter[Any](_bare(hint)).json_schema(ref_template=ref))
    return _plain(schema) | {"description": get_args(hint)[-1]}


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _may_lack(hint: Any) -> bool:
    return type(None) in get_args(_bare(hint))


def _without_null(schema: Json) -> Json:
    kept = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    return {**{name: one for name, one in schema.items() if name != "anyOf"}, **kept[0]} if len(kept) == 1 else schema


def _plain(schema: Json) -> Json:
    """Without the titles that only repeat names, and with times marked as such."""
    return cast("Json", _walked(schema, lambda name, one: _timed(name, _untitled(one))))


def _walked(value: Any, change: Callable[[str, Json], Json], name: str = "") -> Any:
    match value:
        case dict():
            known = change(name, cast("Json", value))
            return {key: _walked(one, change, key) for key, one in known.items()}
        case list():
            return [_walked(one, change, name) for one in cast("list[Any]", value)]
        case _:
            return value


def _untitled(schema: Json) -> Json:
    """A property may be called `title`: that one is no text."""
    return {key: one for key, one in schema.items() if key != "title" or not isinstance(one, str)}


def _timed(name: str, schema: Json) -> Json:
    if not name.endswith(_TIMES):
        return schema
    if schema.get("type") == "string":
        return {**schema, "format": "date-time"}
    if "anyOf" in schema:
        return {**schema, "anyOf": [_timed(name, one) for one in schema["anyOf"]]}
    return schema
