"""Provenance: of all that lineage holds, the one chain that a person would tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.lineage import BY_TYPE
from service.memory.lineage.answer import LineageEdge, LineageItem, LineageNode, LineageSide, RestsOn, sentence
from service.memory.lineage.explain import evidence_of
from service.memory.lineage.reading import Neighbours, Reading, all_types
from service.memory.lineage.request import LineageDirection

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

StepsBetween = Annotated[
    tuple[LineageItem, ...],
    "Steps between its maker and the one that worked from the source, when its maker named none.",
]


@dataclass(frozen=True, slots=True)
class Source:
    """What something came from."""

    link: LineageEdge
    others: int
    """How many more sources of this kind it has."""
    after: StepsBetween = ()


@dataclass(frozen=True, slots=True)
class ProvenanceLink:
    """One thing of the chain: who made it, in which run, and what the next in the chain is."""

    item: Annotated[LineageItem, "The thing itself."]
    made_by: Annotated[LineageItem | None, "The step that made it."]
    run: Annotated[LineageItem | None, "The run of that step."]
    source: Source | None

    @property
    def type(self) -> Annotated[str | None, "Relation to what it came from; null where the chain ends."]:
        return self.source.link.type if self.source else None

    @property
    def others(self) -> Annotated[int, "How many more sources that you can see it has by that relation."]:
        return self.source.others if self.source else 0

    @property
    def after(self) -> StepsBetween:
        return self.source.after if self.source else ()

    def clause(self, known_run: LineageItem | None = None) -> str:
        """`was made by … from …`; nothing when it is where the chain ends. A run that was named is not named again."""
        made = _made(self, known_run)
        if self.source is None:
            return f"{made}, and no source of it is on record that you can see" if made else ""
        came = _came(self.source, bare=bool(made))
        joint = " " if self.source.link.type in _FROM else " and "
        return f"{made}{joint}{came}" if made else came

    @property
    def sentence(self) -> Annotated[str, "This part of the chain as a sentence."]:
        told = self.clause() or "is where the chain ends: no source of it is on record that you can see"
        return sentence(f"{self.item.told} {told}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The one chain that a person would tell of how something came to be."""

    chain: Annotated[tuple[ProvenanceLink, ...], "From what was asked about back to where it began."]
    sentence: Annotated[str, "The whole chain in one sentence."]
    truncated: Annotated[bool, "Whether the chain goes on beyond what is told."]
    evidence: RestsOn


async def told(reading: Reading, start: LineageItem) -> Provenance:
    chain: list[ProvenanceLink] = []
    links: list[LineageEdge] = []
    current: LineageItem | None = start
    while current is not None and len(chain) < MOST_LINKS:
        one = await _chain_link(reading, current, {link.item.id for link in chain})
        chain.append(one)
        links += [one.source.link] if one.source else []
        current = one.source.link.up if one.source else None
    nodes = [LineageNode(one.item, place, LineageSide.upstream) for place, one in enumerate(chain)]
    return Provenance(
        chain=tuple(chain),
        sentence=_sentence(chain),
        truncated=current is not None,
        evidence=evidence_of(links, nodes),
    )


async def _chain_link(reading: Reading, item: LineageItem, told_already: set[str]) -> ProvenanceLink:
    own = await _upstream(reading, [item])
    maker = _first(own, _MAKERS)
    source = _chosen(own, _OWN_SOURCES, {*told_already, item.id})
    if maker is None:
        return ProvenanceLink(item, None, None, source)
    around = await _upstream(reading, [maker])
    run = _first(around, ("ACTIVATED",))
    if source is None:
        source = await _source_of_step(reading, maker, around, run, {*told_already, item.id})
    return ProvenanceLink(item, maker, run, source)


async def _source_of_step(
    reading: Reading, maker: LineageItem, around: list[Neighbours], run: LineageItem | None, told_already: set[str]
) -> Source | None:
    """What the maker worked from, else the nearest step before it that worked from something, else its run."""
    seen = {maker.id}
    ways: dict[str, tuple[LineageItem, ...]] = {maker.id: ()}
    for _ in range(MOST_STEPS_BACK):
        source = _chosen(around, _STEP_SOURCES, told_already)
        if source is not None:
            return Source(source.link, source.others, ways.get(source.link.down.id, ()))
        before: list[LineageItem] = []
        for one in (one for one in around if one.type == "TRIGGERED"):
            for item in (item for item in one.items if item.id not in seen):
                seen.add(item.id)
                ways[item.id] = (*ways[one.of.id], item)
                before.append(item)
        if not before:
            break
        around = await _upstream(reading, before)
    return _chosen(await _upstream(reading, [run]), _STEP_SOURCES, told_already) if run else None


async def _upstream(reading: Reading, items: Sequence[LineageItem]) -> list[Neighbours]:
    return await reading.level(items, LineageDirection.upstream, types=all_types(), group_over=GROUP_OVER)


def _first(found: list[Neighbours], types: Sequence[str]) -> LineageItem | None:
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


def _made(one: ProvenanceLink, known_run: LineageItem | None) -> str:
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


def _sentence(chain: Sequence[ProvenanceLink]) -> str:
    """`A was made by … from B, which was made by … from C.`"""
    clauses: list[str] = []
    run: LineageItem | None = None
    for one in chain:
        clauses += [one.clause(run)] if one.clause(run) else []
        run = one.run or run
    return sentence(f"{chain[0].item.told} {', which '.join(clauses)}") if clauses else chain[0].sentence
