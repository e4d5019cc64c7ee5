"""What all records share, and how a record type is read from its model."""

import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin

from annotated_types import MaxLen
from pydantic import BaseModel, ConfigDict, StringConstraints
from pydantic.fields import FieldInfo

from graph_schema.model.fields import (
    DataClass,
    EvidenceLayer,
    Field,
    Key,
    Keys,
    Kind,
    Matters,
    Name,
    Text,
    Timestamp,
    field,
)

SCHEMA_VERSION = 1


class Properties(BaseModel):
    """A frozen set of graph properties: of a record, or of a link between two."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    def properties(self) -> dict[str, Any]:
        """The properties as the graph stores them. An absent value is an absent property."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class LifecycleState(StrEnum):
    """Where a record stands in its life. Each type knows some of these; only active and candidate_update are used."""

    draft = "draft"
    candidate = "candidate"
    active = "active"
    candidate_update = "candidate_update"
    suppressed = "suppressed"
    deprecated = "deprecated"
    rejected = "rejected"
    archived = "archived"


HIDDEN_STATES = (
    LifecycleState.suppressed,
    LifecycleState.deprecated,
    LifecycleState.rejected,
    LifecycleState.archived,
)
"""What is in one of these is never matched, injected or suggested; it stays reachable by id and in lineage."""


