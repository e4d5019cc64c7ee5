"""Constraints and indexes, derived from the registry. Each has a stable name, so a graph can be compared with it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, LiteralString, cast

from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry, RegistryInvalid
from graph_schema.model.relation import ANY

FULLTEXT_INDEX = "record_text"
NAMES_INDEX = "card_called"
"""Finds cards by a whole name, alias or key: each is one term, so that nothing but the same one is met."""

CALLED_INDEX = "called_by_name"
"""Finds what people call by its name, by single words of it."""

# Full-text search finds what vectors miss: names, dockets, addresses, in any language. So accents are folded
# ("Muller" finds "Müller") and nothing is stemmed; inflections of ordinary words are what the vectors are for.
# A commit does not wait for this index (that made writing three times slower); whoever searches waits for it instead.
ANALYZER = "standard-folding"

AUDIENCE = "audience"
"""Every list is of some audiences, so an order's index begins with it: who sees little pays for that alone."""

NATURAL_KEYS = (("id",), ("source", "source_key", "realm"))

_EMBEDDED_MARK = "embedded_hash"
_NAMES = "called"
_KEY = re.compile(r"[a-z][a-z0-9_]*")


class IndexKind(StrEnum):
    unique = "unique"
    range = "range"
    fulltext = "fulltext"
    vector = "vector"


_SHOWN_AS = {
    IndexKind.unique: "RANGE",
    IndexKind.range: "RANGE",
    IndexKind.fulltext: "FULLTEXT",
    IndexKind.vector: "VECTOR",
}


