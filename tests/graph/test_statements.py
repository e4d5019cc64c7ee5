"""Every statement that is kept as a constant is one that Neo4j plans, with the schema in place."""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any, LiteralString, cast

import pytest
from neo4j.exceptions import Neo4jError

import bench
import resolvers
import service
from service.graph.database import Database
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


def _written() -> dict[str, str]:
    """Every text with a clause of Cypher that a module has as a constant, and where."""
    found = dict.fromkeys(ASSEMBLED, "put together")
    for package in (service, resolvers, bench):
        for module in _modules(package):
            for name, value in vars(module).items():
                if name.isupper():
                    found |= {one: f"{module.__name__}.{name}" for one in _texts(value) if CLAUSE.search(one)}
    return found


async def _refusal(database: Database, text: str) -> str | None:
    try:
        await database.read(cast("LiteralString", f"EXPLAIN {text}"))
    except Neo4jError as error:
        return error.message or str(error)
    return None


@pytest.mark.slow
async def test_every_statement_is_planned_or_a_part_of_one_that_is(migrated: Database) -> None:
    written = _written()
    refused = {one: refusal for one in written if (refusal := await _refusal(migrated, one))}
    planned = [one for one in written if one not in refused]
    assert len(planned) > 200
    lost = [one for one in refused if not any(one.strip() in whole for whole in planned)]
    assert not lost, "\n".join(f"{written[one]}: {refused[one]}" for one in lost)
