"""Limits that hold for every document, checked before anything is read."""

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

from service.graph.reads import Paging
from service.graph.reads.errors import LimitExceeded
from service.graph.reads.walk import WALK


@dataclass(frozen=True, slots=True)
class Limits:
    """`cost` estimates the records that an operation may touch: page sizes, multiplied through its levels.

    A field that is repeated counts as an alias: comparing fields of one name is what validation takes longest for.
    """

    depth: int = 20
    aliases: int = 100
    fragments: int = 100
    tokens: int = 5_000
    page_size: int = 1_000
    default_page_size: int = 50
    nested_page_size: int = 10
    """Of a relation's list: so that three levels below a list fit into the cost."""

    cost: int = 250_000
    variables: int = 50_000
    """Values in the variables of a request, at all levels."""

    filter_tests: int = 100
    """Different tests in the filters of an operation. Those that differ in their values alone count once."""

    document: int = 100_000
    """Characters of a document. It is not even parsed when it has more."""

    walk: int = WALK
    """Records that a page looks at when no index serves its filter. Then it says how far it came."""

    cached_documents: int = 500
    cached_plans: int = 2_000
    """Of all documents: one for every shape of their variables."""

    cached_costs: int = 50
    """For each document."""

    cached_bytes: int = 64_000_000
    """What the documents that are kept may take, and their plans as much again."""

    @property
    def paging(self) -> Paging:
        return Paging(self.default_page_size, self.nested_page_size, self.page_size, self.walk)


class _Size(NamedTuple):
    depth: int
    aliases: int


def check_document(document: DocumentNode, limits: Limits) -> None:
    """Refuse a document that nests too deeply or renames too much, with its fragments written out."""
    sizes = _Sizes(document)
    if sizes.fragments > limits.fragments:
        raise LimitExceeded("fragments", limits.fragments, sizes.fragments, "Split the document into several.")
    for definition in document.definitions:
        if isinstance(definition, OperationDefinitionNode):
            size = sizes.of(definition.selection_set)
            if size.depth > limits.depth:
                raise LimitExceeded("depth", limits.depth, size.depth, "Ask for fewer levels at once.")
            if size.aliases > limits.aliases:
                raise LimitExceeded("aliases", limits.aliases, size.aliases, "Split the document into several.")


def check_length(text: str, limits: Limits) -> None:
    if len(text) > limits.document:
        remedy = "Send a shorter document, with its values as variables."
        raise LimitExceeded("document", limits.document, len(text), remedy)


def check_variables(variables: dict[str, Any], limits: Limits) -> None:
    """Refuse variables with too many values. What is too much is not looked at one by one."""
    count = 0
    waiting: list[Any] = [variables]
    while waiting:
        value: Any = waiting.pop()
        if isinstance(value, dict | list):
            inner = cast("dict[str, Any] | list[Any]", value)
            count += len(inner)
            if count > limits.variables:
                raise LimitExceeded("variables", limits.variables, count, "Send fewer values at once.")
            waiting.extend(inner.values() if isinstance(inner, dict) else inner)


def check_cost(cost: int, limits: Limits) -> None:
    if cost > limits.cost:
        raise LimitExceeded("cost", limits.cost, cost, "Ask for fewer levels, smaller pages or fewer roots.")


class _Sizes:
    def __init__(self, document: DocumentNode) -> None:
        fragments = (one for one in document.definitions if isinstance(one, FragmentDefinitionNode))
        self._fragments = {one.name.value: one.selection_set for one in fragments}
        self._known: dict[str, _Size] = {}

    @property
    def fragments(self) -> int:
        return len(self._fragments)

    def of(self, selections: SelectionSetNode) -> _Size:
        depth = aliases = 0
        keys: set[str] = set()
        for one in selections.selections:
            if isinstance(one, FragmentSpreadNode):
                inner = self._fragment(one.name.value)
            else:
                nested = getattr(one, "selection_set", None)
                inner = self.of(nested) if nested else _Size(0, 0)
                if isinstance(one, FieldNode):
                    inner = _Size(inner.depth + 1, inner.aliases + (one.alias is not None or one.name.value in keys))
                    keys.add(one.name.value)
            depth = max(depth, inner.depth)
            aliases += inner.aliases
        return _Size(depth, aliases)

    def _fragment(self, name: str) -> _Size:
        if name not in self._known:
            self._known[name] = _Size(0, 0)  # a circle ends here; validation names it
            if name in self._fragments:
                self._known[name] = self.of(self._fragments[name])
        return self._known[name]
