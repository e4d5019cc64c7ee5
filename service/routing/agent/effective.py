"""What holds of a record that there need not be: its own fields, as saved or by default, as a read model."""

from collections.abc import Mapping
from dataclasses import make_dataclass
from functools import cache
from typing import Annotated, Any, TypeVar, get_args

from graph_schema.model.fields import Field, Kind
from graph_schema.model.record import Record, read_fields
from graph_schema.registry import REGISTRY
from service.views import Of

R = TypeVar("R", bound=Record)
V = TypeVar("V", bound=Record)
_TYPES: Mapping[Kind, type] = {Kind.string: str, Kind.integer: int, Kind.number: float, Kind.boolean: bool}


def effective(model: type[R]) -> type[R]:
    """What a read model is derived from that has the own fields of a record type. Who checks types sees the record."""
    hints = [(one.name, Annotated[_hint(model, one), Of(model.label)]) for one in _own(model)]
    made: Any = make_dataclass(f"Effective{model.__name__}", hints, frozen=True, kw_only=True)
    return made


def held(model: type[Record], view: type[V], saved: Mapping[str, Any] | None) -> V:
    """The values that hold: what was saved, where a record was; else the defaults. What may be absent then is."""
    return view(**{one.name: _value(model, one, saved) for one in _own(model)})


def _value(model: type[Record], one: Field, saved: Mapping[str, Any] | None) -> Any:
    default = model.at_first.get(one.name, model.model_fields[one.name].get_default(call_default_factory=True))
    found = default if saved is None or (one.name not in saved and not _optional(model, one)) else saved.get(one.name)
    if found is None or not (one.enum or one.many):
        return found
    words = one.enum or str
    return tuple(words(each) for each in found) if one.many else words(found)


@cache
def _own(model: type[Record]) -> list[Field]:
    return [one for one in read_fields(model).values() if one.name not in REGISTRY.common_fields]


def _hint(model: type[Record], one: Field) -> Any:
    single: Any = one.enum or _TYPES[one.kind]
    if one.many:
        return tuple[single, ...]
    return single | None if _optional(model, one) else single


def _optional(model: type[Record], one: Field) -> bool:
    return type(None) in get_args(model.model_fields[one.name].annotation)
