"""Runs whose every text holds a mark: all kinds of event with all their fields, made from the table of kinds; and one
record of every kind that is a part of a run, made from the registry."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from graph_schema.model.fields import Field, Kind
from graph_schema.model.parts import LAST_OF, PART_OF, owned
from graph_schema.model.relation import Relation
from graph_schema.registry import REGISTRY
from service.access.audience import audience_of
from service.graph.database import Database
from service.memory.reporting.events import SAID
from service.memory.reporting.kinds import KINDS, EventKind
from tests.memory.stories import POLICY, Event, at

MARK = "zqmark"
AT = "2026-01-01T09:00:00.000Z"

_SHARED = {
    "artifact_key",
    "gate_key",
    "session_key",
    "span_key",
    "task_key",
    "module_key",
    "template_key",
    "preset_key",
}
_PICKED: dict[str, Any] = {
    "activation_seq": 1,
    "session_kind": "forked_session",
    "snapshot_kind": "capability",
    "artifact_kind": "document",
    "output_class": "intermediate_output",
    "evidence_kind": "judge",
    "snapshot_keys": [f"{MARK} snapshot_key"],
    "artifact_keys": [f"{MARK} artifact_key"],
    "snapshot_key": f"{MARK} snapshot_key",
    "triggered_by": [{"module_key": f"{MARK} before", "activation_seq": 1}],
}
_STATUS = {"gate_decided": "approved", "delivery": "delivered", "span": "success"}
_ITEMS = {"about": "Entity", "goals": "Goal", "advanced_goals": "Goal", "capabilities": "Capability",
          "derived_from": "Entity", "recipients_known": "Entity"}  # fmt: skip


def mark(*names: str) -> str:
    return " ".join((MARK, *names))


def events(run: str = MARK, mode: str = "standard", leave: Iterable[str] = ("fork",), **policy: Any) -> list[Event]:
    """One event of each kind, with every field that it takes."""
    shared = {"run": {"source": "exec", "key": run}, "policy": {**POLICY, "memory_mode": mode, **policy}}
    return [
        {**shared, **_event(kind, place, {*leave}), "event_id": f"{MARK} {run} {kind.name}"}
        for place, kind in enumerate(KINDS.values())
    ]


def _event(kind: EventKind, place: int, leave: set[str]) -> Event:
    names = [*kind.needs, *kind.takes, *kind.says, "task_key"]
    if kind.step != "none":
        names += ["module_key", "activation_seq"]
    values = {name: given(kind, name) for name in names if name not in leave}
    return {"kind": kind.name, "occurred_at": at(place), **values}


def given(kind: EventKind, name: str) -> Any:
    """What an event of this kind says in a field."""
    if name == "status":
        return _STATUS[kind.name]
    if name in _PICKED:
        return _PICKED[name]
    if name in _ITEMS:
        return [_item(_ITEMS[name], name)]
    if name == "item":
        return _item("Artifact" if kind.name == "artifact_consumed" else "Entity", kind.name)
    if name in SAID and name not in REGISTRY.types[kind.record].fields:
        return _said(kind, name)
    known = REGISTRY.types[kind.record].fields.get(name)
    return _value(known, kind.name, name) if known else mark(name)


def _said(kind: EventKind, name: str) -> Any:
    if name.endswith("_level") or name == "promoted_level":
        return "doc72_reference"
    if name == "capture_mode":
        return "keep_with_run"
    if name == "high_value_candidate":
        return True
    return mark(name) if name in _SHARED else mark(kind.name, name)


def _item(kind: str, name: str) -> dict[str, Any]:
    more: dict[str, Any] = {"effect": mark(name, "effect")} if kind == "Goal" else {}
    return {"kind": kind, "source": "exec", "key": mark(name, "item"), "name": mark(name, "called"), **more}


def _value(one: Field, kind: str, name: str) -> Any:
    if one.enum is not None:
        value: Any = next(iter(one.enum)).value
    elif one.kind is Kind.string:
        value = mark(name) if name in _SHARED else mark(kind, name)
    else:
        value = {Kind.timestamp: AT, Kind.boolean: True, Kind.number: 0.5}.get(one.kind, 1)
    return [value] if one.many else value


async def places(database: Database) -> set[tuple[str, str]]:
    """Where in the graph a mark stands: label or type, and property."""
    nodes = await database.read(_MARKED_NODES, mark=MARK)
    links = await database.read(_MARKED_LINKS, mark=MARK)
    return {(row["label"], row["key"]) for row in (*nodes, *links)}


_HOLDS = """CASE WHEN value IS :: STRING THEN value CONTAINS $mark
  WHEN value IS :: LIST<STRING NOT NULL> THEN any(x IN value WHERE x CONTAINS $mark) ELSE false END"""
_MARKED_NODES: Any = (
    "MATCH (n) UNWIND keys(n) AS key WITH n, key, n[key] AS value WHERE " + _HOLDS
    + " RETURN DISTINCT head([one IN labels(n) WHERE one <> 'Record']) AS label, key"
)  # fmt: skip
_MARKED_LINKS: Any = (
    "MATCH ()-[n]->() UNWIND keys(n) AS key WITH n, key, n[key] AS value WHERE " + _HOLDS
    + " RETURN DISTINCT type(n) AS label, key"
)  # fmt: skip


def files_with_marks(folder: Path) -> list[Path]:
    return [one for one in folder.rglob("*") if one.is_file() and MARK.encode() in one.read_bytes()]


RUN_ID = "run_marked"
PARTS = sorted({label for label, _ in owned(REGISTRY)})


def record_id(label: str) -> str:
    return f"{REGISTRY.types[label].prefix}_marked"


async def plant(database: Database, matters: Iterable[str] = ()) -> list[str]:
    """A run, one record of each kind that names its run, and one of each kind that is a part by a relation alone.

    Every text is a mark, every link that makes a part is there, and each has a former state and an event.
    """
    hanging = [one for one in REGISTRY.relations if one.type in {*PART_OF, *LAST_OF} and _hangs(one)]
    labels = sorted({"Run", *PARTS, *(_ends(one)[1] for one in hanging)})
    listed = sorted(matters)
    await database.run_alone(_CREATE, rows=[_row(label, listed) for label in labels])
    await database.run_alone(
        "MERGE (a:Audience {audience: $a}) SET a.data_class = 'internal', a.rank = 1, a.matter_ids = $m",
        a=audience_of("internal", listed), m=listed,
    )  # fmt: skip
    await database.run_alone(_LINK, rows=[_link(one) for one in hanging])
    return [record_id(label) for label in labels]


_CREATE = """
UNWIND $rows AS row
CREATE (n:$(row.labels)) SET n = row.properties
CREATE (n)-[:PREVIOUS]->(v:Version) SET v = row.properties, v.record_id = n.id, v.version = 1,
  v.replaced_at = row.at
