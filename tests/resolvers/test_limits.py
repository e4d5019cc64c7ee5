"""Documents that ask too much are refused quickly, before anything is read, with a remedy."""

import time
from typing import Any

import pytest
from strawberry.types import ExecutionResult

from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.engine.limits import Limits
from resolvers.schema import build_schema
from service.graph.database import Database
from tests.resolvers.conftest import Ask
from tests.resolvers.world import World, reader


@pytest.fixture(scope="module")
def strict() -> ReadSchema:
    return build_schema(limits=Limits())


async def _timed(schema: ReadSchema, database: Database, document: str, **variables: Any) -> ExecutionResult:
    started = time.process_time()  # what else the machine does is no matter of the document's
    result = await schema.execute(document, variables, Context(reader(), database, "request"))
    assert time.process_time() - started < 10
    return result


def _refusal(result: ExecutionResult) -> tuple[Any, ...]:
    assert result.errors
    extensions = result.errors[0].extensions or {}
    return extensions["code"], extensions.get("field"), extensions.get("limit"), bool(extensions.get("remedy"))


_CYCLE = "{ goals { ...A } } fragment A on GoalConnection { nodes { ...B } } fragment B on Goal { supports { ...A } }"
_FRAGMENTS = "{ goals { ...F1 } } " + " ".join(f"fragment F{n} on GoalConnection {{ totalCount }}" for n in range(400))
_NEST = "{ goals " + "{ nodes { supports " * 15 + "{ totalCount }" + " } }" * 15 + " }"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        (_NEST, ("limit_exceeded", "depth", 20, True)),
        ("{ goals { nodes { " + "id " * 6_000 + "} } }", ("limit_exceeded", "tokens", 5_000, True)),
        (
            "{" + " ".join(f"a{n}: goals {{ totalCount }}" for n in range(101)) + "}",
            ("limit_exceeded", "aliases", 100, True),
        ),
        ("{ goals(first: 1001) { nodes { id } } }", ("limit_exceeded", "first", 1_000, True)),
        ("{ goals(last: 1001) { nodes { id } } }", ("limit_exceeded", "last", 1_000, True)),
        (
            "{ goals(first: 1000) { nodes { supports(first: 1000) { nodes { id } } } } }",
            ("limit_exceeded", "cost", 250_000, True),
        ),
        (_CYCLE, ("invalid_document", None, None, False)),
        ("{ goals { nodes { id", ("invalid_document", None, None, False)),
        ("{ " + "goals { totalCount } " * 900 + "}", ("limit_exceeded", "aliases", 100, True)),
        (_FRAGMENTS, ("limit_exceeded", "fragments", 100, True)),
        ("{ goals { " + "...F " * 800 + "} } fragment F on GoalConnection { totalCount }", None),
        (
            "query(" + " ".join(f"$v{n}: Int" for n in range(800)) + ") { goals { totalCount } }",
            ("invalid_document", None, None, False),
        ),
    ],
)
async def test_hostile_documents(strict: ReadSchema, database: Database, document: str, wanted: Any) -> None:
    result = await _timed(strict, database, document)
    if wanted is None:
        assert result.errors is None
    else:
        assert _refusal(result) == wanted


async def test_doubling_fragments_are_counted_written_out(strict: ReadSchema, database: Database) -> None:
    spread = " ".join(
        f"fragment F{n} on Goal {{ a: supports {{ nodes {{ ...F{n + 1} }} }} "
        f"b: supports {{ nodes {{ ...F{n + 1} }} }} }}"
        for n in range(8)
    )
    document = f"{{ goals {{ nodes {{ ...F0 }} }} }} {spread} fragment F8 on Goal {{ id }}"
    assert _refusal(await _timed(strict, database, document)) == ("limit_exceeded", "aliases", 100, True)


async def test_huge_variables(strict: ReadSchema, database: Database) -> None:
    document = "query($f: GoalFilter) { goals(filter: $f) { totalCount } }"
    refused = await _timed(strict, database, document, f=_nested(100))
    assert _refusal(refused) == ("limit_exceeded", "depth", 20, True)
    refused = await _timed(strict, database, document, f=_nested(900))
    assert _refusal(refused)[0] in ("limit_exceeded", "invalid_variables")
    wide = {"name": {"in": ["x"] * 300_000}}
    assert _refusal(await _timed(strict, database, document, f=wide)) == ("limit_exceeded", "variables", 50_000, True)
    wrong = await _timed(strict, database, document, f={"name": {"eq": ["x"]}})
    assert _refusal(wrong)[0] == "invalid_variables"


def _nested(levels: int) -> dict[str, Any]:
    deep: dict[str, Any] = {"name": {"eq": "x"}}
    for _ in range(levels):
        deep = {"not": deep}
    return deep


async def test_the_cost_is_told(world: World, ask: Ask) -> None:
    document = (
        'query($n: Int) { goals(first: $n) { nodes { concerns(first: 5) { nodes { id } } } } node(id: "x") { id } }'
    )
    for size in (2, 10):
        result = await ask(document, {"n": size})
        assert result.extensions == {"cost": size * (1 + 5) + 1}


@pytest.mark.parametrize("given", ["{name: {eq: null}}", "{name: null}", "{and: null}"])
async def test_a_filter_without_a_value_is_refused(world: World, ask: Ask, given: str) -> None:
    assert _refusal(await ask(f"{{ goals(filter: {given}) {{ totalCount }} }}"))[0] == "invalid_filter"


async def test_introspection_can_be_switched_off(database: Database) -> None:
    schema = build_schema(introspection=False)
    result = await schema.execute("{ __schema { types { name } } }", None, Context(reader(), database, "request"))
    assert _refusal(result)[0] == "invalid_document"
