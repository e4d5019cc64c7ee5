"""The reference of the graph, made from the registry: `docs/graph.md`."""

from collections.abc import Iterable, Iterator
from inspect import cleandoc

from graph_schema.model.fields import Field, Kind
from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from graph_schema.model.relation import ANY, Relation
from graph_schema.output.ddl import FULLTEXT_INDEX, Index, IndexKind, embedded_labels, schema_ddl

_INTRODUCTION = """# The graph

Every record type, relation and index, made from the registry in `graph_schema/` by `make format`. Change it there.

A record has its own label and `Record`; its second labels serve Cypher and Browser. Times are UTC with milliseconds,
as text. `required` means that a record cannot be stored without it; what is set by the service itself is marked `set by
the service`, and what is no part of any API `internal`. The layer says what kind of evidence a record or a link is.
"""


def reference(registry: Registry) -> str:
    return "\n".join(_parts(registry))


def _parts(registry: Registry) -> Iterator[str]:
    indexes = schema_ddl(registry)
    yield _INTRODUCTION
    yield from _picture(registry)
    yield "## What all records have\n"
    yield from _fields(registry.common_fields.values())
    yield "## Records\n"
    for one in registry.types.values():
        yield from _record(registry, one, indexes)
    yield "## Relations\n"
    yield from _relations(registry)
    yield "## The system's own nodes\n"
    yield "They carry no label `Record`, and no read API is generated for them.\n"
    yield from _table(
        ("label", "what it is", "unique", "indexed"),
        (
            (f"`{one.label}`", one.description, _keys(one.unique), _keys(one.indexed))
            for one in registry.system.values()
        ),
    )
    yield from _indexes(registry, indexes)


def _picture(registry: Registry) -> Iterator[str]:
    yield "```mermaid"
    yield "graph LR"
    for relation in (one for one in registry.relations if not one.managed):
        for tail, head in sorted({(tail, head) for tail in relation.tails for head in relation.heads}):
            yield f"  {tail} -->|{relation.type}| {head}"
    yield "```\n"


def _record(registry: Registry, one: RecordType, indexes: Iterable[Index]) -> Iterator[str]:
    yield f"### {one.label}\n"
    yield f"{cleandoc(one.description)}\n"
    facts = [f"Ids begin with `{one.prefix}_`", f"layer `{one.layer.value}`", f"lists are called `{one.plural}`"]
    if one.second_labels:
        facts.append("second labels " + ", ".join(f"`{label}`" for label in one.second_labels))
    if one.carded:
        facts.append("has a card, by which it is found")
    yield "; ".join(facts) + ".\n"
    yield from _fields(field for name, field in one.fields.items() if name not in registry.common_fields)
    named = [f"`{index.name}`" for index in indexes if index.labels == (one.label,)]
    yield f"Indexes: {', '.join(named)}.\n"


def _fields(fields: Iterable[Field]) -> Iterator[str]:
    yield from _table(
        ("field", "type", "bounds", "", "meaning"),
        ((f"`{one.name}`", _type(one), _bounds(one), _marks(one), one.description) for one in fields),
    )


def _relations(registry: Registry) -> Iterator[str]:
    yield from _table(
        ("sentence", "names", "layer", "on the link", "meaning"),
        (
            (
                f"`({_end(one.tails)})-[:{one.type}]->({_end(one.heads)})`",
                f"`{one.tail_name}`, `{one.reverse}`",
                f"`{one.layer.value}`",
                ", ".join(f"`{name}`" for name in one.fields) or "-",
                _meaning(one),
            )
            for one in registry.relations
        ),
    )


def _meaning(relation: Relation) -> str:
    inherited = {
        "tail": " The tail takes over class and matters of the head.",
        "head": " The head takes over class and matters of the tail.",
    }
    saved = [one for one in relation.tails if one in relation.saved_with]
    told = f" Of {' and '.join(saved)} it is saved, not linked." if saved else ""
    return relation.description + inherited.get(relation.inherits or "", "") + told


def _indexes(registry: Registry, indexes: Iterable[Index]) -> Iterator[str]:
    yield "## Constraints and full-text\n"
    yield from _table(
        ("name", "kind", "on"),
        (
            (f"`{one.name}`", one.kind.value, f"`{'|'.join(one.labels)}` ({', '.join(one.properties)})")
            for one in indexes
            if one.kind in (IndexKind.unique, IndexKind.fulltext)
        ),
    )
    carriers = ", ".join(f"`{label}`" for label in embedded_labels(registry))
    yield (
        f"`{FULLTEXT_INDEX}` folds accents and stems nothing. Vectors are on {carriers}: for each embedding model one\n"
        "property `embedding_<model>` and one cosine index `<label>_vector_<model>`, so that models never mix.\n"
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    listed = list(rows)
    if not listed:
        yield "It has no fields of its own.\n"
        return
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in listed:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def _type(one: Field) -> str:
    name = one.enum.__name__ if one.enum else one.kind.value
    return f"list of {name}" if one.many else name


def _bounds(one: Field) -> str:
    if one.enum:
        return ", ".join(f"`{value.value}`" for value in one.enum)
    if one.max_length and one.kind is Kind.string:
        return f"{one.max_length:,} characters" + (" each" if one.many else "")
    return "-"


def _marks(one: Field) -> str:
    marks = [
        "required" if one.required and one.authored else "",
        "internal" if one.hidden else "" if one.authored else "set by the service",
        "filter" if one.filtered and not one.hidden else "",
        "order" if one.ordered and not one.hidden else "",
        "looked up" if one.indexed and not one.hidden else "",
        "searched" if one.fulltext else "",
    ]
    return ", ".join(mark for mark in marks if mark) or "-"


def _end(labels: tuple[str, ...]) -> str:
    return ANY if labels == (ANY,) else "|".join(labels)


def _keys(keys: tuple[tuple[str, ...], ...]) -> str:
    return "; ".join(", ".join(f"`{name}`" for name in one) for one in keys) or "-"
