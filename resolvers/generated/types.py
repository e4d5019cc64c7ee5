"""The read API of the registry as GraphQL types: one for each record type, its connections, edges and unions."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.base import get_object_definition
from strawberry.types.field import StrawberryField
from strawberry.types.union import StrawberryUnion

from graph_schema.model.fields import Field
from graph_schema.model.registry import Registry
from graph_schema.model.relation import ANY, RelationField
from graph_schema.registry import REGISTRY
from resolvers.engine import roles
from resolvers.engine.scalars import scalar_type
from resolvers.generated.construction import Argument, Member, make_type, optional, set_members
from resolvers.generated.filters import Inputs

NODE = "Node"
"""What the API calls the interface of all records. Their label in the graph is `Record`, which TypeScript has taken."""

_JOINED_TARGETS = 3
"""A union of so many types is named after them; one of more, after the first relation that leads to it."""


@cache
def read_types(registry: Registry = REGISTRY) -> "ReadTypes":
    """The generated types of a registry. They are made once, so that written fields can refer to them."""
    return ReadTypes(registry)


def record_type(label: str = ANY, registry: Registry = REGISTRY) -> Any:
    """The GraphQL type of a record, for the `graphql_type` of a written field."""
    return read_types(registry).records[label]


class ReadTypes:
    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._inputs = Inputs(registry)
        self.page_info = self._make_page_info()
        self._unions: dict[frozenset[str], StrawberryUnion] = {}
        self._connections: dict[object, type] = {}
        about = "Anything that people may ask about. All records have these fields."
        interface = make_type(NODE, about, interface=True)
        self.records: dict[str, type] = {ANY: interface}
        for label, one in registry.types.items():
            self.records[label] = make_type(label, one.description, interface)
        self._members = {label: self._record_members(label) for label in self.records}
        self.query = make_type("ReadQuery", "The reads that the registry gives.")
        set_members(self.query, self._roots())
        self.extend({})

    def extend(self, extra: Mapping[str, Sequence[type]]) -> None:
        """Put the fields of written classes on record types, by label; those under `Record` go on all of them."""
        shared = _written(extra.get(ANY, ()))
        for label, made in self.records.items():
            own = [] if label == ANY else _written(extra.get(label, ()))
            set_members(made, self._members[label], [*shared, *own])

    def _record_members(self, label: str) -> list[Member]:
        if label == ANY:
            return [_property(field) for field in self._registry.common_fields.values() if not field.hidden]
        fields = self._registry.types[label].fields.values()
        relations = self._registry.relation_fields(label).values()
        return [
            *(_property(field) for field in fields if not field.hidden),
            *(self._relation(label, relation) for relation in relations),
        ]

    def _relation(self, label: str, relation: RelationField) -> Member:
        return Member(
            relation.name,
            self._relation_connection(relation),
            relation.relation.description,
            roles.RelationOf(relation, label),
            self._arguments(relation.targets),
        )

    def _relation_connection(self, relation: RelationField) -> type:
        links = tuple(field for field in relation.relation.fields.values() if not field.hidden)
        name, node = self._target(relation)
        return self._connection(name, node, links, relation.relation.link.__name__)

    def _target(self, relation: RelationField) -> tuple[str, Any]:
        """The type of what a relation leads to, with its name; a union of the same types is the same union."""
        targets = relation.targets
        if len(targets) == 1:
            return (NODE if targets[0] == ANY else targets[0]), self.records[targets[0]]
        union = self._unions.get(frozenset(targets))
        if union is None:
            joined = "Or".join(targets) if len(targets) <= _JOINED_TARGETS else f"{_pascal(relation.name)}Target"
            members = tuple(StrawberryAnnotation(self.records[label]) for label in targets)
            union = StrawberryUnion(joined, members, f"One of: {', '.join(targets)}.")
            self._unions[frozenset(targets)] = union
        return str(union.graphql_name), union

    def _connection(self, target: str, node: Any, links: tuple[Field, ...] = (), link: str = "") -> type:
        """The connection of records of that type with such links, and its edges. Lists of the same share one."""
        key = (target, tuple((one.name, one.kind, one.enum) for one in links))
        if key not in self._connections:
            name = f"{target}{link}" if links else target
            edge = make_type(f"{name}Edge", "A record in a list, with what the link to it says.")
            cursor = Member("cursor", str, "Where the record stands in the list.", roles.CursorOf())
            said = [
                Member(one.name, _value_type(one), one.description, roles.LinkPropertyOf(one.name)) for one in links
            ]
            set_members(edge, [cursor, Member("node", node, "The record.", roles.NodeOf()), *said])
            self._connections[key] = make_type(f"{name}Connection", "A page of a list.")
            set_members(self._connections[key], self._page_members(edge, node))
        return self._connections[key]

    def _page_members(self, edge: type, node: Any) -> list[Member]:
        count = "How many visible records pass the filter, on all pages. Counted only when it is asked for."
        return [
            Member("edges", list[edge], "The records of the page with their links.", roles.EdgesOf()),
            Member("nodes", list[node], "The records of the page.", roles.NodesOf()),
            Member("pageInfo", self.page_info, "Where the page begins and ends.", roles.PageInfoOf()),
            Member("totalCount", int, count, roles.TotalCountOf()),
        ]

    def _make_page_info(self) -> type:
        made = make_type("PageInfo", "Where a page begins and ends.")
        facts: list[tuple[Any, Any, str]] = [
            ("hasNextPage", bool, "Whether records follow; paging backward: whether `before` was given."),
            ("hasPreviousPage", bool, "Whether records precede; paging forward: whether `after` was given."),
            ("startCursor", optional(str), "Cursor of the first record of the page."),
            ("endCursor", optional(str), "Cursor of the last record of the page."),
        ]
        known = [Member(name, kind, text, roles.PageFactOf(name)) for name, kind, text in facts]
        about = "That the page ended because enough records were looked at; null when that is not why it ended."
        set_members(made, [*known, Member("truncated", optional(_make_truncation()), about, roles.TruncationOf())])
        return made

    def _roots(self) -> list[Member]:
        record = optional(self.records[ANY])
        one = [
            Argument("id", optional(strawberry.ID), "Id of the record."),
            Argument("source", optional(str), "Instead of the id: the outside system that knows it,"),
            Argument("key", optional(str), "and what that system calls it."),
        ]
        several = Argument("ids", list[strawberry.ID], "Ids of the records.")
        lists = [
            Member(
                one_type.plural,
                self._connection(label, self.records[label]),
                f"All {one_type.plural} that the viewer may see, oldest first unless ordered otherwise.",
                roles.AllRecords(label),
                self._arguments((label,)),
            )
            for label, one_type in self._registry.types.items()
        ]
        return [
            Member("node", record, "A record, of whatever type: by id, or by source and key.", roles.RecordById(), one),
            Member(
                "nodes",
                list[record],
                "The records with these ids, in their order; null for what is not there.",
                roles.RecordsById(),
                [several],
            ),
            *lists,
        ]

    def _arguments(self, targets: tuple[str, ...]) -> list[Argument]:
        """They are the same on every list, so the schema's own description says what they mean, once."""
        return [
            Argument("first", optional(int)),
            Argument("after", optional(str)),
            Argument("last", optional(int)),
            Argument("before", optional(str)),
            Argument("filter", optional(self._inputs.filter(targets))),
            Argument("order_by", optional(self._inputs.order(targets))),
        ]


def _make_truncation() -> type:
    made = make_type("Truncation", "How far a page came whose filter no index serves, and what would help.")
    facts: list[tuple[Any, Any, str]] = [
        ("walked", int, "How many records were passed; what the viewer may not see is not among them."),
        ("fields", list[str], "The tested fields and relations that have no index."),
        ("remedy", str, "What to do: go on from the cursor, or test a field that has an index."),
    ]
    set_members(made, [Member(name, kind, text, roles.TruncationFactOf(name)) for name, kind, text in facts])
    return made


def _property(field: Field) -> Member:
    return Member(field.name, _value_type(field), field.description, roles.PropertyOf(field.name, field.counts))


def _value_type(field: Field) -> Any:
    if field.name == "id":
        return strawberry.ID
    scalar = scalar_type(field)
    return optional(list[scalar] if field.many else scalar)


def _pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _written(classes: Sequence[type]) -> list[StrawberryField]:
    return [field for one in classes for field in get_object_definition(one, strict=True).fields]