REMOVE v.id
CREATE (:Event {event_id: 'evt_' + n.id, about: n.id, about_kind: row.labels[0], audience: n.audience,
  principal_id: 'p', command_id: 'c_' + n.id, changed: []})
CREATE (:Command {principal_id: 'p', command_id: 'c_' + n.id, command: 'x', hash: 'h', result: row.result})
"""
_LINK = """
UNWIND $rows AS row
MATCH (t:Record {id: row.tail}) MATCH (h:Record {id: row.head})
CREATE (t)-[r:$(row.type)]->(h) SET r = row.facts
"""


def _whole_first(one: Relation) -> bool:
    return {**PART_OF, **LAST_OF}[one.type] == "head"


def _ends(one: Relation) -> tuple[str, str]:
    """The whole that a part of a run hangs on by this relation, and the part."""
    wholes, parts = (one.tails, one.heads) if _whole_first(one) else (one.heads, one.tails)
    return next(label for label in wholes if label in {"Run", *PARTS}), parts[0]


def _hangs(one: Relation) -> bool:
    wholes = one.tails if _whole_first(one) else one.heads
    return bool({*wholes} & {"Run", *PARTS})


def _row(label: str, matters: list[str]) -> dict[str, Any]:
    kind = REGISTRY.types[label]
    values = {name: _value(one, label, name) for name, one in kind.fields.items()}
    access: dict[str, Any] = {
        "id": record_id(label), "data_class": "internal", "matter_ids": matters, "own_data_class": "internal",
        "own_matter_ids": matters, "audience": audience_of("internal", matters), "version": 2, "legal_hold": False,
        "stub": False, "lifecycle_state": "active", "schema_version": 1,
    }  # fmt: skip
    owners = {name: RUN_ID for name in ("run_id", "source_run_id", "parent_run_id") if name in kind.fields}
    keys = {"source": "exec", "source_key": mark(label), "realm": "", "reporters": ["prin_executor"]}
    properties = {**values, **access, **owners, **keys, "due": None, "compacting_since": None, "compacted_at": None}
    return {"labels": kind.model.labels(properties), "properties": properties, "at": AT, "result": mark("result")}


def _link(one: Relation) -> dict[str, Any]:
    whole, part = _ends(one)
    tail, head = (whole, part) if _whole_first(one) else (part, whole)
    facts = {name: _value(field, one.type, name) for name, field in one.fields.items()}
    return {"tail": record_id(tail), "head": record_id(head), "type": one.type, "facts": facts}
