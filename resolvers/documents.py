"""Documents: parsed, checked against the limits and the schema once, and kept with their plans."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from graphql import (
    ASTValidationRule,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    get_operation_ast,
    parse,
    specified_rules,
    validate,
)
from graphql.execution.collect_fields import FragmentDetails
from graphql.validation import NoSchemaIntrospectionCustomRule
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from resolvers.limits import Limits, check_document
from resolvers.shapes import ShapeOf, shape_of_variables
from service.graph.reads import Plan
from service.graph.reads.errors import LimitExceeded

K = TypeVar("K")
V = TypeVar("V")

_RULES = (*specified_rules, MaybeNullValidationRule, OneOfInputValidationRule)
_META_FIELDS = frozenset({"__schema", "__type", "__typename"})


class Recent(Generic[K, V]):
    """A mapping that keeps the entries used last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> V:
        self._entries[key] = value
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)
        return value

    def __len__(self) -> int:
        return len(self._entries)


@dataclass(frozen=True, slots=True)
class Reading:
    """The compiled part of an operation. `complete`: there is no other part."""

    plan: Plan | None
    complete: bool


@dataclass(frozen=True, slots=True)
class Document:
    """A document that may run, with one of its operations chosen."""

    text: str
    ast: DocumentNode
    operation: OperationDefinitionNode
    fragments: dict[str, FragmentDetails]
    shape_of: ShapeOf
    readings: Recent[object, Reading] = field(repr=False)
    costs: Recent[object, int] = field(repr=False)
    """Of what is not compiled, by what of the variables decides it."""
    introspects: bool
    """Whether it asks for nothing but the schema."""

    @property
    def kind(self) -> OperationType:
        return self.operation.operation

    @property
    def name(self) -> str | None:
        return self.operation.name.value if self.operation.name else None


class DocumentRefused(Exception):
    """GraphQL's own errors about a document or its variables."""

    def __init__(self, errors: list[GraphQLError], code: str = "invalid_document") -> None:
        super().__init__(errors[0].message)
        self.errors = errors
        self.code = code


class Documents:
    """All documents seen lately, good and bad: a refused one is not looked at again either."""

    def __init__(self, schema: GraphQLSchema, limits: Limits, *, introspection: bool) -> None:
        self._schema = schema
        self._limits = limits
        self._rules: tuple[type[ASTValidationRule], ...] = (
            _RULES if introspection else (*_RULES, NoSchemaIntrospectionCustomRule)
        )
        self._known: Recent[tuple[str, str | None], Document | Exception] = Recent(limits.cached_documents)

    def get(self, text: str, operation_name: str | None) -> Document:
        key = (text, operation_name)
        known = self._known.get(key) or self._known.put(key, self._prepared(text, operation_name))
        if isinstance(known, Document):
            return known
        raise known.with_traceback(None)

    def _prepared(self, text: str, operation_name: str | None) -> Document | Exception:
        try:
            return self._prepare(text, operation_name)
        except (DocumentRefused, LimitExceeded) as refused:
            return refused
        except RecursionError:
            return LimitExceeded("depth", self._limits.depth, None, "Ask for fewer levels at once.")

    def _prepare(self, text: str, operation_name: str | None) -> Document:
        ast = self._parsed(text)
        check_document(ast, self._limits)
        errors = validate(self._schema, ast, self._rules)
        if errors:
            raise DocumentRefused(errors)
        operation = get_operation_ast(ast, operation_name)
        if operation is None:
            raise DocumentRefused([GraphQLError(_no_operation(operation_name))])
        found = (one for one in ast.definitions if isinstance(one, FragmentDefinitionNode))
        fragments = {one.name.value: FragmentDetails(one) for one in found}
        return Document(
            text,
            ast,
            operation,
            fragments,
            shape_of_variables(self._schema, operation.variable_definitions or ()),
            Recent(self._limits.cached_plans),
            Recent(self._limits.cached_plans),
            _introspects(operation, fragments),
        )

    def _parsed(self, text: str) -> DocumentNode:
        try:
            return parse(text, no_location=False, max_tokens=self._limits.tokens)
        except GraphQLSyntaxError as error:
            if "tokens" in error.message and str(self._limits.tokens) in error.message:
                raise LimitExceeded("tokens", self._limits.tokens, None, "Send a shorter document.") from None
            raise DocumentRefused([error]) from None


def _introspects(operation: OperationDefinitionNode, fragments: dict[str, FragmentDetails]) -> bool:
    """Whether all roots are about the schema, those in fragments too. A fragment is looked at once."""
    if operation.operation is not OperationType.QUERY:
        return False
    seen: set[str] = set()
    waiting = [operation.selection_set]
    while waiting:
        for one in waiting.pop().selections:
            if isinstance(one, FieldNode):
                if one.name.value not in _META_FIELDS:
                    return False
            elif isinstance(one, InlineFragmentNode):
                waiting.append(one.selection_set)
            elif isinstance(one, FragmentSpreadNode) and one.name.value not in seen:
                seen.add(one.name.value)
                waiting.append(fragments[one.name.value].definition.selection_set)
    return True


def _no_operation(name: str | None) -> str:
    if name is None:
        return "The document has several operations; operationName must choose one."
    return f"The document has no operation named {name!r}."
