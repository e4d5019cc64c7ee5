"""Provenance: of all that lineage holds, the one chain that a person would tell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from service.memory.lineage.answer import LineageEdge, LineageItem, LineageNode, LineageSide, RestsOn, sentence
from service.memory.lineage.explain import evidence_of
from service.memory.lineage.reading import Candidate, Reading, Sources, ToldBy
from service.memory.lineage.request import LineageDirection

KINDS = ("Artifact", "WorkProduct", "Entity", "Delivery", "Tombstone")
MOST_LINKS = 20
MOST_STEPS_BACK = 10
"""How many steps before its maker are looked at for what something was made from."""

_MAKERS = ("PRODUCED", "MADE")
_OWN_SOURCES = ("DELIVERED_BY", "PREVIOUS", "BECAME", "DERIVED_FROM", "EVALUATES", "CITES", "TO")
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
    former: bool = False
    """Whether it is an earlier version of what came from it."""


@dataclass(frozen=True, slots=True)
class ProvenanceLink:
    """One thing of the chain: who made it, in which run, and what the next in the chain is."""

    item: Annotated[LineageItem, "The thing itself."]
    made_by: Annotated[LineageItem | None, "The step that made it."]
    run: Annotated[LineageItem | None, "The run of that step."]
    source: Source | None
    kept_from: Annotated[
        LineageItem | None,
        "The artifact that a work product was kept from, where the chain goes on with its version before.",
    ] = None
    comes_round_to: Annotated[
        LineageItem | None, "What it came from, where that was told already: the reports go in a circle."
    ] = None
    looked_at_all: bool = True
    """Whether all steps before its maker were looked at."""

    @property
    def type(self) -> Annotated[str | None, "Relation to what it came from; null where the chain ends."]:
        return self.source.link.type if self.source else None

    @property
    def others(self) -> Annotated[int, "How many more sources that you can see it has by that relation."]:
        return self.source.others if self.source else 0

    @property
    def after(self) -> StepsBetween:
        return self.source.after if self.source else ()

    @property
    def revises(self) -> Annotated[bool, "Whether what it came from is an earlier version of it."]:
        return self.source is not None and (self.source.former or self.source.link.type == "PREVIOUS")

    def clause(self, known_run: LineageItem | None = None) -> str:
        """`was made by … from …`; nothing when it is where the chain ends. A run that was named is not named again."""
        made = _made(self, known_run)
        if self.source is None:
            return _ended(self, made)
        kept = f"was kept from {self.kept_from.told} and " if self.kept_from else ""
        if not made:
            return kept + _whole(self.source)
        return made + _joined(self, known_run)

    @property
    def sentence(self) -> Annotated[str, "This part of the chain as a sentence."]:
        told = self.clause() or "is where the chain ends: no source of it is on record that you can see"
        return sentence(f"{self.item.told} {told}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The one chain that a person would tell of how something came to be."""

    chain: Annotated[tuple[ProvenanceLink, ...], "From what was asked about back to where it began."]
    sentence: Annotated[str, "The whole chain in one sentence."]
    truncated: Annotated[bool, "Whether the chain goes on, or may go on, beyond what is told."]
    circular: Annotated[bool, "Whether it comes back to something that it told already."]
    evidence: RestsOn


async def told(reading: Reading, start: LineageItem) -> Provenance:
    chain: list[ProvenanceLink] = []
    links: list[LineageEdge] = []
    current: LineageItem | None = start
    while current is not None and len(chain) < MOST_LINKS:
        one = await _Telling(reading, current, {link.item.id for link in chain}).link()
        chain.append(one)
        links += [one.source.link] if one.source else []
        current = one.source.link.up if one.source else None
    nodes = [LineageNode(one.item, place, LineageSide.upstream) for place, one in enumerate(chain)]
    return Provenance(
        chain=tuple(chain),
        sentence=_sentence(chain, goes_on=current is not None),
        truncated=current is not None or not all(one.looked_at_all for one in chain),
        circular=any(one.comes_round_to for one in chain),
        evidence=evidence_of(links, nodes),
    )


