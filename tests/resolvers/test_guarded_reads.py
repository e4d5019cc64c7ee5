"""Every statement that is compiled from a selection names the firewall for each record that it touches.

The statements themselves are run, kind by kind, by `tests/api/test_firewall.py`: some kinds in every run, all of them
in a thorough one. What is compiled is looked at here for all.
"""

import re

import pytest
from graphql import GraphQLSchema, OperationDefinitionNode, get_variable_values, parse

from graph_schema.model.names import api_name
from graph_schema.registry import REGISTRY
from resolvers.engine.limits import Limits
from resolvers.engine.selection import Selection
from resolvers.schema import build_schema
from service.graph.reads import compile_read

RECORD = re.compile(r"\((n\d+)\b")
LIMITS = Limits()
PAGE = "(first: 5) { totalCount edges { node { ... on Node { id } } } }"
AT = {"id": "goal_1", "at": "2026-01-01T00:00:00.000Z"}


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema().core_schema


def _compiled(schema: GraphQLSchema, query: str) -> str:
    [operation] = parse(query).definitions
    assert isinstance(operation, OperationDefinitionNode)
    assert schema.query_type
    values = get_variable_values(schema, operation.variable_definitions or (), AT)
    assert not isinstance(values, list), values
    selection = Selection(schema, REGISTRY, operation, {}, values, limits=LIMITS)
    roots, _ = selection.roots(schema.query_type)
    return compile_read(REGISTRY, roots, LIMITS.paging).text


def _unguarded(text: str) -> set[str]:
    touched = {*RECORD.findall(text)}
    assert touched, text
    return {name for name in touched if f"{name}.audience IN $audiences" not in text}


@pytest.mark.parametrize("label", list(REGISTRY.types))
def test_of_every_kind_and_relation(schema: GraphQLSchema, label: str) -> None:
    relations = [api_name(name) for name in REGISTRY.relation_fields(label)]
    asked = " ".join(f"{name}{PAGE}" for name in relations)
    assert not _unguarded(
        _compiled(schema, f"query ($id: ID!) {{ node(id: $id) {{ ... on {label} {{ id {asked} }} }} }}")
    )
    plural = api_name(REGISTRY.types[label].plural)
    assert not _unguarded(_compiled(schema, f"{{ {plural}(first: 5) {{ totalCount nodes {{ id {asked} }} }} }}"))


@pytest.mark.parametrize("label", list(REGISTRY.types))
def test_of_filters_through_every_relation(schema: GraphQLSchema, label: str) -> None:
    plural = api_name(REGISTRY.types[label].plural)
    for name, relation in REGISTRY.relation_fields(label).items():
        if len(relation.targets) == 1:
            test = f"filter: {{{api_name(name)}: {{createdAt: {{eq: $at}}}}}}"
            text = _compiled(schema, f"query ($at: Timestamp!) {{ {plural}({test}) {{ totalCount nodes {{ id }} }} }}")
            assert not _unguarded(text), text
