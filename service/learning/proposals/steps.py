"""A change as steps: what each does to a record's content, how it is undone, and how it is told. Pure.

Content is what people set of a record, where it stands in its life, and where the relations lead that a change touches.
Version, times, access and what is derived are none of it.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.learning.proposal_words import Operation
from graph_schema.model.fields import TEXT_LENGTH
from graph_schema.model.record import RecordType
from service.learning.proposals import blueprint_patch, graph_patch
from service.learning.proposals.blueprint_patch import BLUEPRINT
from service.learning.proposals.graph_patch import GRAPH

WHOLES = frozenset({GRAPH, BLUEPRINT})
"""What content has beside the fields of its record: a graph, the parts of a blueprint."""
_PATCHES = frozenset({Operation.patch_graph, Operation.patch_blueprint})
_ACCESS = frozenset({"data_class", "matter_ids", "source", "source_key"})
_SHOWN = 120

Links = frozenset[tuple[str, str]]
"""Relations of a record: a type, and the id that it leads to."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `name` is what people call what a link leads to."""

    operation: Operation
    field: str | None = None
    value: Any = None
    relation: str | None = None
    head_id: str | None = None
    name: str = ""

    def key(self) -> list[Any]:
        return [self.operation.value, self.field, self.value, self.relation, self.head_id]


@dataclass(frozen=True, slots=True)
class Content:
    """What a record says, and where its relations lead, as far as a change touches them."""

    values: Mapping[str, Any]
    links: Links = frozenset()

    def hash(self) -> str:
        return digest([dict(self.values), sorted(map(list, self.links))])


def content_of(kind: RecordType, properties: Mapping[str, Any], links: Iterable[tuple[str, str]] = ()) -> Content:
    told = [one.name for one in kind.fields.values() if one.authored and one.name not in _ACCESS]
    values = {name: properties[name] for name in (*told, "lifecycle_state") if properties.get(name) not in (None, [])}
    return Content(values, frozenset(links))


def patched(content: Content, steps: Sequence[Step]) -> Content:
    """The content after the steps, one after another."""
    values, links = dict(content.values), set(content.links)
    for step in steps:
        match step.operation:
            case Operation.set_value:
                values[str(step.field)] = step.value
            case Operation.set_lifecycle:
                values["lifecycle_state"] = step.value
            case Operation.add_to_list:
                known = [*values.get(str(step.field), ())]
                values[str(step.field)] = [*known, *(one for one in listed(step.value) if one not in known)]
            case Operation.remove_from_list:
                gone = listed(step.value)
                values[str(step.field)] = [one for one in values.get(str(step.field), ()) if one not in gone]
            case Operation.link:
                links.add((str(step.relation), str(step.head_id)))
            case Operation.unlink:
                links.discard((str(step.relation), str(step.head_id)))
            case Operation.patch_graph:
                values[GRAPH] = graph_patch.patched_text(values.get(GRAPH), step.value)
            case Operation.patch_blueprint:
                values[BLUEPRINT] = blueprint_patch.patched_text(values.get(BLUEPRINT), step.value)
    return Content({name: value for name, value in values.items() if value not in (None, [])}, frozenset(links))


def differing(before: Content, after: Content) -> dict[str, Any]:
    """The fields that change, with their new values; None where a field is emptied."""
    names = sorted({*before.values, *after.values})
    return {name: after.values.get(name) for name in names if before.values.get(name) != after.values.get(name)}


def relations_of(steps: Iterable[Step]) -> list[str]:
    return sorted({one.relation for one in steps if one.relation is not None})


def idea_key(target_id: str, before: Content, steps: Sequence[Step]) -> str:
    """The same change of the same record, however its steps are told."""
    after = patched(before, steps)
    touched = {
        "set": {one.field: after.values.get(str(one.field)) for one in steps if one.operation is Operation.set_value},
        "state": [one.value for one in steps if one.operation is Operation.set_lifecycle][-1:],
        "add": _entries(steps, Operation.add_to_list),
        "remove": _entries(steps, Operation.remove_from_list),
        "links": sorted(one.key() for one in steps if one.relation is not None),
        "graph": [one.value for one in steps if one.operation in _PATCHES],
    }
    return digest([target_id, touched])


def _entries(steps: Iterable[Step], operation: Operation) -> list[list[Any]]:
    return sorted([one.field, entry] for one in steps if one.operation is operation for entry in listed(one.value))


def digest(told: Any) -> str:
    return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS, default=str)).hexdigest()


def listed(value: Any) -> list[Any]:
    return [*value] if isinstance(value, list | tuple) else [value]  # pyright: ignore[reportUnknownVariableType]


def sentence(step: Step, before: Any) -> str:
    """The step, in words."""
    what = (step.field or step.relation or "").replace("_", " ").lower()
    shown = ", ".join(f"“{_short(one)}”" for one in listed(step.value))
    match step.operation:
        case Operation.set_value if step.name:
            was = f"{_hash(step.value)}, in the place of {_hash(before)}"
            told = f"Take the text of {step.name} (hash {was})."
        case Operation.set_value:
            was = f", which was “{_short(before)}”" if before not in (None, []) else ""
            told = f"Set {what} to {shown}{was}." if step.value not in (None, []) else f"Empty {what}{was}."
        case Operation.set_lifecycle:
            told = f"Make it {step.value}, which was {before}."
        case Operation.add_to_list:
            told = f"Add {shown} to {what}."
        case Operation.remove_from_list:
            told = f"Take {shown} out of {what}."
        case Operation.link:
            told = f"Link it by {what} to {step.name or step.head_id}."
        case Operation.unlink:
            told = f"Take away its link by {what} to {step.name or step.head_id}."
        case Operation.patch_graph:
            told = f"Change its graph: {graph_patch.told(step.value)}."
        case Operation.patch_blueprint:
            told = f"Change its blueprint: {blueprint_patch.told(step.value)}."
    return told[:TEXT_LENGTH]


def _hash(value: Any) -> str:
    return str(value)[:12]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else orjson.dumps(value, default=str).decode()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