class _Telling:
    """One thing of the chain: of all that it came from, what a person would name."""

    def __init__(self, reading: Reading, item: LineageItem, told_already: set[str]) -> None:
        self._reading = reading
        self._item = item
        self._told_already = told_already
        self._came_round: LineageItem | None = None
        self._looked_at_all = True

    async def link(self) -> ProvenanceLink:
        own = await self._reading.sources([self._item], (*_MAKERS, *_OWN_SOURCES))
        maker = self._maker(own.of(*_MAKERS))
        source = await self._chosen(own, _OWN_SOURCES)
        kept = await self._chosen(own, ("BECAME",)) if source and source.link.type == "PREVIOUS" else None
        run: LineageItem | None = None
        if maker is not None:
            around = await self._reading.sources([maker], ("ACTIVATED", "TRIGGERED", *_STEP_SOURCES))
            run = next((one.up for one in around.of("ACTIVATED")), None)
            source = source or await self._of_step(maker, around, run)
        return ProvenanceLink(
            self._item,
            maker,
            run,
            source,
            kept_from=kept.link.up if kept else None,
            comes_round_to=None if source else self._came_round,
            looked_at_all=self._looked_at_all,
        )

    def _maker(self, makers: list[Candidate]) -> LineageItem | None:
        """The step that it says it was made by; else the last that says so."""
        own = self._facts(self._item)
        by = [(one.up, self._facts(one.up)) for one in makers]
        named = [item for item, facts in by if facts[1:3] == own[1:3]]
        latest = sorted(by, key=lambda one: (one[1].at or "", one[0].name), reverse=True)
        return next(iter(named or [item for item, _ in latest]), None)

    async def _of_step(self, maker: LineageItem, around: Sources, run: LineageItem | None) -> Source | None:
        """What the maker worked from, else the nearest step before it that worked from something, else its run."""
        ways: dict[str, tuple[LineageItem, ...]] = {maker.id: ()}
        for back in range(MOST_STEPS_BACK):
            source = await self._chosen(around, _STEP_SOURCES, from_it=back == 0)
            if source is not None:
                return replace(source, after=ways[source.link.down.id])
            before = [one for one in self._in_order(around.of("TRIGGERED")) if one.up.id not in ways]
            for one in before:
                ways.setdefault(one.up.id, (*ways[one.link.down.id], one.up))
            if not before:
                break
            steps = list({one.up.id: one.up for one in before}.values())
            around = await self._reading.sources(steps, ("TRIGGERED", *_STEP_SOURCES))
        else:
            self._looked_at_all = False
        of_run = await self._reading.sources([run], _STEP_SOURCES) if run else None
        return await self._chosen(of_run, _STEP_SOURCES, from_it=False) if of_run else None

    def _in_order(self, found: Iterable[Candidate]) -> list[Candidate]:
        return sorted(found, key=lambda one: (self._facts(one.up).at or "", one.up.name))

    async def _chosen(self, found: Sources, types: Sequence[str], *, from_it: bool = True) -> Source | None:
        """The best source that was not told yet: by relation, then as a person would choose.

        `from_it`: it came from these, so that one that was told already makes a circle.
        """
        for kind in types:
            all_of_kind = found.of(kind)
            fresh = [one for one in all_of_kind if one.up.id not in self._told_already | {self._item.id}]
            if fresh:
                best, former = await self._best(fresh)
                return Source(best.link, found.counts[kind] - 1, former=former)
            again = [one for one in self._in_order(all_of_kind) if from_it and one.up.id != self._item.id]
            self._came_round = self._came_round or next((one.up for one in again), None)
        return None

    async def _best(self, found: list[Candidate]) -> tuple[Candidate, bool]:
        """The earlier version of it, else what was named first, else the latest. What others of these came from is
        told through them; but what was said of the earlier version does not come before it. Never by ids: the same
        story is told the same, in whatever order it arrived."""
        passed, former = await self._versions(found)
        former |= {one.up.id for one in found if self._is_former(one.up)}
        if former and len(former) < len(found):
            found = [one for one in found if one.up.id in former]
            passed = (await self._versions(found))[0] if len(found) > 1 else set[str]()
        passed |= self._earlier_rounds(found)
        kept = [one for one in found if one.up.id not in passed] or found
        kept.sort(key=lambda one: (one.up.name, self._facts(one.up).key or ""))
        kept.sort(key=lambda one: self._facts(one.up).at or "", reverse=True)
        kept.sort(key=lambda one: one.named or _LATE)
        return kept[0], kept[0].up.id in former

    async def _versions(self, found: list[Candidate]) -> tuple[set[str], set[str]]:
        """Of these: those that others of them came from, and those that are known to be earlier versions of it."""
        made = [one.up.id for one in found if one.up.kind in {"Artifact", "WorkProduct"}]
        return await self._reading.versions(self._item, made) if made else (set[str](), set[str]())

    def _earlier_rounds(self, found: list[Candidate]) -> set[str]:
        """What a module made before it made another of these: of drafts, all but the last."""
        last: dict[tuple[str | None, str | None], int] = {}
        rounds = [(one.up.id, self._facts(one.up)) for one in found if one.up.kind == "Artifact"]
        for _, facts in rounds:
            last[facts[:2]] = max(last.get(facts[:2], 0), facts.activation_seq or 0)
        return {one for one, facts in rounds if facts.module_key and (facts.activation_seq or 0) < last[facts[:2]]}

    def _is_former(self, other: LineageItem) -> bool:
        """Whether another thing is an earlier version of this: of its name, or of an earlier round of its module."""
        if other.kind != self._item.kind or other.kind not in {"Artifact", "WorkProduct"}:
            return False
        own, its = self._facts(self._item), self._facts(other)
        same_module = own.module_key is not None and own[:2] == its[:2]
        earlier = (its.activation_seq or 0) < (own.activation_seq or 0)
        return other.name == self._item.name or (same_module and earlier)

    def _facts(self, item: LineageItem) -> ToldBy:
        return self._reading.told_by.get(item.id, ToldBy())


