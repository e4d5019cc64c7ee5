"""The registry: every record type, relation and system label, checked for consistency when it is built."""

from collections.abc import Iterable
from functools import cached_property

from graph_schema.model.record import Record, RecordType, read_fields, record_type
from graph_schema.model.relation import ANY, Relation, RelationField
from graph_schema.model.system import SystemLabel


class RegistryInvalid(ValueError):
    """The declarations contradict each other. Raised at import, never at run time."""


class Registry:
    def __init__(
        self, records: Iterable[type[Record]], relations: Iterable[Relation], system: Iterable[SystemLabel]
    ) -> None:
        self.types: dict[str, RecordType] = {model.label: record_type(model) for model in records}
        self.relations: tuple[Relation, ...] = tuple(relations)
        self.system: dict[str, SystemLabel] = {label.label: label for label in system}
        self.common_fields = read_fields(Record)
        self._relation_fields = {label: self._fields_of(label) for label in self.types}
        self._prefixes = {one.prefix: one for one in self.types.values()}
        if len(self._prefixes) != len(self.types):
            raise RegistryInvalid("two record types share an id prefix")

    def relation_fields(self, label: str) -> dict[str, RelationField]:
        """The relations of a record type, by the name each has on it."""
        return self._relation_fields[label]

    def type_of_id(self, record_id: str) -> RecordType | None:
        """The record type that an id's prefix names, if any."""
        return self._prefixes.get(record_id.partition("_")[0])

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The labels of what belongs to a run, and so takes over its access."""
        return tuple(label for label, kind in self.types.items() if "run_id" in kind.fields)

    def relation(self, type_: str, tail: str) -> Relation | None:
        """The relation of this type that leads from such a record."""
        return self._by_tail.get((type_, tail))

    @cached_property
    def _by_tail(self) -> dict[tuple[str, str], Relation]:
        return {(one.type, tail): one for one in self.relations for tail in self.members(one.tails)}

    def label_of(self, labels: Iterable[str]) -> str:
        """The primary one of a node's labels, which names its type."""
        return next(one for one in labels if one in self.types)

    def members(self, targets: tuple[str, ...]) -> tuple[str, ...]:
        """The labels that a relation's end stands for."""
        return tuple(self.types) if targets == (ANY,) else targets

    def _fields_of(self, label: str) -> dict[str, RelationField]:
        fields: dict[str, RelationField] = {}
        for relation in self.relations:
            for one in self._ends(relation, label):
                if one.name in fields or one.name in self.types[label].fields:
                    raise RegistryInvalid(f"{label}.{one.name} is declared twice")
                fields[one.name] = one
        return fields

    def _ends(self, relation: Relation, label: str) -> list[RelationField]:
        unknown = {*relation.tails, *relation.heads} - {*self.types, ANY}
        if unknown:
            raise RegistryInvalid(f"{relation.type} names unknown labels {sorted(unknown)}")
        ends: list[RelationField] = []
        if label in self.members(relation.tails):
            ends.append(RelationField(relation.tail_name, relation, outgoing=True, targets=relation.heads))
        if label in self.members(relation.heads):
            ends.append(RelationField(relation.reverse, relation, outgoing=False, targets=relation.tails))
        return ends
