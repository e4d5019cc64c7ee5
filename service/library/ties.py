"""What is known of a graph's modules beyond their content: the presets they are set to, the segments they are part of.

None of it is in the graph's hash: the same graph is the same snapshot, whoever says more of it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.commands import RecordRef, Work
from service.commands.approval import approval_required
from service.commands.errors import RecordMissing
from service.library.bonds import carry_bonds
from service.library.cypher.graphs import TIED_MODULES
from service.library.cypher.segments import SEGMENT_GRAPHS
from service.library.errors import GraphInvalid, SegmentNotInGraph
from service.library.graphs import GraphInput, ModuleInput, graph_of
from service.library.snapshots import SavedGraph
from service.records.lifecycle import guarded_owner

Values = dict[str, Any]
INSERTED = "task.segment.inserted"


@dataclass(frozen=True, slots=True)
class Placement:
    """A segment in a graph. `modules`: what the graph calls each module of the segment, where it calls it otherwise."""

    segment: RecordRef
    modules: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Ties:
    """What the one who saves a graph says of its modules: their presets by key, and the segments that were put in."""

    presets: Mapping[str, RecordRef] = field(default_factory=dict[str, RecordRef])
    segments: Sequence[Placement] = ()

    def refs(self) -> list[RecordRef]:
        named = [*self.presets.values(), *(one.segment for one in self.segments)]
        return list({str(one): one for one in named}.values())


NO_TIES = Ties()


@dataclass(frozen=True, slots=True)
class _Placed:
    """A module as part of a segment, which calls it `own_key`."""

    key: str
    segment: str
    own_key: str
    placement: str


async def tie_graphs(work: Work, saved: Iterable[SavedGraph], stated: Ties = NO_TIES) -> frozenset[str]:
    """Tie modules to what is stated, and to what the modules of the graph before were tied to, if it still holds.

    The modules may be those of a template in use that has the same graph. An agent then ties them to nothing new: what
    it states otherwise is refused, and what its former graph was tied to stays there.

    Returns the owners of which a step of the blueprint has lost its module.
    """
    graphs = [one for one in saved if one.former or stated.refs()]
    if not graphs:
        return frozenset()
    ids = [*(one.snapshot.id for one in graphs), *(former for one in graphs for former in one.former)]
    known = await tied_modules(work, ids)
    guarded = {one.snapshot.id for one in graphs if await guarded_owner(work, one.snapshot) is not None}
    for one in graphs:
        present = known[one.snapshot.id]
        presets = _presets(work, one.graph, stated)
        placed = await _placed(work, one.graph, stated.segments)
        if one.snapshot.id in guarded:
            _check_held(present, presets, placed)
            continue
        for former in one.former:
            _carry(work, one.graph, known[former], present, without={*presets})
        for key, preset in presets.items():
            _set_preset(work, present[key], preset)
        for segment in sorted(_new_segments(present, placed)):
            work.event(INSERTED, one.owner, other=segment)
        for at in placed:
            part_of_segment(work, present[at.key], at.segment, at.own_key, at.placement)
    return await carry_bonds(work, graphs, known, guarded)


async def tied_modules(work: Work, snapshot_ids: Sequence[str]) -> dict[str, dict[str, Values]]:
    """The modules of each graph by their keys, with what they are tied to."""
    rows = await work.transaction.run(TIED_MODULES, ids=list(snapshot_ids))
    return {row["id"]: {one["module_key"]: one for one in row["modules"]} for row in rows}


def part_of_segment(work: Work, module: Values, segment_id: str, own_key: str, placement: str) -> None:
    """`placement`: the first key of the modules that were put in together, so that two of one segment stay apart."""
    _link(work, module, "IN_SEGMENT", segment_id, {"segment_module_key": own_key, "placement": placement})


def use_preset(work: Work, module: Values, preset_id: str) -> None:
    _link(work, module, "USES_PRESET", preset_id, {})


def _new_segments(present: Mapping[str, Values], placed: Iterable[_Placed]) -> set[str]:
    """Segments that are put into the graph where they were not."""
    held = {(key, at["segment"]) for key, module in present.items() for at in module["segments"]}
    return {at.segment for at in placed if (at.key, at.segment) not in held}


def _presets(work: Work, graph: GraphInput, stated: Ties) -> dict[str, str]:
    types = {one.module_key: one.module_type for one in graph.modules}
    found: dict[str, str] = {}
    for key, ref in stated.presets.items():
        place = f"graph.modules[{key}].preset"
        preset = work.existing(ref, place, ["Preset"])
        if preset.properties.get("module_type") != types[key]:
            raise GraphInvalid(place, f"it configures a {preset.properties.get('module_type')}, not a {types[key]}")
        found[key] = preset.id
    return found


def _set_preset(work: Work, module: Values, preset_id: str) -> None:
    for other in module["presets"]:
        if other != preset_id:
            work.changes.unlinks.append({"tail": module["id"], "head": other, "type": "USES_PRESET"})
    use_preset(work, module, preset_id)


def _carry(
    work: Work,
    graph: GraphInput,
    former: Mapping[str, Values],
    present: Mapping[str, Values],
    without: set[str],
) -> None:
    """A module that is as it was keeps its preset; a segment stays as long as its modules and cables do."""
    for key, module in former.items():
        same = present.get(key)
        if same and key not in without and _is_same(module, same) and not same["presets"]:
            for preset in module["presets"]:
                use_preset(work, same, preset)
    _carry_segments(work, graph, former, present)


def _carry_segments(work: Work, graph: GraphInput, former: Mapping[str, Values], present: Mapping[str, Values]) -> None:
    placed: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for key, module in former.items():
        for one in module["segments"]:
            placed[one["segment"], one["placement"]][key] = one["segment_module_key"]
    cables = {(one.tail, one.from_port, one.head, one.to_port) for one in graph.cables}
    for (segment, placement), keys in placed.items():
        inside = {
            (key, cable["from_port"], cable["head"], cable["to_port"])
            for key in keys
            for cable in former[key]["cables"]
            if cable["head"] in keys
        }
        kept = all(key in present and present[key]["module_type"] == former[key]["module_type"] for key in keys)
        if kept and inside <= cables:
            for key, own in keys.items():
                part_of_segment(work, present[key], segment, own, placement)


def _is_same(one: Values, other: Values) -> bool:
    return all(one[name] == other[name] for name in ("module_type", "config_hash"))


def _check_held(present: Mapping[str, Values], presets: Mapping[str, str], placed: Iterable[_Placed]) -> None:
    """What an agent states of modules that are not its own is there already, or has to be approved."""
    for key, preset in presets.items():
        if present[key]["presets"] != [preset]:
            raise approval_required("Template")(f"graph.modules[{key}].preset")
    for one in placed:
        held = {(at["segment"], at["segment_module_key"], at["placement"]) for at in present[one.key]["segments"]}
        if (one.segment, one.own_key, one.placement) not in held:
            raise approval_required("Template")(_SEGMENTS)


async def _placed(work: Work, graph: GraphInput, placements: Sequence[Placement]) -> list[_Placed]:
    if not placements:
        return []
    ids = [_segment_id(work, one.segment) for one in placements]
    rows = await work.transaction.run(SEGMENT_GRAPHS, ids=ids, audiences=work.viewer.audiences)
    segments = {row["id"]: graph_of(row) for row in rows}
    found: list[_Placed] = []
    for one, segment_id in zip(placements, ids, strict=True):
        if segment_id not in segments:
            raise RecordMissing(one.segment, _SEGMENTS)
        keys = _checked(graph, segments[segment_id], one.modules)
        first = min(keys.values())
        found += [_Placed(key, segment_id, own, first) for own, key in keys.items()]
    return found


def _segment_id(work: Work, ref: RecordRef) -> str:
    segment = work.existing(ref, _SEGMENTS, ["Segment"])
    return segment.id


def _checked(graph: GraphInput, segment: GraphInput, renamed: Mapping[str, str]) -> dict[str, str]:
    """What the graph calls each module of the segment; refused when the segment is not in it."""
    modules: dict[str, ModuleInput] = {one.module_key: one for one in graph.modules}
    unknown = sorted(renamed.keys() - {one.module_key for one in segment.modules})
    if unknown:
        raise SegmentNotInGraph(f"the segment has no module {unknown[0]!r}")
    keys = {one.module_key: renamed.get(one.module_key, one.module_key) for one in segment.modules}
    if len({*keys.values()}) < len(keys):
        raise SegmentNotInGraph("two modules of the segment are said to be the same module")
    for one in segment.modules:
        found = modules.get(keys[one.module_key])
        if found is None or found.module_type != one.module_type:
            raise SegmentNotInGraph(f"the graph has no {one.module_type} called {keys[one.module_key]!r}")
    cables = {(one.tail, one.from_port, one.head, one.to_port) for one in graph.cables}
    for one in segment.cables:
        if (keys[one.tail], one.from_port, keys[one.head], one.to_port) not in cables:
            raise SegmentNotInGraph(f"no cable leads from {keys[one.tail]!r} to {keys[one.head]!r} as in the segment")
    return keys


def _link(work: Work, module: Values, kind: str, head: str, properties: Values) -> None:
    work.changes.links.append({"tail": module["id"], "head": head, "type": kind, "properties": properties})


_SEGMENTS = "graph.segments"
