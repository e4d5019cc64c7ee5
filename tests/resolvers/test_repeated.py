"""Whatever is asked fifty times in a document costs fifty times as much, and what is too much is refused unasked."""

from typing import Any

import pytest
from graphql import GraphQLField, GraphQLNamedType, OperationType, get_named_type, is_leaf_type, is_required_argument

from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.schema import build_schema
from service.graph.reads import Breadth
from service.graph.reads.errors import LimitExceeded
from tests.api.schema import least, root_fields
from tests.resolvers.world import reader

TIMES = 50
ROOTS = {"Query": "query", "Mutation": "mutation", "Subscription": "subscription"}


@pytest.fixture(scope="module")
def served() -> ReadSchema:
    """With the limits that the service has by default."""
    return build_schema()


class Unasked:
    """A database that nothing may ask."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked")


@pytest.mark.slow
@pytest.mark.parametrize("root", ["Query", "Mutation"])
def test_every_root_field_asked_fifty_times_costs_fifty_times_as_much(served: ReadSchema, root: str) -> None:
    names = root_fields(root)
    assert len(names) > 100
    for name in names:
        once, often = (_cost(served, *_document(served, root, name, times)) for times in (1, TIMES))
        assert once is not None, f"{name} cannot be asked once"
        assert once > 0 or name in FREE, f"{name} costs nothing"
        assert often == (TIMES * once if TIMES * once <= served.limits.cost else None), name


@pytest.mark.slow
@pytest.mark.parametrize("root", [*ROOTS])
async def test_no_field_is_asked_more_often_than_aliases_allow(served: ReadSchema, root: str) -> None:
    """Nor a subscription twice: that is GraphQL's own rule. It is looked at whatever the field is."""
    database: Any = Unasked()
    context = Context(reader(), database, "request")
    many, code = (2, "invalid_document") if root == "Subscription" else (served.limits.aliases + 1, "limit_exceeded")
    text, variables = _document(served, root, root_fields(root)[-1], many)
    answer = await served.execute(text, variables, context)
    assert answer.errors
    assert (answer.errors[0].extensions or {})["code"] == code


FREE = {"viewer"}
"""What the guard knows already."""


def _document(schema: ReadSchema, root: str, name: str, times: int) -> tuple[str, dict[str, Any]]:
    """One that asks so many times for a field with the least that it needs, and below it for the least there is."""
    field = schema.core_schema.type_map[root].fields[name]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    assert isinstance(field, GraphQLField)
    needed = {key: one.type for key, one in field.args.items() if is_required_argument(one) or key == "id"}
    declared = ", ".join(f"${key}: {type_}" for key, type_ in needed.items())
    given = ", ".join(f"{key}: ${key}" for key in needed)
    below = _below(get_named_type(field.type))
    asked = " ".join(f"a{n}: {name}{f'({given})' if given else ''}{below}" for n in range(times))
    text = f"{ROOTS[root]} Asked{f'({declared})' if declared else ''} {{ {asked} }}"
    return text, {key: least(type_) for key, type_ in needed.items()}


def _below(type_: GraphQLNamedType) -> str:
    return "" if is_leaf_type(type_) else " { __typename }"


def _cost(schema: ReadSchema, text: str, variables: dict[str, Any]) -> int | None:
    """What the operation costs, found as the service finds it; None for one that costs too much."""
    document = schema.documents.get(text, None)
    coerced = schema._coerced(document, variables)  # pyright: ignore[reportPrivateUsage]
    compiled = 0
    if document.kind is OperationType.QUERY:
        plan = schema._reading(document, coerced, Breadth.many).plan  # pyright: ignore[reportPrivateUsage]
        compiled = plan.cost(plan.bind(coerced.coerced, ("internal|",))) if plan else 0
    try:
        return schema._cost(document, coerced, compiled)  # pyright: ignore[reportPrivateUsage]
    except LimitExceeded as refused:
        if refused.field != "cost":
            raise
        return None
