"""Keeping graphs: as snapshots with modules and cables, each content once for the same readers."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from graph_schema.library.words import ModuleFamily
from graph_schema.model.fields import NAME_LENGTH, DataClass
from service.commands import Work
from service.commands.errors import RecordMissing
from service.commands.validation import validated
from service.commands.work import State
from service.ids import new_id
from service.library.cypher import graphs as cypher
from service.library.graphs import GraphInput, canonical, graph_hash, graph_of
from service.library.n8n.families import family_of_node
from service.memory.saved_graphs import MOST_RUNS, MOST_STEPS, TIE_RUNS

OWNERS = ("Task", "Template", "Segment")
_RUN = ("Task", "Template")
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SavedGraph:
    """What became of a graph: its snapshot, the owner after it, and the ids of the snapshots that it replaced."""

    owner: State
    snapshot: State
    graph: GraphInput
    changed: bool
    former: tuple[str, ...] = ()


async def plan_graph(work: Work, owner: State, graph: GraphInput, left: frozenset[str] = frozenset()) -> SavedGraph:
    """Make this the graph of a task, template or segment, within a command of any kind.

    `left`: graphs that it has left to others already, and keeps not even as those that it had.
    """
    return (await plan_graphs(work, [(owner, graph)], left))[0]


async def plan_graphs(
    work: Work, wanted: Sequence[tuple[State, GraphInput]], left: frozenset[str] = frozenset()
) -> list[SavedGraph]:
    """The same for many owners at once, in three statements. An owner may have been made by this very command."""
    graphs = [(owner, canonical(graph)) for owner, graph in wanted]
    hashes = [graph_hash(graph) for _, graph in graphs]
    asked = [
        {"owner": owner.id, "hash": digest, "audience": owner.properties["audience"]}
        for (owner, _), digest in zip(graphs, hashes, strict=True)
    ]
    rows = await work.transaction.run(cypher.KNOWN_GRAPHS, graphs=asked)
    known: dict[str, Values] = {row["owner"]: {**row, "left": left} for row in rows}
    making = _Making(work)
    saved = [
        _settle(work, owner, graph, making.snapshot(owner, graph, digest, known[owner.id]["same"]), known[owner.id])
        for (owner, graph), digest in zip(graphs, hashes, strict=True)
    ]
    await making.write()
    _tie_runs(work, saved)
    return saved


async def plan_draft(work: Work, drafter: State, graph: GraphInput, same: Values | None) -> SavedGraph:
    """Keep a graph that is only proposed: nobody has it, and it has the access of who drafted it. `same`: the draft of
    the same content that there is already."""
    whole = canonical(graph)
    making = _Making(work)
    snapshot = making.snapshot(drafter, whole, graph_hash(whole), same)
    await making.write()
    return SavedGraph(drafter, snapshot, whole, changed=same is None)


async def plan_drafts(work: Work, drafts: Sequence[tuple[State, GraphInput]]) -> list[State]:
    """Keep graphs that nobody has, each with the access of what it is kept for. The snapshots, in their order."""
    making, made = _Making(work), list[State]()
    for drafter, graph in drafts:
        whole = canonical(graph)
        made.append(making.snapshot(drafter, whole, graph_hash(whole), None))
    await making.write()
    return made


def _tie_runs(work: Work, saved: Sequence[SavedGraph]) -> None:
    """Runs may have begun before their graph was saved: they went through it all the same."""
    new = {one["properties"]["id"] for one in work.changes.creates}
    owners = [one.owner.id for one in saved if one.changed and one.owner.type.label in _RUN]
    known = [one for one in owners if one not in new]
    if known:
        values = {"owners": known, "most_runs": MOST_RUNS, "most_steps": MOST_STEPS}
        work.changes.afterwards.append((TIE_RUNS, values))


async def with_extra(work: Work, owner: State, graph: GraphInput) -> GraphInput:
    """Whoever changes a graph need not know what its origin said beside it: left out, it stays."""
    if graph.extra is not None:
        return graph
    row = await work.transaction.one(cypher.PRESENT_EXTRA, owner=owner.id)
    return replace(graph, extra=row["extra"]) if row else graph


async def load_graph(work: Work, snapshot_id: str) -> GraphInput:
    """The content of a snapshot that the viewer sees."""
    row = await work.transaction.one(cypher.GRAPHS, ids=[snapshot_id], audiences=work.viewer.audiences)
    if row is None:
        raise RecordMissing(snapshot_id, "graph")
    return graph_of(row)


async def part_graphs(
    work: Work, owner: State, together: Sequence[str] = (), copies: Sequence[SavedGraph] = ()
) -> list[SavedGraph]:
    """Give an owner whose access has changed graphs of its own: those that it shares keep the others' access.

    What it shares only with owners whose access changes `together` with it goes with them. `copies` are theirs.
    """
    parted: list[SavedGraph] = []
    made = {former: one.snapshot for one in copies for former in one.former}
    for row in await work.transaction.run(cypher.SHARED_GRAPHS, owner=owner.id, together=list(together)):
        shared = _state(work, row["snapshot"])
        work.unlink(owner, row["type"], shared)
        if row["type"] == "HAS_GRAPH":
            making = _Making(work)
            graph = await load_graph(work, shared.id)
            copy = made.get(shared.id) or making.snapshot(owner, graph, shared.properties["graph_hash"], None)
            await making.write()
            work.link(owner, "HAS_GRAPH", copy)
            parted.append(SavedGraph(owner, copy, graph, changed=True, former=(shared.id,)))
    return parted


async def leave_graphs(work: Work, owner: State, together: Sequence[str] = ()) -> frozenset[str]:
    """The same for an owner that is about to get another graph: what it shares it only leaves. Says which it had."""
    rows = await work.transaction.run(cypher.SHARED_GRAPHS, owner=owner.id, together=list(together))
    for row in rows:
        work.unlink(owner, row["type"], _state(work, row["snapshot"]))
    return frozenset(row["snapshot"]["id"] for row in rows if row["type"] == "HAS_GRAPH")


def _settle(work: Work, owner: State, graph: GraphInput, snapshot: State, known: Mapping[str, Any]) -> SavedGraph:
    present = {one["id"]: _state(work, one) for one in known["present"]}
    kept = {one: former for one, former in present.items() if one not in known["left"]}
    if snapshot.id in kept:
        return SavedGraph(owner, snapshot, graph, changed=False)
    for former in kept.values():
        work.unlink(owner, "HAS_GRAPH", former)
        work.link(owner, "HAD_GRAPH", former, {"replaced_at": work.at})
    work.unlink(owner, "HAD_GRAPH", snapshot)
    work.link(owner, "HAS_GRAPH", snapshot)
    after = _with_hash(work, owner, snapshot.properties["graph_hash"])
    return SavedGraph(after, snapshot, graph, changed=True, former=tuple(present))


def _with_hash(work: Work, owner: State, digest: str) -> State:
    if "graph_hash" not in owner.type.fields:
        return owner
    if any(one["properties"] is owner.properties for one in work.changes.creates):
        owner.properties["graph_hash"] = digest
        return owner
    return work.update(owner, {"graph_hash": digest})


class _Making:
    """Snapshots to be made by one statement; what two owners of the same readers have in common is made once."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._made: dict[tuple[str, str], State] = {}
        self._graphs: list[tuple[State, GraphInput]] = []

    def snapshot(self, owner: State, graph: GraphInput, digest: str, same: Values | None) -> State:
        key = (digest, owner.properties["audience"])
        if same is not None:
            return _state(self._work, same)
        if key not in self._made:
            self._made[key] = self._new(owner, graph, digest)
            self._graphs.append((self._made[key], graph))
        return self._made[key]

    async def write(self) -> None:
        if not self._graphs:
            return
        types = await self._types()
        made: dict[tuple[str, str], Values] = {}
        graphs = [_rows(self._work, snapshot, graph, types, made) for snapshot, graph in self._graphs]
        await self._work.transaction.run(cypher.CREATE_GRAPHS, graphs=graphs, types=list(made.values()))

    def _new(self, owner: State, graph: GraphInput, digest: str) -> State:
        work, kind = self._work, self._work.registry.types["GraphSnapshot"]
        values = {
            **_common(work, new_id(kind.prefix), f"Graph of {owner.properties['name']}"),
            **_access(owner),
            "graph_hash": digest,
            "module_count": len(graph.modules),
            "cable_count": len(graph.cables),
            "settings": graph.settings,
            "extra": graph.extra,
        }
        properties = validated(kind.model, _given(values), "graph.")
        state = State(kind, tuple(kind.model.labels(properties)), properties)
        work.event("created", state)
        return state

    async def _types(self) -> dict[str, list[Values]]:
        named = sorted({one.module_type for _, graph in self._graphs for one in graph.modules})
        rows = await self._work.transaction.run(cypher.KNOWN_TYPES, types=named, audiences=self._work.viewer.audiences)
        return {row["type"]: row["known"] for row in rows}


