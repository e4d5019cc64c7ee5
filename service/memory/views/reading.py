"""Facts that are records or links: lean classes, with the fields that the registry declares and as it declares them.

    @fact
    class Gate(read_from(runs.Gate)):
        activation_ids: Ids = ()

A property that is added to a record is read, and at hand, without being declared again. Who checks types sees the
record, with what is declared beside it; what is hidden or not taken is not there. What is absent is None, or () where
there may be many. Words are those of their enums.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, make_dataclass
from dataclasses import field as member
from enum import StrEnum
from typing import Any, TypeVar, cast

from graph_schema.model.fields import Field
from graph_schema.model.record import Properties, read_fields
from graph_schema.registry import REGISTRY
from service.graph.database import Row

P = TypeVar("P", bound=Properties)
T = TypeVar("T")
Convert = Callable[[Any], Any]

SHARED = ("id", "name", "stub")
"""What facts take of that which all records have, if nothing else is said."""

OWN = "own"
"""The column with the values of a fact's properties. What it is linked to stands beside it, by name."""


def read_from(
    model: type[P], *, also: Collection[str] = (), without: Collection[str] = (), only: Collection[str] = ()
) -> type[P]:
    """What facts have of a record or a link: all that it declares itself, or only what is named.

    Never what is hidden, nor a number that counts what the viewer may not see.
    """
    names = only or {*SHARED, *also, *(name for name in model.model_fields if name not in REGISTRY.common_fields)}
    taken = [
        one
        for name, one in read_fields(model).items()
        if name in names and name not in without and not one.hidden and not one.counts
    ]
    absent = {one.name: _absent(one, model.model_fields[one.name].default) for one in taken}
    made: Any = make_dataclass(
        model.__name__,
        [(name, Any, member(default=value)) for name, value in absent.items()],
        namespace={"__properties__": {one.name: _convert(one, absent[one.name]) for one in taken}},
        frozen=True,
        slots=True,
    )
    return made


def fact(kind: type[T]) -> type[T]:
    """The class of a fact, with what is declared beside the properties of its record."""
    return dataclass(frozen=True, slots=True)(kind)


def properties_of(kind: type[Any]) -> Mapping[str, Convert | None]:
    """The properties that a fact is made from, in order, each with what makes of a stored value what it is here."""
    return getattr(kind, "__properties__", {})


def reader(kind: type[T]) -> Callable[[Row], T]:
    """Makes facts of a kind from rows."""
    converts = [(place, convert) for place, convert in enumerate(properties_of(kind).values()) if convert is not None]

    def read(row: Row) -> T:
        own: list[Any] = row.pop(OWN, [])
        for place, convert in converts:
            own[place] = convert(own[place])
        beside = {name: _held(value) for name, value in row.items() if value is not None}
        return kind(*own, **beside)

    return read


def _held(value: Any) -> Any:
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value


def _absent(one: Field, default: Any) -> Any:
    """What stands for a value that is not there. A word that nobody said is not guessed."""
    return () if one.many else default if isinstance(default, int | float) else None


def _convert(one: Field, absent: Any) -> Convert | None:
    """None where a value is what is stored. A word that the enum does not know stays the text that it is."""
    words: dict[str, StrEnum] = {word.value: word for word in one.enum or ()}
    if words and one.many:
        return lambda values: tuple(words.get(value, value) for value in values or ())
    if words:
        return lambda value: words.get(value, value)
    if one.many:
        return lambda values: tuple(values or ())
    return None if absent is None else lambda value: absent if value is None else value
