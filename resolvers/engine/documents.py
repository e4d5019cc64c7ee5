"""Documents: parsed, checked against the limits and the schema once, and kept with their plans."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

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

from resolvers.engine.limits import Limits, check_document, check_length
from resolvers.engine.recent import Recent
from resolvers.engine.variables import ShapeOf, shape_of_variables
from service.graph.reads import Plan
from service.graph.reads.errors import LimitExceeded

_RULES = (*specified_rules, MaybeNullValidationRule, OneOfInputValidationRule)
_BYTES_A_TOKEN = 1_000
"""What a word or sign of a document takes, with the nodes that are made of it."""

_BYTES_A_CHARACTER = 4
_BYTES_OF_SOURCE = 200
"""Of a character that was parsed."""

Turn = Callable[[], AbstractAsyncContextManager[None]]
Key = tuple[bytes, str | None]
"""A document by its digest, with the operation that was chosen: its text may be long."""

SHORT = 4_000
"""A document of so many characters is prepared in a few milliseconds."""

_META_FIELDS = frozenset({"__schema", "__type", "__typename"})


@dataclass(frozen=True, slots=True)
class Reading:
    """The compiled part of an operation. `complete`: there is no other part."""

    plan: Plan | None
    complete: bool

    @property
    def weight(self) -> int:
        """About how many bytes it takes: what is made of a statement takes as much again, and more."""
        return 3 * len(self.plan.text) if self.plan else 0


@dataclass(frozen=True, slots=True)
class Document:
    """A document that may run, with one of its operations chosen."""

    key: "Key"
    ast: DocumentNode
    operation: OperationDefinitionNode
    fragments: dict[str, FragmentDetails]
    shape_of: ShapeOf
    weight: int
    """About how many bytes it takes."""
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
        self.kept: Recent[Key, Document | Exception] = Recent(limits.cached_documents, limits.cached_bytes)

    def get(self, text: str, operation_name: str | None) -> Document:
        key = self._key(text, operation_name)
        return _usable(self.kept.get(key) or self._keep(key, text, self._prepared(key, text)))

    async def get_beside(self, text: str, operation_name: str | None, turn: Turn) -> Document:
        """The same, with the work of a long document done beside other work, and in its turn."""
        key = self._key(text, operation_name)
        known = self.kept.get(key)
        if known is None and len(text) > SHORT:
            async with turn():
                found = await asyncio.to_thread(self._prepared, key, text)
            known = self._keep(key, text, found)
        return _usable(known or self._keep(key, text, self._prepared(key, text)))

    def _key(self, text: str, operation_name: str | None) -> Key:
        check_length(text, self._limits)
        if operation_name is not None:
            check_length(operation_name, self._limits)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(), operation_name

    def _keep(self, key: Key, text: str, found: Document | Exception) -> Document | Exception:
        # What was refused after it was parsed holds on to the nodes that its errors point at.
        weight = found.weight if isinstance(found, Document) else len(text) * _BYTES_OF_SOURCE
        return self.kept.put(key, found, weight)

    def _prepared(self, key: Key, text: str) -> Document | Exception:
        try:
            return self._prepare(key, text)
        except (DocumentRefused, LimitExceeded) as refused:
            return _anew(refused)
        except RecursionError:
            return LimitExceeded("depth", self._limits.depth, None, "Ask for fewer levels at once.")

    def _prepare(self, key: Key, text: str) -> Document:
        operation_name = key[1]
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
            key,
            ast,
            operation,
            fragments,
            shape_of_variables(self._schema, operation.variable_definitions or ()),
            _weight(text, ast),
            Recent(self._limits.cached_costs),
            _introspects(operation, fragments),
        )

    def _parsed(self, text: str) -> DocumentNode:
        try:
            return parse(text, no_location=False, max_tokens=self._limits.tokens)
        except GraphQLSyntaxError as error:
            if "tokens" in error.message and str(self._limits.tokens) in error.message:
                raise LimitExceeded("tokens", self._limits.tokens, None, "Send a shorter document.") from None
            raise DocumentRefused([error]) from None


def _usable(known: Document | Exception) -> Document:
    if isinstance(known, Document):
        return known
    raise _anew(known)


def _weight(text: str, ast: DocumentNode) -> int:
    """About how many bytes a document takes, once it is parsed."""
    return len(text) * _BYTES_A_CHARACTER + _tokens(ast) * _BYTES_A_TOKEN


def weight_of_nodes(nodes: Sequence[FieldNode]) -> int:
    """About how many bytes stay when nodes of a document are kept: with one of them, all of it."""
    location = nodes[0].loc
    return len(location.source.body) * _BYTES_OF_SOURCE if location else 0


def _tokens(ast: DocumentNode) -> int:
    count, token = 0, ast.loc.start_token if ast.loc else None
    while token is not None:
        count, token = count + 1, token.next
    return count


def _anew(refusal: Exception) -> Exception:
    """The refusal as if it was never raised: what was raised holds on to all that was at hand then."""
    errors = refusal.errors if isinstance(refusal, DocumentRefused) else []
    for one in errors:
        one.with_traceback(None).__context__ = None
    found = type(refusal).__new__(type(refusal), *refusal.args)
    found.__dict__.update(refusal.__dict__)
    return found


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