def _rows(
    work: Work,
    snapshot: State,
    graph: GraphInput,
    types: Mapping[str, list[Values]],
    made: dict[tuple[str, str], Values],
) -> Values:
    model = work.registry.types["Module"]
    ids = {one.module_key: new_id(model.prefix) for one in graph.modules}
    modules: list[Values] = []
    for one in graph.modules:
        values = {
            **asdict(one),
            **_common(work, ids[one.module_key], one.name or one.module_key),
            **_access(snapshot),
            "input_ports": list(one.input_ports),
            "output_ports": list(one.output_ports),
            "config_hash": hashlib.sha256(one.config.encode()).hexdigest() if one.config is not None else None,
        }
        properties = validated(model.model, _given(values), f"graph.modules[{one.module_key}].")
        modules.append({"properties": properties, "type_id": _type_id(work, snapshot, one.module_type, types, made)})
    cables = [
        {
            "tail": ids[one.tail],
            "head": ids[one.head],
            "properties": _given({"cable_id": one.cable_id, "from_port": one.from_port, "to_port": one.to_port}),
        }
        for one in graph.cables
    ]
    return {"snapshot": snapshot.properties, "modules": modules, "cables": cables}


def _type_id(
    work: Work,
    snapshot: State,
    named: str,
    types: Mapping[str, list[Values]],
    made: dict[tuple[str, str], Values],
) -> str:
    """The catalogue's entry for a type of module. An unknown one gets a stub, for the graph's own readers."""
    audience = snapshot.properties["audience"]
    for one in types.get(named, ()):
        if not one["stub"] or one["audience"] == audience:
            return one["id"]
    if (named, audience) not in made:
        kind = work.registry.types["ModuleType"]
        common = _common(work, new_id(kind.prefix), named)
        access = {**_access(snapshot), "own_data_class": snapshot.properties["data_class"]}
        access["own_matter_ids"] = snapshot.properties["matter_ids"]
        made[named, audience] = {
            **common,
            **access,
            "stub": True,
            "version": 1,
            "schema_version": 1,
            "lifecycle_state": "active",
            "legal_hold": False,
            "module_type": named,
            "family": family_of(named).value,
        }
    return made[named, audience]["id"]


def family_of(module_type: str) -> ModuleFamily:
    """The family that the name of a type tells (`output.email`, `…Trigger`); a step when it tells none."""
    first = module_type.partition(".")[0].lower()
    if first in {one.value for one in ModuleFamily}:
        return ModuleFamily(first)
    if module_type.lower().endswith("trigger"):
        return ModuleFamily.trigger
    return family_of_node(module_type) or ModuleFamily.step


def _common(work: Work, record_id: str, name: str) -> Values:
    return {"id": record_id, "name": name[:NAME_LENGTH], "created_at": work.at, "updated_at": work.at}


def _access(source: State) -> Values:
    """Nothing of its own: all that a graph is kept from others by comes from its owner."""
    shared = {name: source.properties[name] for name in ("data_class", "matter_ids", "audience")}
    return {**shared, "own_data_class": DataClass.public.value, "own_matter_ids": []}


def _given(values: Mapping[str, Any]) -> Values:
    return {name: value for name, value in values.items() if value is not None}


def _state(work: Work, properties: Values) -> State:
    kind = work.registry.types["GraphSnapshot"]
    return State(kind, tuple(kind.model.labels(properties)), properties)
