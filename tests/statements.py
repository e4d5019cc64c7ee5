"""Every statement that is kept as a constant, and the words of the graph that they use."""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import ModuleType
from typing import Any, cast

import resolvers
import service
import tests.bench
from graph_schema.registry import REGISTRY
from service.memory.history import cypher as history

CLAUSE = re.compile(r"\b(CALL|CREATE|DELETE|FOREACH|MATCH|MERGE|RETURN|SHOW|UNWIND)\s")

# What a function puts together: each beginning, and each of what may follow one. All of it at once is planned for long.
ASSEMBLED = [
    *(history.page(found, []) for found in (*history.ANCHORS.values(), history.BY_AUDIENCE, history.BY_START)),
    *(history.page(history.BY_AUDIENCE, [one]) for one in history.PREDICATES.values()),
]


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _texts(value: Any) -> Iterator[str]:
    """All texts in a constant, however they are wrapped."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts([*cast("Mapping[Any, Any]", value).values()])
    elif isinstance(value, list | tuple):
        for one in cast("list[Any]", value):
            yield from _texts(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _texts(getattr(value, one.name, None))


def written() -> dict[str, str]:
    """Every text with a clause of Cypher that a module has as a constant, and where."""
    found = dict.fromkeys(ASSEMBLED, "put together")
    for package in (service, resolvers, tests.bench):
        for module in _modules(package):
            for name, value in vars(module).items():
                if name.isupper():
                    found |= {one: f"{module.__name__}.{name}" for one in _texts(value) if CLAUSE.search(one)}
    return found


@dataclass(frozen=True)
class Words:
    labels: list[str]
    types: list[str]
    properties: list[str]


def words() -> Words:
    """Of the registry and of all statements. A name too many does no harm."""
    said = "\n".join(written())
    named = {*re.findall(r"[:|&]\s*([A-Z]\w+)", said)}
    types = {one for one in named if one.isupper()} | {one.type for one in REGISTRY.relations}
    links = {name for one in REGISTRY.relations for name in one.fields}
    values = {name for one in REGISTRY.types.values() for name in one.fields}
    read = {*re.findall(r"\.([a-z]\w*)", said), *re.findall(r"\b([a-z]\w*):", said)}
    return Words(sorted({*(named - types), *REGISTRY.types}), sorted(types), sorted(links | values | read))
