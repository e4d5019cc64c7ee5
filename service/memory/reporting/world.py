"""What a report knows of the graph while it is folded: the records that it names, found or yet to be made."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, cast

from graph_schema.model.fields import DataClass
from graph_schema.model.record import Record, RecordType
from graph_schema.model.registry import Registry
from service.access.audience import Access, is_stub_audience
from service.access.viewer import KeyScope, Viewer
from service.commands.ground import begun
from service.commands.inheritance import is_unplaced
from service.ids import new_id
from service.memory.reporting.effects import BY_ID, OUTSIDE, Handle
from service.memory.reporting.node import Node
from service.memory.reporting.policy import ACCESS, POLICY_FIELDS, Rules

Values = dict[str, Any]
Place = tuple[Handle, str | None, int | None]
"""A step of a run, or (without module and activation) what is outside its steps."""

FIRST = frozenset({"named"})
"""Facts of links of which the least stands; of all others the greatest does. So no order of arrival matters."""


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
    queued: dict[tuple[str, str], Handle] = field(default_factory=dict[tuple[str, str], Handle])
    """Ids of runs and artifacts for the second lane, each with its reason, and the run that gave it."""
    hidden: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Outside names of records that the caller does not see."""
    named: dict[Handle, set[str]] = field(default_factory=dict[Handle, set[str]])
    """Ids of all that has an outside name: what the caller sees by it, what they do not."""
    modules: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Modules that were activated already, by run."""
    reports: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """Hashes of the events that were accepted, by run and event id."""
    spans: dict[Place, dict[str, Values]] = field(default_factory=dict[Place, dict[str, Values]])
    """Where costs are added up from spans: what is known of those that the report itself does not tell of, by key."""
    _heads: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict[tuple[str, str], frozenset[str]])

    def heads(self, kind: str, tail: str) -> frozenset[str]:
        """The labels that a relation of this type may lead to from such a record."""
        if (kind, tail) not in self._heads:
            relation = self.registry.relation(kind, tail)
            self._heads[kind, tail] = frozenset(self.registry.members(relation.heads) if relation else ())
        return self._heads[kind, tail]

    def take(self, labels: Iterable[str], properties: Values) -> None:
        """Remember a record that was found by its outside name or by its id.

        What a run names is what it is about, whoever may read that: so it is as closed. But nothing that the caller
        does not see is told by being of another kind.
        """
        label = next(one for one in labels if one in self.registry.types)
        node = Node(label, properties, is_new=False)
        self.nodes[BY_ID, node.id] = node
        if "key_hash" in properties:
            self.erased[properties["erased_kind"], properties["key_hash"]] = node
        if "source" not in properties:
            return
        name = (cast("str", properties["source"]), cast("str", properties["source_key"]))
        handle: Handle = (label, *name)
        self.named.setdefault(handle, set()).add(node.id)
        if self.sees(node):
            if name not in self.taken or not properties.get("realm"):
                self.taken[name] = label
                self.nodes[handle] = node
            return
        self.hidden.add(name)
        if properties.get("realm") == self.viewer.principal_id:  # the caller gave it, and knows of what kind it is
            self.taken.setdefault(name, label)
        held = self.nodes.get(handle)
        if label != "Run" and (held is None or held.id == node.id):  # which run is meant is settled with the runs
            self.nodes[handle] = node

    def is_ambiguous(self, handle: Handle) -> bool:
        """Whether the caller may mean something of their own by a name that another record has for them as well."""
        return (handle[1], handle[2]) in self.hidden or len(self.named.get(handle, ())) > 1

    def settle_name(self, handle: Handle, own: Container[str], *, written: bool) -> None:
        """By a name its caller means what came of runs that they reported, whoever may read it by now.

        What they make otherwise is new: what has its name, out of their sight, is another.
        """
        mine = [self.nodes[BY_ID, one] for one in self.named.get(handle, ()) if one in own]
        if mine:
            self.nodes[handle] = min(mine, key=self._distance)
            self.taken[handle[1], handle[2]] = handle[0]
            return
        node = self.nodes.get(handle)
        if written and node and not self.sees(node) and not is_unplaced(node.label, node.properties):
            del self.nodes[handle]

    def _distance(self, node: Node) -> tuple[bool, str, str]:
        """Of the runs that are reported first, then the one that had the name first."""
        here = any(node.properties.get("run_id") == state.id for state in self.runs.values())
        return not here, node.properties["realm"], node.id

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
        if is_stub_audience(values["audience"]):
            return self.viewer.principal_id in values["reporters"] or KeyScope.admin in self.viewer.scopes
        return self.viewer.may_see(Access.of(values))

    def is_first_of_module(self, step: Node) -> bool:
        """Whether no other activation of its module in its run is known yet. It is, from now on."""
        key = (step.properties["run_id"], step.properties["module_key"])
        is_first = key not in self.modules
        self.modules.add(key)
        return is_first

    def claim(self, node: Node, run: RunState, own_class: str | None) -> None:
        """Make an artifact that was only named so far one of this run."""
        was_unplaced = is_unplaced(node.label, node.properties)
        node.set("run_id", run.id)
        if own_class or was_unplaced:
            self.place(node, Access(DataClass(own_class or DataClass.public)))

    def place(self, node: Node, own: Access) -> None:
        """Give a record what it has of its own. What it inherits is settled when the report is folded."""
        node.set("reporters", None)
        for name, value in _given(own).items():
            node.properties[name] = value
        node.changed = True

    def link(self, tail: Node, kind: str, head: Node, facts: Mapping[str, Any]) -> None:
        held = self.links.setdefault((tail.id, kind, head.id), {})
        for name, value in facts.items():
            if value is not None and (
                name not in held or (value < held[name] if name in FIRST else value > held[name])
            ):
                held[name] = value

    def _made(self, handle: Handle, run: RunState) -> Node:
        label = handle[0]
        kind = self.registry.types[label]
        own = begun(run.id if label == "Run" else new_id(kind.prefix), _name_of(handle), self.at)
        values = {**_defaults(kind), **own, **self._natural(kind, handle, run), **self._access(label, run)}
        return Node(label, values, is_new=True)

    def _natural(self, kind: RecordType, handle: Handle, run: RunState) -> Values:
        if kind.natural_key:
            return {"run_id": run.id, **dict(zip(kind.natural_key[1:], handle[3:], strict=True))}
        twin = (handle[1], handle[2]) in self.hidden
        named = {"source": handle[1], "source_key": handle[2], "realm": self.viewer.principal_id if twin else ""}
        if kind.label == "Run":
            policy = {name: run.rules.values[name] for name in POLICY_FIELDS if name not in ACCESS}
            return {**named, **policy}
        if kind.label == "Module":
            task, _, module = handle[2].rpartition("/")
            return {**named, "task_key": task, "module_key": module}
        return named

    def _access(self, label: str, run: RunState) -> Values:
        """What is given to something new. All else it takes over from its run, or from what names it."""
        if label not in OUTSIDE:
            return {**_NOTHING, **self._of_run(run)}
        own = Access.of(run.rules.values) if label == "Run" else Access() if label in _MADE else Access(_UNTOLD)
        return {**_given(own), "reporters": [self.viewer.principal_id]}

    def _of_run(self, run: RunState) -> Values:
        """The access that a run has so far: that of its parts."""
        node = self.nodes.get(run.handle)
        return {name: node.properties[name] for name in _SEEN} if node else Access.of(run.rules.values).values()


_SEEN = ("data_class", "matter_ids", "audience")
_NOTHING = Access().as_own()


def _given(own: Access) -> Values:
    return {**own.as_own(), **own.values()}


_MADE = frozenset({"Artifact", "WorkProduct", "Fork"})
"""What comes of runs, and has no class but theirs."""

_UNTOLD = DataClass.internal
"""The class of whatever is described without one."""


def _name_of(handle: Handle) -> str:
    if handle[0] == "Activation":
        return f"{handle[3]} #{handle[4]}"
    if handle[0] == "Module":
        return str(handle[2]).rpartition("/")[2]
    return str(handle[-1])


_DEFAULTS: dict[str, Values] = {}


def _defaults(kind: RecordType) -> Values:
    """What a record of this kind says before anything is known of it."""
    if kind.label not in _DEFAULTS:
        own = {name: info.default for name, info in kind.model.model_fields.items() if name not in Record.model_fields}
        plain = {name: one.value if isinstance(one, StrEnum) else one for name, one in own.items()}
        _DEFAULTS[kind.label] = {name: one for name, one in plain.items() if isinstance(one, str | int | float | bool)}
    return _DEFAULTS[kind.label]
