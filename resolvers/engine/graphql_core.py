# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
"""graphql-core's functions with types that the checker can follow: its own are generic without arguments."""

from collections.abc import Callable
from typing import Any, cast

import graphql
from graphql import GraphQLResolveInfo, GraphQLSchema
from graphql.utilities import coerce_input_literal, validate_input_value

Type = Any
"""A GraphQL type."""

ResolveInfo = GraphQLResolveInfo[Any]

named_type = cast("Callable[[Type], Any]", graphql.get_named_type)
nullable_type = cast("Callable[[Type], Any]", graphql.get_nullable_type)
is_list = cast("Callable[[Type], bool]", graphql.is_list_type)
is_input_object = cast("Callable[[Type], bool]", graphql.is_input_object_type)
is_enum = cast("Callable[[Type], bool]", graphql.is_enum_type)
is_leaf = cast("Callable[[Type], bool]", graphql.is_leaf_type)
is_abstract = cast("Callable[[Type], bool]", graphql.is_abstract_type)
type_from_ast = cast("Callable[[GraphQLSchema, Any], Type]", graphql.type_from_ast)
literal_value = cast("Callable[[graphql.ValueNode, Type], Any]", coerce_input_literal)
validate_value = cast("Callable[[Any, Type, Callable[..., None]], None]", validate_input_value)
execute = cast("Callable[..., Any]", graphql.execute)
subscribe = cast("Callable[..., Any]", graphql.subscribe)