_LATE = "~"


def _made(one: ProvenanceLink, known_run: LineageItem | None) -> str:
    if one.made_by is None:
        return ""
    of_run = f" of {one.run.told}" if one.run and one.run != known_run else ""
    return f"was made by {one.made_by.told}{of_run}"


def _ended(one: ProvenanceLink, made: str) -> str:
    """Why a chain ends here; nothing where that need not be told."""
    if one.comes_round_to is not None:
        again = f"from {one.comes_round_to.told} again, in a circle"
        return f"{made} {again}" if made else f"came {again}"
    if not one.looked_at_all:
        return f"{made}, and no source of it was found in the {MOST_STEPS_BACK} steps before that"
    return f"{made}, and no source of it is on record that you can see" if made else ""


def _joined(one: ProvenanceLink, known_run: LineageItem | None) -> str:
    """What follows on the maker: what it was made from, what else is known of it, or only what came before."""
    source = one.source
    if source is None or source.link.type not in _FROM:
        return f" and {_whole(source)}" if source else ""
    if source.link.down.kind == "Run":
        return f"{', which' if one.run != known_run else ' of a run that'} {_whole(source)}"
    if source.after:
        return f", after {source.after[-1].told}, which {_whole(source)}"
    return f" from {_up(source)}"


def _whole(source: Source) -> str:
    """The link with its own verb: `worked from the document “Contract” and 2 others`."""
    return source.link.pattern(LineageDirection.upstream).format(up=_up(source), down="").strip()


def _up(source: Source) -> str:
    former = ", the version before it" if source.former and source.link.type != "PREVIOUS" else ""
    others = f" and {source.others:,} other{'s' if source.others > 1 else ''}" if source.others else ""
    return f"{source.link.up.told}{former}{',' if former and others else ''}{others}"


def _sentence(chain: Sequence[ProvenanceLink], *, goes_on: bool) -> str:
    """`A was made by … from B, which was made by … from C.`"""
    clauses: list[str] = []
    run: LineageItem | None = None
    for one in chain:
        clauses += [one.clause(run)] if one.clause(run) else []
        run = one.run or run
    if not clauses:
        return chain[0].sentence
    more = "; the chain goes on beyond what is told here" if goes_on else ""
    return sentence(f"{chain[0].item.told} {', which '.join(clauses)}{more}")
