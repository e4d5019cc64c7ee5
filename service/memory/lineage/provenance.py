"""Provenance: of all that lineage holds, the one chain that a person would tell."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.memory.lineage import BY_TYPE
from service.memory.lineage.answer import Evidence, Item, Link, Node, Side, sentence
from service.memory.lineage.explain import evidence_of
from service.memory.lineage.reading import Neighbours, Reading, all_types
from service.memory.lineage.request import Direction

KINDS = ("Artifact", "WorkProduct", "Entity", "Delivery", "Tombstone")
MOST_LINKS = 20
MOST_STEPS_BACK = 10
"""How many steps before its maker are looked at for what something was made from."""

GROUP_OVER = 50
_MAKERS = ("PRODUCED", "MADE")
_OWN_SOURCES = ("DELIVERED_BY", "BECAME", "DERIVED_FROM", "PREVIOUS", "EVALUATES", "CITES", "TO")
_STEP_SOURCES = ("CONSUMED", "RECEIVED", "DOWNLOADED", "OPENED")
_FROM = ("DERIVED_FROM", *_STEP_SOURCES)
"""The best first: what is said of the thing itself, then what its maker worked from."""


@dataclass(frozen=True, slots=True)
class Source:
    """What something came from."""

    link: Link
    others: int
    """How many more sources of this kind it has."""
    after: Sequence[Item] = ()
    """The steps before its maker that lead to the one that worked from the source."""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One thing of the chain: who made it, in which run, and from what."""

    item: Item
    made_by: Item | None
    run: Item | None
    source: Source | None

    @property
    def type(self) -> str | None:
        return self.source.link.type if self.source else None

    @property
    def others(self) -> int:
        return self.source.others if self.source else 0

    @property
    def after(self) -> Sequence[Item]:
        return self.source.after if self.source else ()

    def clause(self, known_run: Item | None = None) -> str:
        """`was made by … from …`; nothing when it is where the chain ends. A run that was named is not named again."""
        made = _made(self, known_run)
        if self.source is None:
            return f"{made}, and no source of it is on record that you can see" if made else ""
        came = _came(self.source, bare=bool(made))
        joint = " " if self.source.link.type in _FROM else " and "
        return f"{made}{joint}{came}" if made else came

    @property
    def sentence(self) -> str:
        told = self.clause() or "is where the chain ends: no source of it is on record that you can see"
        return sentence(f"{self.item.told} {told}")


@dataclass(frozen=True, slots=True)
class Provenance:
    chain: Sequence[ChainLink]
    sentence: str
    truncated: bool
    evidence: Evidence


async def told(reading: Reading, start: Item) -> Provenance:
    chain: list[ChainLink] = []
    links: list[Link] = []
    current: Item | None = start
    while current is not None and len(chain) < MOST_LINKS:
        one = await _chain_link(reading, current, {link.item.id for link in chain})
        chain.append(one)
        links += [one.source.link] if one.source else []
        current = one.source.link.up if one.source else None
    nodes = [Node(one.item, place, Side.upstream) for place, one in enumerate(chain)]
    return Provenance(chain, _sentence(chain), current is not None, evidence_of(links, nodes))


async def _chain_link(reading: Reading, item: Item, told_already: set[str]) -> ChainLink:
    own = await _upstream(reading, [item])
    maker = _first(own, _MAKERS)
    source = _chosen(own, _OWN_SOURCES, {*told_already, item.id})
    if maker is None:
        return ChainLink(item, None, None, source)
    around = await _upstream(reading, [maker])
    run = _first(around, ("ACTIVATED",))
    if source is None:
        source = await _source_of_step(reading, maker, around, run, {*told_already, item.id})
    return ChainLink(item, maker, run, source)


async def _source_of_step(
    reading: Reading, maker: Item, around: list[Neighbours], run: Item | None, told_already: set[str]
) -> Source | None:
    """What the maker worked from, else the nearest step before it that worked from something, else its run."""
    seen = {maker.id}
    ways: dict[str, tuple[Item, ...]] = {maker.id: ()}
    for _ in range(MOST_STEPS_BACK):
        source = _chosen(around, _STEP_SOURCES, told_already)
        if source is not None:
            return Source(source.link, source.others, ways.get(source.link.down.id, ()))
        before: list[Item] = []
        for one in (one for one in around if one.type == "TRIGGERED"):
            for item in (item for item in one.items if item.id not in seen):
                seen.add(item.id)
                ways[item.id] = (*ways[one.of.id], item)
                before.append(item)
        if not before:
            break
        around = await _upstream(reading, before)
    return _chosen(await _upstream(reading, [run]), _STEP_SOURCES, told_already) if run else None


async def _upstream(reading: Reading, items: Sequence[Item]) -> list[Neighbours]:
    return await reading.level(items, Direction.upstream, types=all_types(), group_over=GROUP_OVER)


def _first(found: list[Neighbours], types: Sequence[str]) -> Item | None:
    return next((one.items[0] for kind in types for one in found if one.type == kind), None)


def _chosen(found: list[Neighbours], types: Sequence[str], told_already: set[str]) -> Source | None:
    """The best source that is not in the chain yet: by relation, then what was made before what came from outside."""
    for kind in types:
        of_kind = [one for one in found if one.type == kind]
        links = [link for one in of_kind for link in one.links if link.up.id not in told_already]
        if links:
            best = min(links, key=lambda link: (link.up.kind == "Entity", link.up.id))
            return Source(best, sum(one.count for one in of_kind) - 1)
    return None


def _made(one: ChainLink, known_run: Item | None) -> str:
    if one.made_by is None:
        return ""
    of_run = f" of {one.run.told}" if one.run and one.run != known_run else ""
    return f"was made by {one.made_by.told}{of_run}"


def _came(source: Source, *, bare: bool) -> str:
    """`from the document “Contract” and 2 others`, after a maker; the whole verb without one."""
    others = f" and {source.others:,} other{'s' if source.others > 1 else ''}" if source.others else ""
    up = f"{source.link.up.told}{others}"
    if bare and source.link.type in _FROM:
        after = f"after {source.after[-1].told}, from " if source.after else "from "
        return f"{after}{up}"
    return BY_TYPE[source.link.type].back.format(up=up, down="").strip()


def _sentence(chain: Sequence[ChainLink]) -> str:
    """`A was made by … from B, which was made by … from C.`"""
    clauses: list[str] = []
    run: Item | None = None
    for one in chain:
        clauses += [one.clause(run)] if one.clause(run) else []
        run = one.run or run
    return sentence(f"{chain[0].item.told} {', which '.join(clauses)}") if clauses else chain[0].sentence
