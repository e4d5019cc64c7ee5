"""Lineage: where something came from, and what came of it."""

import asyncio

from graph_schema.memory.lineage import lineage_labels
from graph_schema.model.registry import Registry
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.memory.lineage import impact, provenance
from service.memory.lineage.answer import Lineage, LineageItem, LineageNode, LineageSide
from service.memory.lineage.errors import NoLineage
from service.memory.lineage.explain import evidence_of
from service.memory.lineage.impact import Impact
from service.memory.lineage.provenance import Provenance
from service.memory.lineage.reading import Reading, all_types
from service.memory.lineage.request import MOST_DEPTH, LineageDirection, LineageRequest, check, check_depth
from service.memory.lineage.walk import Bounds, Walk, Walked

FEW_NODES = 100
"""A picture of more is made in the lane beside the event loop."""
LARGE_AT_ONCE = 1
"""The others wait: side by side they would end no sooner, and take both processors from everybody."""


class Lineages:
    """Queries: they store nothing."""

    def __init__(self, database: Database, registry: Registry) -> None:
        self._database = database
        self._registry = registry
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)

    async def lineage(self, viewer: Viewer, request: LineageRequest) -> Lineage:
        """Records and links upstream or downstream of a record, as far as asked."""
        check(request, self._registry)
        if request.max_nodes <= FEW_NODES:
            return await self._lineage(viewer, request)
        async with self._large:
            return await self._database.apart(lambda beside: Lineages(beside, self._registry)._lineage(viewer, request))

    async def _lineage(self, viewer: Viewer, request: LineageRequest) -> Lineage:
        reading = Reading(self._database, self._registry, viewer)
        start = await self._start(reading, request.of, lineage_labels(self._registry))
        both = request.direction is LineageDirection.both
        ways = (LineageDirection.upstream, LineageDirection.downstream) if both else (request.direction,)
        found: list[Walked] = []
        bounds = _bounds(request, 0)
        for way in ways:
            bounds = _bounds(request, sum(len(one.nodes) - 1 for one in found))
            found.append(await Walk(reading, self._registry, way, bounds).from_(start))
        return _answer(found, _bounds(request, 0))

    async def provenance(self, viewer: Viewer, ref: RecordRef) -> Provenance:
        """The one chain that a person would tell of how something came to be."""
        ref.check("of")
        reading = Reading(self._database, self._registry, viewer)
        start = await self._start(reading, ref, provenance.KINDS)
        return await provenance.told(reading, start)

    async def impact(self, viewer: Viewer, ref: RecordRef, depth: int = MOST_DEPTH) -> Impact:
        """Everything that came of something, and what of it has left already."""
        ref.check("of")
        check_depth(depth)
        reading = Reading(self._database, self._registry, viewer)
        start = await self._start(reading, ref, lineage_labels(self._registry))
        within = impact.bounds(depth)
        walk = Walk(reading, self._registry, LineageDirection.downstream, within, apart=True)
        walked = await walk.from_(start)
        return await impact.told(self._database, viewer, walked, await walk.after(walked), within)

    async def _start(self, reading: Reading, ref: RecordRef, kinds: tuple[str, ...]) -> LineageItem:
        start = await reading.start(ref)
        if start.kind not in kinds:
            raise NoLineage(ref, start.kind, kinds)
        return start


def _bounds(request: LineageRequest, spent: int) -> Bounds:
    return Bounds(
        depth=request.depth,
        max_nodes=max(1, request.max_nodes - spent),
        group_over=request.group_over,
        types=request.through or all_types(),
        until=frozenset(request.until),
    )


def _answer(found: list[Walked], bounds: Bounds) -> Lineage:
    """One answer of one walk or two. A record that is on both sides is shown once, by its shorter way."""
    nodes: dict[str, LineageNode] = {}
    for walked in found:
        for one in walked.nodes.values():
            nodes[one.id] = _joined(nodes[one.id], one) if one.id in nodes else one
    links = {key: link for walked in found for key, link in walked.links.items()}
    ordered = sorted(nodes.values(), key=lambda one: one.depth)
    return Lineage(
        of=ordered[0],
        nodes=tuple(ordered),
        edges=tuple(links.values()),
        groups=tuple(group for walked in found for group in walked.groups),
        cuts=tuple(cut for walked in found for cut in walked.cuts(bounds)),
        evidence=evidence_of(links.values(), ordered),
    )


def _joined(one: LineageNode, other: LineageNode) -> LineageNode:
    if one.side is LineageSide.start:
        return one
    nearer = one if one.depth <= other.depth else other
    return LineageNode(nearer.item, nearer.depth, LineageSide.both, nearer.step)
