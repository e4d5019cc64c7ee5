"""Saving a segment from chosen modules of a graph."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.commands import RecordRef, Work
from service.commands.errors import InputInvalid, RecordMissing
from service.commands.work import State
from service.library.checks import check_phrases
from service.library.cypher import segments as cypher
from service.library.graphs import graph_of
from service.library.n8n.needs import module_need
from service.library.n8n.workflow import SOURCE
from service.library.segments import ports_of, selection, structure_hash
from service.library.snapshots import plan_graph
from service.library.ties import part_of_segment, tied_modules, use_preset
from service.library.warnings import LibraryWarning
from service.records.lifecycle import first_state, guarded_owner

Values = dict[str, Any]
SOURCES = ("GraphSnapshot", "Task", "Template")


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """What to save. The graph and its chosen modules are needed once; without them the segment keeps its own."""

    values: Values
    record_id: str | None = None
    source: RecordRef | None = None
    modules: Sequence[str] = ()


class SaveSegment:
    def __init__(self, asked: SegmentInput, ref: RecordRef | None) -> None:
        self._asked = asked
        self._ref = ref

    async def __call__(self, work: Work) -> Values:
        before = self._existing(work)
        if self._asked.source is None:
            if before is None:
                raise InputInvalid("from", "a new segment is taken from a graph")
            after = work.update(before, self._asked.values)
            check_phrases(before.properties, after.properties)
            return {"id": after.id, "version": after.version, "warnings": [], "duplicates": []}
        row = await self._source(work)
        snapshot = _snapshot(work, row["snapshot"])
        whole = graph_of(row)
        ports, part = ports_of(whole, self._asked.modules), selection(whole, self._asked.modules)
        derived: Values = {
            "required_input_ports": list(ports.required),
            "exposed_output_ports": list(ports.exposed),
            "structure_hash": structure_hash(part),
        }
        after = self._stored(work, before, {**self._asked.values, **derived}, snapshot)
        check_phrases(before.properties if before else None, after.properties)
        own = await plan_graph(work, after, part)
        await self._tie(work, after, snapshot, row)
        await self._tie_modules(work, after, snapshot, own.snapshot)
        same = await _duplicates(work, after, derived["structure_hash"])
        warnings = [LibraryWarning.task_segment_possible_duplicate.value] if same else []
        return {"id": after.id, "version": after.version, "warnings": warnings, "duplicates": same}

    def _existing(self, work: Work) -> State | None:
        if self._ref is None:
            return None
        if self._ref.id is not None:
            return work.need(self._ref, "id", ["Segment"])
        return work.find(self._ref, "source_key", ["Segment"])

    async def _source(self, work: Work) -> Mapping[str, Any]:
        ref = self._asked.source
        found = work.find(ref, "from", SOURCES) if ref else None
        row = (
            await work.transaction.one(cypher.SEGMENT_SOURCE, id=found.id, audiences=work.viewer.audiences)
            if found
            else None
        )
        if row is None:
            raise RecordMissing(ref, "from")
        return row

    def _stored(self, work: Work, before: State | None, values: Values, snapshot: State) -> State:
        if before is not None and not before.properties.get("stub"):
            return work.update(before, values)
        values = {**values, "lifecycle_state": first_state(work.viewer, "Segment", values).value}
        if before is not None:
            return work.update(before, values)
        given = {name: value for name, value in values.items() if value is not None}
        return work.create(work.registry.types["Segment"], given, [snapshot])

    async def _tie(self, work: Work, segment: State, snapshot: State, row: Mapping[str, Any]) -> None:
        """Link it to where it is taken from and to what it needs, and no longer to what it had from elsewhere."""
        before = await work.transaction.one(cypher.TAKEN_BEFORE, id=segment.id, audiences=work.viewer.audiences)
        nodes = await _NodeNeeds.load(work, [*row["modules"], *(before["modules"] if before else ())])
        needs = self._of_chosen(row["needs"]) | nodes.of(self._chosen(row["modules"]))
        wanted = {("TAKEN_FROM", snapshot.id), *(("REQUIRES", one) for one in needs)}
        wanted |= {("COVERS_STEP", one) for one in self._of_chosen(row["steps"])}
        if row["owner"] is not None:
            wanted.add(("SAVED_FROM", row["owner"]))
        held: set[tuple[str, str]] = set()
        if before is not None:
            derived = {*before["derived"]} | nodes.of(before["modules"])
            held = {(one["type"], one["id"]) for one in before["links"]}
            held |= {("REQUIRES", one) for one in before["requires"] if one in derived}
        for kind, head in sorted(held - wanted):
            work.changes.unlinks.append({"tail": segment.id, "head": head, "type": kind})
        for kind, head in sorted(wanted - held):
            work.link_id(segment, kind, head)
        work.changes.access_changed.add(segment.id)

    def _of_chosen(self, found: Iterable[Mapping[str, Any]]) -> set[str]:
        return {one["id"] for one in self._chosen(found)}

    def _chosen(self, found: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        return [one for one in found if one["module_key"] in self._asked.modules]

    async def _tie_modules(self, work: Work, segment: State, source: State, own: State) -> None:
        """The graph that it is taken from has the segment in it; its own modules have the presets of those there.

        A graph in use says nothing of the segment that an agent proposes.
        """
        known = await tied_modules(work, [source.id, own.id])
        chosen = {*self._asked.modules}
        guarded = await guarded_owner(work, source) is not None
        for key, module in known[source.id].items():
            if key in chosen:
                if not guarded:
                    part_of_segment(work, module, segment.id, key, min(chosen))
                for preset in module["presets"]:
                    use_preset(work, known[own.id][key], preset)
            elif not guarded and any(one["segment"] == segment.id for one in module["segments"]):
                work.changes.unlinks.append({"tail": module["id"], "head": segment.id, "type": "IN_SEGMENT"})


class _NodeNeeds:
    """What modules need because they are nodes of n8n, as far as the capability is known here."""

    def __init__(self, ids: Mapping[str, str]) -> None:
        self._ids = ids

    @classmethod
    async def load(cls, work: Work, modules: Iterable[Mapping[str, Any]]) -> "_NodeNeeds":
        keys = sorted({key for one in modules if (key := module_need(one))})
        if not keys:
            return cls({})
        rows = await work.transaction.run(
            cypher.CAPABILITIES_CALLED, keys=keys, source=SOURCE, audiences=work.viewer.audiences
        )
        return cls({row["key"]: row["id"] for row in rows})

    def of(self, modules: Iterable[Mapping[str, Any]]) -> set[str]:
        return {self._ids[key] for one in modules if (key := module_need(one)) and key in self._ids}


async def _duplicates(work: Work, segment: State, shape: str) -> list[str]:
    row = await work.transaction.one(cypher.SAME_SHAPE, shape=shape, id=segment.id, audiences=work.viewer.audiences)
    return row["found"] if row else []


def _snapshot(work: Work, properties: Values) -> State:
    kind = work.registry.types["GraphSnapshot"]
    return State(kind, tuple(kind.model.labels(properties)), properties)
