"""What a report knows of the graph while it is folded: the records that it names, found or yet to be made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, cast

from graph_schema.fields import DataClass
from graph_schema.record import Record, RecordType
from graph_schema.registry import Registry
from service.access.audience import audience_of, cleared, rank_of, strictest, stub_audience
from service.access.viewer import KeyScope, Viewer
from service.ids import new_id
from service.memory.effects import BY_ID, OUTSIDE, Handle
from service.memory.node import Node
from service.memory.policy import POLICY_FIELDS, Rules

Values = dict[str, Any]


@dataclass(slots=True)
class RunState:
    """A run that the report speaks of. Its node is made when the first of its events is accepted."""

    handle: Handle
    id: str
    rules: Rules
    known: Values | None = None

    @property
    def name(self) -> str:
        return f"{self.handle[1]}: {self.handle[2]}"


@dataclass(slots=True)
class World:
    registry: Registry
    viewer: Viewer
    at: str
    runs: dict[Handle, RunState] = field(default_factory=dict[Handle, RunState])
    nodes: dict[Handle, Node] = field(default_factory=dict[Handle, Node])
    taken: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """Which label the outside's names belong to."""
    links: dict[tuple[str, str, str], Values] = field(default_factory=dict[tuple[str, str, str], Values])
    erased: dict[tuple[str, str], Node] = field(default_factory=dict[tuple[str, str], Node])
    """Tombstones, by the label and the hash of the outside key that they had."""
    queued: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Ids of runs and artifacts for the second lane, each with its reason."""
    audiences: dict[str, Values] = field(default_factory=dict[str, Values])
    reports: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """Hashes of the events that were accepted, by run and event id."""
    _accesses: dict[tuple[str, str | None], Values] = field(default_factory=dict[tuple[str, str | None], Values])
    _heads: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def heads(self, kind: str) -> frozenset[str]:
        """The labels that a relation of this type may lead to."""
        if kind not in self._heads:
            self._heads[kind] = frozenset(
                head for one in self.registry.relations if one.type == kind for head in one.heads
            )
        return self._heads[kind]

    def take(self, labels: Iterable[str], properties: Values) -> None:
        """Remember a record that was found by its outside name or by its id."""
        label = next(one for one in labels if one in self.registry.types)
        node = Node(label, properties, is_new=False)
        self.nodes[BY_ID, node.id] = node
        if "key_hash" in properties:
            self.erased[properties["erased_kind"], properties["key_hash"]] = node
        if "source" in properties:
            name = (cast("str", properties["source"]), cast("str", properties["source_key"]))
            self.taken[name] = label
            self.nodes[label, *name] = node

    def take_part(self, label: str, run: Handle, properties: Values) -> None:
        """Remember a record that was found within its run."""
        natural = self.registry.types[label].natural_key[1:]
        self.nodes[label, *run[1:], *(properties[name] for name in natural)] = Node(label, properties, is_new=False)

    def node(self, handle: Handle, run: RunState) -> Node:
        """The record that a handle names; made when it is not there."""
        found = self.nodes.get(handle)
        if found is None:
            found = self.nodes[handle] = self._made(handle, run)
            if handle[0] in OUTSIDE:
                self.taken[handle[1], handle[2]] = handle[0]
        return found

    def sees(self, node: Node) -> bool:
        """The rule of the firewall, literally: an audience may be too new to be in the viewer's list."""
        values = node.properties
        if str(values["audience"]).startswith("stub|"):
            return values["audience"] == stub_audience(self.viewer.principal_id) or KeyScope.admin in self.viewer.scopes
        return self.may_see(values["data_class"], values["matter_ids"])

    def may_see(self, data_class: str, matters: Iterable[str]) -> bool:
        inside = self.viewer.all_matters or self.viewer.matter_ids.issuperset(matters)
        return inside and cleared(self.viewer.clearance, data_class)

    def claim(self, node: Node, run: RunState, own_class: str | None) -> None:
        """Make an artifact that was only named so far one of this run."""
        node.set("run_id", run.id)
        if own_class or node.properties["audience"].startswith("stub|"):
            node.properties.update(self._access_of_run(run, own_class))
            node.changed = True

    def link(self, tail: Node, kind: str, head: Node, facts: Mapping[str, Any]) -> None:
        held = self.links.setdefault((tail.id, kind, head.id), {})
        for name, value in facts.items():
            if value is not None and (name not in held or held[name] < value):
                held[name] = value

    def _made(self, handle: Handle, run: RunState) -> Node:
        label = handle[0]
        kind = self.registry.types[label]
        own = {"id": run.id if label == "Run" else new_id(kind.prefix), "name": _name_of(handle)}
        stands = {"created_at": self.at, "updated_at": self.at, "version": 1, "schema_version": 1}
        flags = {"lifecycle_state": "active", "legal_hold": False, "stub": True}
        values = {**_defaults(kind), **own, **stands, **flags, **self._natural(kind, handle, run)}
        return Node(label, {**values, **self._access(label, run)}, is_new=True)

    def _natural(self, kind: RecordType, handle: Handle, run: RunState) -> Values:
        if kind.natural_key:
            return {"run_id": run.id, **dict(zip(kind.natural_key[1:], handle[3:], strict=True))}
        named = {"source": handle[1], "source_key": handle[2]}
        if kind.label == "Run":
            policy = {name: run.rules.values[name] for name in POLICY_FIELDS}
            return {**named, **policy}
        if kind.label == "Module":
            task, _, module = handle[2].rpartition("/")
            return {**named, "task_key": task, "module_key": module}
        return named

    def _access(self, label: str, run: RunState) -> Values:
        if label == "WorkProduct":
            return {**self._shared(DataClass.public, ()), **_seen(run.rules.values)}
        if label in OUTSIDE - {"Run", "Fork"}:
            return self._stub_access()
        return self._access_of_run(run, None)

    def _access_of_run(self, run: RunState, own_class: str | None) -> Values:
        if (run.id, own_class) not in self._accesses:
            strict = strictest([run.rules.values["data_class"], own_class or DataClass.public])
            self._accesses[run.id, own_class] = self._shared(strict, run.rules.values["matter_ids"])
        return self._accesses[run.id, own_class]

    def _shared(self, data_class: DataClass, matters: Iterable[str]) -> Values:
        listed = sorted(matters)
        audience = audience_of(data_class, listed)
        self.audiences[audience] = {
            "audience": audience,
            "data_class": data_class.value,
            "rank": rank_of(data_class),
            "matter_ids": listed,
            "principal_id": None,
        }
        access = {"data_class": data_class.value, "matter_ids": listed, "audience": audience}
        return {**access, "own_data_class": data_class.value, "own_matter_ids": listed}

    def _stub_access(self) -> Values:
        audience = stub_audience(self.viewer.principal_id)
        self.audiences[audience] = {
            "audience": audience,
            "data_class": DataClass.internal.value,
            "rank": 0,
            "matter_ids": [],
            "principal_id": self.viewer.principal_id,
        }
        plain: Values = {"data_class": DataClass.internal.value, "matter_ids": [], "audience": audience}
        return {**plain, "own_data_class": DataClass.internal.value, "own_matter_ids": []}


def _seen(values: Values) -> Values:
    """Access of a run, for what is made from it."""
    data_class, matters = values["data_class"], values["matter_ids"]
    return {"data_class": data_class, "matter_ids": matters, "audience": audience_of(data_class, matters)}


def _name_of(handle: Handle) -> str:
    if handle[0] == "Activation":
        return f"{handle[3]} #{handle[4]}"[:200]
    if handle[0] == "Module":
        return str(handle[2]).rpartition("/")[2][:200]
    return str(handle[-1])[:200]


_DEFAULTS: dict[str, Values] = {}


def _defaults(kind: RecordType) -> Values:
    """What a record of this kind says before anything is known of it."""
    if kind.label not in _DEFAULTS:
        own = {name: info.default for name, info in kind.model.model_fields.items() if name not in Record.model_fields}
        plain = {name: one.value if isinstance(one, StrEnum) else one for name, one in own.items()}
        _DEFAULTS[kind.label] = {name: one for name, one in plain.items() if isinstance(one, str | int | float | bool)}
    return _DEFAULTS[kind.label]
