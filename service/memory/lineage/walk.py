"""The walk through lineage, breadth first: one statement for each level, and every record once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graph_schema.model.registry import Registry
from service.memory.lineage.answer import (
    LineageCut,
    LineageEdge,
    LineageGroup,
    LineageItem,
    LineageNode,
    LineageSide,
    LineageStep,
)
from service.memory.lineage.explain import depth_cut, fan_out_cut, grouped, nodes_cut
from service.memory.lineage.reading import Neighbours, Reading
from service.memory.lineage.request import LineageDirection

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a walk goes, and over what."""

    depth: int
    max_nodes: int
    group_over: int
    types: Sequence[str]
    until: frozenset[str] = frozenset()


@dataclass(slots=True)
class Walked:
    """What a walk has found. Records come level by level, and in a level by how they were reached."""

    nodes: dict[str, LineageNode]
    links: dict[Key, LineageEdge] = field(default_factory=dict[Key, LineageEdge])
    groups: list[LineageGroup] = field(default_factory=list[LineageGroup])
    deeper: list[str] = field(default_factory=list[str])
    left_out: bool = False
    later: dict[int, list[LineageNode]] = field(default_factory=dict[int, list[LineageNode]])
    """What only came after, by how far it is away; kept apart when that is asked for."""

    def cuts(self, bounds: Bounds) -> tuple[LineageCut, ...]:
        found: list[LineageCut] = []
        if self.deeper:
            found.append(depth_cut(self.deeper, bounds.depth))
        if self.left_out:
            found.append(nodes_cut(bounds.max_nodes))
        if self.groups:
            found.append(fan_out_cut(self.groups, bounds.group_over))
        return tuple(found)


class Walk:
    """One walk in one direction.

    The level beyond the last is read too. It tells whether there is more, and gives the links between the records of
    the answer that lead back into it: loops, and revisions of revisions. `apart`: what only came after is not gone on
    from, but kept for a walk of its own.
    """

    def __init__(
        self,
        reading: Reading,
        registry: Registry,
        direction: LineageDirection,
        bounds: Bounds,
        *,
        apart: bool = False,
    ) -> None:
        self._reading = reading
        self._registry = registry
        self._direction = direction
        self._bounds = bounds
        self._apart = apart

    async def from_(self, start: LineageItem) -> Walked:
        walked = Walked({start.id: LineageNode(start, 0, LineageSide.start)})
        await self._go(walked, {0: [start]}, frozenset())
        return walked

    async def after(self, walked: Walked) -> Walked:
        """What only came after the records of a walk that kept it apart, and what came of that."""
        known = frozenset(walked.nodes)
        found = Walked({})
        waiting: dict[int, list[LineageItem]] = {}
        for depth, nodes in sorted(walked.later.items()):
            for one in nodes:
                if one.id not in known and one.id not in found.nodes:
                    found.nodes[one.id] = one
                    waiting.setdefault(depth, []).append(one.item)
        onward = Walk(self._reading, self._registry, self._direction, self._bounds)
        await onward._go(found, waiting, known)
        return found

    async def _go(self, walked: Walked, waiting: dict[int, list[LineageItem]], known: frozenset[str]) -> None:
        """Go on from these, level by level. What is `known` has been shown already."""
        level: list[LineageItem] = []
        for depth in range(1, self._bounds.depth + 2):
            level = [*level, *waiting.get(depth - 1, ())]
            if walked.left_out or not (level or any(one >= depth for one in waiting)):
                break
            found = await self._found(level)
            if depth > self._bounds.depth:
                self._look_beyond(walked, found, known)
                break
            new = self._take(walked, found, depth, known)
            level = [one for one in new if not one.labels & self._bounds.until]

    async def _found(self, level: list[LineageItem]) -> list[Neighbours]:
        if not level:
            return []
        return await self._reading.level(
            level, self._direction, types=self._bounds.types, group_over=self._bounds.group_over
        )

    def _take(
        self, walked: Walked, found: Iterable[Neighbours], depth: int, known: frozenset[str]
    ) -> list[LineageItem]:
        new: list[LineageItem] = []
        side = LineageSide(self._direction.value)
        for one in found:
            if one.is_group:
                walked.groups.append(grouped(self._registry, one, self._direction))
                continue
            before = walked.nodes[one.of.id].step
            for item, link in zip(one.items, one.links, strict=True):
                node = LineageNode(item, depth, side, LineageStep(link, self._direction, before))
                if self._apart and link.only_after:
                    walked.later.setdefault(depth, []).append(node)
                    continue
                if item.id not in walked.nodes and item.id not in known:
                    if len(walked.nodes) >= self._bounds.max_nodes:
                        walked.left_out = True
                        continue
                    walked.nodes[item.id] = node
                    new.append(item)
                walked.links[link.up.id, link.type, link.down.id] = link
        return new

    def _look_beyond(self, walked: Walked, found: Iterable[Neighbours], known: frozenset[str]) -> None:
        for one in found:
            shown = [
                link
                for item, link in zip(one.items, one.links, strict=True)
                if item.id in walked.nodes or item.id in known or (self._apart and link.only_after)
            ]
            for link in shown:
                if not (self._apart and link.only_after):
                    walked.links[link.up.id, link.type, link.down.id] = link
            if one.count > len(shown) and one.of.id not in walked.deeper[-1:]:
                walked.deeper.append(one.of.id)