class Record(Properties):
    """A node that people may ask about. Subclasses declare their label and their own properties."""

    label: ClassVar[str]
    plural: ClassVar[str]
    prefix: ClassVar[str]
    layer: ClassVar[EvidenceLayer]
    colour: ClassVar[str]
    carded: ClassVar[bool] = False
    aside: ClassVar[bool] = False  # tells of others: search finds it only where its kind is asked for
    saved: ClassVar[bool] = False  # has a command `save<Label>` of its own
    second_labels: ClassVar[tuple[str, ...]] = ()
    reported: ClassVar[bool] = False  # made from what executors report: its former states are in their events
    natural_key: ClassVar[tuple[str, ...]] = ()  # unique together beside the id
    indexed_together: ClassVar[tuple[tuple[str, ...], ...]] = ()  # what lists of it seek by, then are ordered by
    ordered_by: ClassVar[tuple[str, ...]] = ()  # what all records have and lists of these are ordered by as well
    receipt: ClassVar[tuple[str, ...]] = ()  # all that is kept of it when a run is not to be remembered
    states: ClassVar[tuple[LifecycleState, ...]] = (LifecycleState.active, LifecycleState.archived)
    phrased: ClassVar[bool] = False  # has phrases that invoke or repel it
    named: ClassVar[bool] = False  # people call it by its name, or by a part of it
    at_first: ClassVar[Mapping[str, Any]] = types.MappingProxyType({})  # what a new one has, unless told
    events: ClassVar[Mapping[str, str]] = {}  # what the specification calls what happens to it: created, updated

    id: Key = field("Opaque identifier, unique over the whole graph.", authored=False)
    name: Name = field("What people call it.", filtered=True, fulltext=True)
    lifecycle_state: LifecycleState = field(
        "Where it stands in its life. An archived record is never matched, injected or suggested.",
        default=LifecycleState.active,
        filtered=True,
        authored=False,
    )
    lifecycle_reason: Text | None = field("Why it stands there.", default=None, authored=False)
    created_at: Timestamp = field("When it was first stored.", ordered=True, indexed=True, authored=False)
    updated_at: Timestamp = field("When it was last changed.", filtered=True, authored=False)
    version: int = field("Counts its states, from 1.", default=1, ge=1, authored=False)
    schema_version: int = field("Version of the record's own shape.", default=SCHEMA_VERSION, authored=False)
    data_class: DataClass = field(
        "How sensitive it is, with what it inherits from its sources.",
        default=DataClass.internal,
        filtered=True,
    )
    matter_ids: Matters = field("The matters it belongs to, with what it inherits from its sources.", make=list)
    source: Name | None = field("The outside system that also knows this record.", default=None, filtered=True)
    source_key: Key | None = field("What that system calls it.", default=None, filtered=True)
    legal_hold: bool = field("Whether it must be kept, whatever else is asked.", default=False, authored=False)
    stub: bool = field("Known only by its outside key so far.", default=False, authored=False)
    audience: Annotated[str, StringConstraints(max_length=20_000)] = field(
        "Class and matters in one value, for the firewall.", hidden=True
    )
    realm: Text | None = field(
        "Empty, or whose name for it this is, where what others call so is hidden from them.", default=None, hidden=True
    )
    reporters: Keys | None = field("Who reported of a run, or of what is only named.", default=None, hidden=True)
    own_data_class: DataClass = field("The class it was given, before inheritance.", hidden=True)
    own_matter_ids: Matters = field("The matters it was given, before inheritance.", make=list, hidden=True)

    @classmethod
    def labels(cls, values: dict[str, Any]) -> list[str]:
        """The labels of a node with these values, the primary one first."""
        del values
        return [cls.label, "Record"]


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record type as the registry knows it."""

    label: str
    plural: str
    prefix: str
    layer: EvidenceLayer
    colour: str
    carded: bool
    aside: bool
    saved: bool
    second_labels: tuple[str, ...]
    reported: bool
    natural_key: tuple[str, ...]
    indexed_together: tuple[tuple[str, ...], ...]
    receipt: tuple[str, ...]
    states: tuple[LifecycleState, ...]
    phrased: bool
    named: bool
    events: Mapping[str, str]
    description: str
    model: type[Record]
    fields: dict[str, Field]


def record_type(model: type[Record]) -> RecordType:
    return RecordType(
        label=model.label,
        plural=model.plural,
        prefix=model.prefix,
        layer=model.layer,
        colour=model.colour,
        carded=model.carded,
        aside=model.aside,
        saved=model.saved,
        second_labels=model.second_labels,
        reported=model.reported,
        natural_key=model.natural_key,
        indexed_together=model.indexed_together,
        receipt=model.receipt,
        states=model.states,
        phrased=model.phrased,
        named=model.named,
        events=model.events,
        description=(model.__doc__ or "").strip(),
        model=model,
        fields=_listed(read_fields(model), model.ordered_by),
    )


def read_fields(model: type[Properties]) -> dict[str, Field]:
    fields = (read_field(name, info) for name, info in model.model_fields.items())
    return {one.name: one for one in fields}


def _listed(fields: dict[str, Field], ordered_by: tuple[str, ...]) -> dict[str, Field]:
    return fields | {name: replace(fields[name], filtered=True, ordered=True) for name in ordered_by}


_KINDS: dict[type, Kind] = {str: Kind.string, int: Kind.integer, float: Kind.number, bool: Kind.boolean}


def read_field(attribute: str, info: FieldInfo) -> Field:
    """One property, read from its pydantic declaration."""
    base, marks = _unwrap(info.annotation)
    marks = [*info.metadata, *marks]
    many = get_origin(base) is list
    if many:
        base, marks = _unwrap(get_args(base)[0])
    extra: Any = info.json_schema_extra or {}
    return Field(
        name=info.alias or attribute,
        kind=_kind(base, marks),
        many=many,
        required=info.is_required(),
        description=info.description or "",
        max_length=_max_length(marks),
        enum=base if issubclass(base, StrEnum) else None,
        filtered=extra.get("filtered", False),
        ordered=extra.get("ordered", False),
        counts=extra.get("counts", ""),
        indexed=extra.get("indexed", False),
        fulltext=extra.get("fulltext", False),
        authored=extra.get("authored", True),
        hidden=extra.get("hidden", False),
    )


def _unwrap(annotation: Any) -> tuple[Any, list[Any]]:
    """Take `Annotated[...]` and `... | None` off a type; return it with the annotations found."""
    marks: list[Any] = []
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation, *found = get_args(annotation)
            marks.extend(found)
        elif origin in (Union, types.UnionType):
            annotation = next(arm for arm in get_args(annotation) if arm is not type(None))
        else:
            return annotation, marks


def _kind(base: type, marks: list[Any]) -> Kind:
    if issubclass(base, StrEnum):
        return Kind.enum
    if "timestamp" in marks:
        return Kind.timestamp
    if "long" in marks:
        return Kind.long
    return _KINDS[base]


def _max_length(marks: list[Any]) -> int | None:
    for mark in marks:
        if isinstance(mark, MaxLen | StringConstraints) and mark.max_length is not None:
            return mark.max_length
    return None
