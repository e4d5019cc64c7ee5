"""The oracle: graphql-core with plain resolvers over the same records, one field at a time."""

from collections.abc import Callable
from typing import Any, cast

import graphql
from graphql import ExecutionResult, GraphQLObjectType, GraphQLSchema, print_schema

from graph_schema.model.names import api_name, stored_name
from graph_schema.model.relation import ANY, RelationField
from graph_schema.registry import REGISTRY
from resolvers.engine.execution import ReadSchema
from service.graph.reads import cursors
from tests.resolvers.world import SEEN, Link, World

Record = dict[str, Any]
Pair = tuple[Record, Link | None]
DEFAULT_PAGE = 50
NESTED_PAGE = 10


class Oracle:
    def __init__(self, schema: ReadSchema, world: World) -> None:
        self.schema: GraphQLSchema = graphql.build_schema(print_schema(schema._schema))  # pyright: ignore[reportPrivateUsage]
        self._world = world
        self._audiences = SEEN
        self._attach()

    def run(self, document: str, variables: dict[str, Any], audiences: tuple[str, ...]) -> ExecutionResult:
        """Answer the document for a viewer of these audiences."""
        self._audiences = audiences
        run = cast("Callable[..., ExecutionResult]", graphql.graphql_sync)  # pyright: ignore[reportUnknownMemberType]
        return run(self.schema, document, variable_values=variables, field_resolver=_stored)

    def visible(self, label: str) -> list[Record]:
        records = self._world.records.values()
        return [one for one in records if one["__typename"] == label and self._sees(one)]

    def related(self, record: Record, relation: RelationField) -> list[Pair]:
        pairs: list[Pair] = []
        for link in self._world.links:
            here, there = (link.tail, link.head) if relation.outgoing else (link.head, link.tail)
            other = self._world.records[there]
            fits = relation.targets == (ANY,) or other["__typename"] in relation.targets
            if link.type == relation.relation.type and here == record["id"] and fits and self._sees(other):
                pairs.append((other, link))
        return pairs

    def _sees(self, record: Record) -> bool:
        return record["audience"] in self._audiences

    def _attach(self) -> None:
        query = self._type("Query")
        query.fields["node"].resolve = self._node
        query.fields["nodes"].resolve = self._nodes
        for label, kind in REGISTRY.types.items():
            query.fields[api_name(kind.plural)].resolve = self._listing(label)
            for name, relation in REGISTRY.relation_fields(label).items():
                self._type(label).fields[api_name(name)].resolve = self._relating(relation)

    def _type(self, name: str) -> GraphQLObjectType:
        found = self.schema.type_map[name]
        assert isinstance(found, GraphQLObjectType)
        return found

    def _node(self, _source: Any, _info: Any, id: str) -> Record | None:
        return self._by_id(id)

    def _nodes(self, _source: Any, _info: Any, ids: list[str]) -> list[Record | None]:
        return [self._by_id(one) for one in ids]

    def _by_id(self, record_id: str) -> Record | None:
        record = self._world.records.get(record_id)
        return record if record and self._sees(record) else None

    def _listing(self, label: str) -> Callable[..., Record]:
        def resolve(_source: Any, _info: Any, **arguments: Any) -> Record:
            return self._page([(one, None) for one in self.visible(label)], (label,), arguments)

        return resolve

    def _relating(self, relation: RelationField) -> Callable[..., Record]:
        def resolve(source: Record, _info: Any, **arguments: Any) -> Record:
            return self._page(self.related(source, relation), relation.targets, arguments)

        return resolve

    def _page(self, pairs: list[Pair], targets: tuple[str, ...], arguments: dict[str, Any]) -> Record:
        label = targets[0] if len(targets) == 1 else ANY
        if arguments.get("filter") is not None:
            pairs = [pair for pair in pairs if self.passes(pair[0], arguments["filter"], label)]
        order = arguments.get("orderBy") or {"field": "createdAt", "direction": "asc"}
        name, falling = stored_name(order["field"]), order.get("direction") == "desc"
        tag = f"-{name}" if falling else name

        def place(pair: Pair) -> tuple[Any, ...]:
            record, link = pair
            return _key(record.get(name), tie_of(record, name), link.element_id if link else None)

        def later(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
            if one[0] != other[0]:
                return one[0]
            return one < other if falling else one > other

        ordered = sorted(pairs, key=place, reverse=falling)
        ordered.sort(key=lambda pair: pair[0].get(name) is None)
        after = _place(arguments.get("after"), tag)
        before = _place(arguments.get("before"), tag)
        inside = [
            one
            for one in ordered
            if (after is None or later(place(one), after)) and (before is None or later(before, place(one)))
        ]
        backward = arguments.get("last") is not None or (arguments.get("first") is None and before is not None)
        default = NESTED_PAGE if any(link for _, link in pairs) else DEFAULT_PAGE
        size = next((arguments[one] for one in ("first", "last") if arguments.get(one) is not None), default)
        page = (inside[-size:] if size else []) if backward else inside[:size]
        edges = [self._edge(tag, name, one) for one in page]
        more = len(inside) > len(page)
        return {
            "edges": edges,
            "nodes": [one for one, _ in page],
            "totalCount": len(pairs),
            "pageInfo": {
                "hasNextPage": before is not None if backward else more,
                "hasPreviousPage": more if backward else after is not None,
                "startCursor": edges[0]["cursor"] if edges else None,
                "endCursor": edges[-1]["cursor"] if edges else None,
                "truncated": None,
            },
        }

    def _edge(self, tag: str, name: str, pair: Pair) -> Record:
        record, link = pair
        cursor = cursors.encode(tag, record.get(name), tie_of(record, name), link.element_id if link else None)
        return {"cursor": cursor, "node": record, **(link.properties if link else {})}

    def passes(self, record: Record, given: dict[str, Any], label: str) -> bool:
        return all(self._test(record, name, part, label) for name, part in given.items())

    def _test(self, record: Record, name: str, part: Any, label: str) -> bool:
        if name == "and":
            return all(self.passes(record, one, label) for one in part)
        if name == "or":
            return any(self.passes(record, one, label) for one in part)
        if name == "not":
            return not self.passes(record, part, label)
        relations = {} if label == ANY else REGISTRY.relation_fields(label)
        name = stored_name(name)
        if name in relations:
            targets = relations[name].targets
            inner = targets[0] if len(targets) == 1 else ANY
            return any(self.passes(one, part, inner) for one, _ in self.related(record, relations[name]))
        return all(_holds(record.get(name), operator, operand) for operator, operand in part.items())


def _stored(source: Record, info: Any, **_arguments: Any) -> Any:
    """A field of a record, of an edge or of a page: records have the names of the graph."""
    name: str = info.field_name
    return source[name] if name in source else source.get(stored_name(name))


def _holds(value: Any, operator: str, operand: Any) -> bool:
    if operator == "isNull":
        return (value is None) == operand
    if value is None:
        return False
    tests: dict[str, Callable[[], bool]] = {
        "eq": lambda: value == operand,
        "in": lambda: value in operand,
        "contains": lambda: operand in value,
        "startsWith": lambda: value.startswith(operand),
        "gt": lambda: value > operand,
        "gte": lambda: value >= operand,
        "lt": lambda: value < operand,
        "lte": lambda: value <= operand,
    }
    return tests[operator]()


def tie_of(record: Record, name: str) -> str:
    """What breaks ties: the id, after the time of creation where a record may lack the value."""
    common = REGISTRY.common_fields.get(name)
    return record["id"] if common and common.required else record["created_at"] + record["id"]


def _key(value: Any, tie: str, link: str | None) -> tuple[Any, ...]:
    return (value is None, value if value is not None else 0, tie, link or "")


def _place(cursor: str | None, tag: str) -> tuple[Any, ...] | None:
    if cursor is None:
        return None
    linked = _is_linked(cursor, tag)
    place = cursors.decode(cursor, tag, field="after", linked=linked, nullable=True)
    return _key(place.value, place.id, place.link)


def _is_linked(cursor: str, tag: str) -> bool:
    try:
        cursors.decode(cursor, tag, field="after", linked=True, nullable=True)
    except cursors.CursorInvalid:
        return False
    return True
