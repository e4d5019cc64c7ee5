"""What must hold before a record is saved or linked. Plain functions over facts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graph_schema.model.fields import DataClass
from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from graph_schema.model.relation import End, Relation
from service.access.viewer import Viewer
from service.commands.clearance import refusal
from service.commands.errors import InputInvalid, VersionConflict
from service.commands.refs import RecordRef
from service.commands.work import State, Work
from service.records.errors import FieldUnknown, RelationManaged, RelationSaved, RelationUnknown


def check_fields(kind: RecordType, values: Mapping[str, Any]) -> None:
    for name in values:
        known = kind.fields.get(name)
        if known is None or not known.authored:
            raise FieldUnknown(kind.label, name)


def check_access(viewer: Viewer, values: Mapping[str, Any]) -> None:
    """A writer gives away no more than they hold: no class above their clearance, no matter of others."""
    data_class = values.get("data_class")
    if data_class is not None and data_class not in {one.value for one in DataClass}:
        raise InputInvalid("data_class", f"must be one of {', '.join(DataClass)}")
    refused = refusal(viewer, data_class, values.get("matter_ids") or ())
    if refused is not None:
        raise refused


def check_kept(values: Mapping[str, Any]) -> None:
    """Who may see a record is changed by saying who, not by saying nothing."""
    for name, instead in (
        ("data_class", "say which class it is to be"),
        ("matter_ids", "an empty list takes all away"),
    ):
        if name in values and values[name] is None:
            raise InputInvalid(name, f"cannot be cleared; {instead}")


def check_matters(work: Work, values: Mapping[str, Any]) -> None:
    """What is named as a matter is one. The command has read it."""
    for matter in values.get("matter_ids") or ():
        named = work.need(RecordRef(id=matter), "matter_ids", ["Entity"])
        if named.properties.get("kind") != "matter":
            raise InputInvalid("matter_ids", f"{matter} is not a matter")


def check_version(record_id: str, state: State | None, expected: int | None) -> None:
    current = state.version if state else 0
    if expected is not None and expected != current:
        raise VersionConflict(record_id, expected, current)


def own_ref(kind: RecordType, record_id: str | None, values: Mapping[str, Any]) -> RecordRef | None:
    """How a save names the record that it changes: by id, by its outside key, or not at all."""
    source, key = values.get("source"), values.get("source_key")
    if (source is None) != (key is None):
        raise InputInvalid("source_key" if key is None else "source", "source and source_key go together")
    if record_id is not None:
        return RecordRef(id=record_id)
    return RecordRef(kind=kind.label, source=source, key=key) if source is not None else None


def given_names(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The outside name that a save gives, if any."""
    source, key = values.get("source"), values.get("source_key")
    return [(source, key)] if source is not None and key is not None else []


def at_end(registry: Registry, ref: RecordRef, kind: str, end: End) -> RecordRef:
    """A reference with the kind that a relation implies, where only one kind can be at that end of it."""
    listed = [one.tails if end == "tail" else one.heads for one in registry.relations if one.type == kind]
    labels = {label for one in listed for label in registry.members(one)}
    return replace(ref, kind=labels.pop()) if ref.id is None and ref.kind is None and len(labels) == 1 else ref


def allowed_relation(registry: Registry, kind: str, tail: str, head: str) -> Relation:
    """The registry's relation of this type between these labels."""
    between = [
        one for one in registry.relations if tail in registry.members(one.tails) and head in registry.members(one.heads)
    ]
    found = next((one for one in between if one.type == kind), None)
    if found is None:
        free = (one.type for one in between if not one.managed and tail not in one.saved_with)
        raise RelationUnknown(kind, tail, head, free)
    if found.managed:
        raise RelationManaged(kind)
    if tail in found.saved_with:
        raise RelationSaved(kind, tail)
    return found