@dataclass(frozen=True, slots=True)
class Index:
    """A uniqueness constraint or an index, as it should be."""

    name: str
    kind: IndexKind
    labels: tuple[str, ...]
    properties: tuple[str, ...]
    config: tuple[tuple[str, str | int], ...] = ()

    @property
    def statement(self) -> LiteralString:
        """The DDL. Labels and properties cannot be parameters there; they are the registry's own identifiers."""
        labels = "|".join(_quoted(label) for label in self.labels)
        listed = ", ".join(f"n.{_quoted(one)}" for one in self.properties)
        head = f"{_CREATE[self.kind]} {_quoted(self.name)} IF NOT EXISTS FOR (n:{labels})"
        return cast("LiteralString", f"{head} {_ON[self.kind].format(listed)}{self._options()}")

    @property
    def drop(self) -> LiteralString:
        return drop_statement(self.name, owned_by_constraint=self.kind is IndexKind.unique)

    @property
    def facts(self) -> tuple[str, ...]:
        """What it adds to the schema, in pieces: a later version that adds a label to an index adds a piece."""
        if self.kind is not IndexKind.fulltext:
            return (f"{self.kind.value} {self.labels[0]}({', '.join(self.properties)})",)
        parts = (*self.labels, *(f"({one})" for one in self.properties))
        return tuple(f"{self.kind.value} {self.name} {part}" for part in parts)

    def is_shown_as(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of SHOW INDEXES has this definition."""
        config: Mapping[str, Any] = row["options"]["indexConfig"]
        return (
            row["type"] == _SHOWN_AS[self.kind]
            and (row["owningConstraint"] is not None) == (self.kind is IndexKind.unique)
            and set(row["labelsOrTypes"]) == set(self.labels)
            and self._same_properties(row["properties"])
            and all(_same(config.get(option), value) for option, value in self.config)
        )

    def _same_properties(self, found: list[str]) -> bool:
        if self.kind is IndexKind.fulltext:
            return set(found) == set(self.properties)
        return tuple(found) == self.properties

    def _options(self) -> str:
        if not self.config:
            return ""
        listed = ", ".join(f"`{option}`: {value!r}" for option, value in self.config)
        return f" OPTIONS {{indexConfig: {{{listed}}}}}"


_CREATE = {
    IndexKind.unique: "CREATE CONSTRAINT",
    IndexKind.range: "CREATE INDEX",
    IndexKind.fulltext: "CREATE FULLTEXT INDEX",
    IndexKind.vector: "CREATE VECTOR INDEX",
}
_ON = {
    IndexKind.unique: "REQUIRE ({}) IS UNIQUE",
    IndexKind.range: "ON ({})",
    IndexKind.fulltext: "ON EACH [{}]",
    IndexKind.vector: "ON ({})",
}


def schema_ddl(registry: Registry) -> tuple[Index, ...]:
    """Everything but the vector indexes, which depend on the embedding model in use. Constraints come first."""
    indexes = tuple(_indexes(registry))
    names = [one.name for one in indexes]
    if len(set(names)) != len(names):
        raise RegistryInvalid("two indexes share a name")
    return tuple(sorted(indexes, key=lambda one: one.kind is not IndexKind.unique))


def vector_ddl(registry: Registry, key: str, dimensions: int) -> tuple[Index, ...]:
    """One index for each label of what carries vectors, over the property of this model alone."""
    config = (("vector.dimensions", dimensions), ("vector.similarity_function", "cosine"))
    return tuple(
        Index(vector_index(label, key), IndexKind.vector, (label,), (vector_property(key),), config)
        for label in vector_labels(registry)
    )


def vector_labels(registry: Registry) -> tuple[str, ...]:
    """The labels with a vector index: those whose nodes carry vectors, and their second ones, searched apart."""
    return tuple(one for label in embedded_labels(registry) for one in (label, *registry.types[label].second_labels))


def embedded_labels(registry: Registry) -> tuple[str, ...]:
    """The labels whose nodes carry vectors: those that remember what their vector was made from."""
    return tuple(one.label for one in registry.types.values() if _EMBEDDED_MARK in one.fields)


VECTOR_PREFIX = "embedding_"
"""What the names of properties begin with that hold vectors. They are no fields: a model has its own."""


def vector_property(key: str) -> str:
    """The property that holds the vectors of the model with this key."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"not an embedder's key: {key!r}")
    return f"{VECTOR_PREFIX}{key}"


def text_vector_property(key: str) -> str:
    """Where a card of an asset with phrases keeps the vector of its own text, beside the prototype."""
    return f"{vector_property(key)}_text"


def vector_index(label: str, key: str) -> str:
    return f"{vector_index_prefix(label)}{key}"


def vector_index_prefix(label: str) -> str:
    return f"{_snake(label)}_vector_"


def range_index(label: str, properties: tuple[str, ...]) -> Index:
    return _index(label, properties)


def drop_statement(name: str, *, owned_by_constraint: bool) -> LiteralString:
    what = "CONSTRAINT" if owned_by_constraint else "INDEX"
    return cast("LiteralString", f"DROP {what} {_quoted(name)} IF EXISTS")


def _indexes(registry: Registry) -> Iterator[Index]:
    for properties in NATURAL_KEYS:
        yield _index(ANY, properties, IndexKind.unique)
    for system in registry.system.values():
        yield from (_index(system.label, one, IndexKind.unique) for one in system.unique)
        yield from (_index(system.label, one) for one in system.indexed)
    for record_type in registry.types.values():
        if record_type.natural_key:
            yield _index(record_type.label, record_type.natural_key, IndexKind.unique)
        yield from (_index(record_type.label, one) for one in _ranges(record_type))
    yield _fulltext(registry.types.values())
    yield from (_names(one) for one in registry.types.values() if _NAMES in one.fields)
    yield _called(registry.types.values())


def _ranges(record_type: RecordType) -> Iterator[tuple[str, ...]]:
    yield from record_type.indexed_together
    for one in record_type.fields.values():
        if one.ordered:
            yield (AUDIENCE, one.name)
        # A constraint over the same property has an index of its own, beside which Neo4j makes no other.
        if one.indexed and record_type.natural_key != (one.name,):
            yield (one.name,)


def _fulltext(types: Iterable[RecordType]) -> Index:
    searched = {one.label: [field.name for field in one.fields.values() if field.fulltext] for one in types}
    labels = tuple(label for label, fields in searched.items() if fields)
    properties = tuple(dict.fromkeys(name for fields in searched.values() for name in fields))
    config = (("fulltext.analyzer", ANALYZER), ("fulltext.eventually_consistent", True))
    return Index(FULLTEXT_INDEX, IndexKind.fulltext, labels, properties, config)


def _names(record_type: RecordType) -> Index:
    config = (("fulltext.analyzer", "keyword"), ("fulltext.eventually_consistent", True))
    return Index(NAMES_INDEX, IndexKind.fulltext, (record_type.label,), (_NAMES,), config)


def _called(types: Iterable[RecordType]) -> Index:
    """These are few and change seldom, so a commit waits for their index, and nobody who asks has to."""
    labels = tuple(one.label for one in types if one.named)
    return Index(CALLED_INDEX, IndexKind.fulltext, labels, ("name", "aliases"), (("fulltext.analyzer", ANALYZER),))


def _index(label: str, properties: tuple[str, ...], kind: IndexKind = IndexKind.range) -> Index:
    suffix = ("unique",) if kind is IndexKind.unique else ()
    return Index("_".join((_snake(label), *properties, *suffix)), kind, (label,), properties)


def _snake(label: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", label).lower()


def _quoted(identifier: str) -> str:
    return f"`{identifier}`"


def _same(found: Any, wanted: str | int) -> bool:
    return str(found).lower() == str(wanted).lower()
