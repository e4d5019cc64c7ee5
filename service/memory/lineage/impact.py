"""Impact: everything that came of something, and what of it has been sent already."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import DeliveryKind, DeliveryStatus
from graph_schema.model.fields import Timestamp
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.lineage import cypher
from service.memory.lineage.answer import Cuts, LineageItem, LineageNode, RestsOn, Truncated, sentence
from service.memory.lineage.explain import evidence_of, plural
from service.memory.lineage.reading import MOST_NEIGHBOURS, all_types
from service.memory.lineage.request import MOST_DEPTH, MOST_NODES
from service.memory.lineage.walk import Bounds, Walked
from service.views import Id

# Whom a delivery went to is told with the delivery; nothing was made of them.
_TYPES = all_types(without=["TO"])
MADE = frozenset({"Artifact", "WorkProduct", "Delivery"})


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCount:
    """How many records of one kind."""

    kind: Annotated[str, "Type of the records."]
    count: Annotated[int, "How many there are."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactDelivery:
    """A delivery of something that came of what was asked about."""

    id: Annotated[Id, "Id of the delivery."]
    name: Annotated[str, "What people call it."]
    delivery_kind: Annotated[DeliveryKind | None, "How it left."]
    status: Annotated[DeliveryStatus, "What became of it."]
    delivered_at: Annotated[Timestamp | None, "When it was delivered."]
    delivered_to: Annotated[tuple[str, ...], "Who it went to."]
    destination_summary: Annotated[str | None, "Where it went, in a sentence."]
    conflicting: Annotated[bool, "Whether different outcomes were reported for it."]

    @property
    def sent(self) -> Annotated[bool, "Whether it has been delivered."]:
        return self.status is DeliveryStatus.delivered


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """Everything that came of something."""

    of: Annotated[LineageItem, "What was asked about."]
    counts: Annotated[tuple[KindCount, ...], "What came of it, counted by type of record."]
    nodes: Annotated[tuple[LineageNode, ...], "What came of it, the nearest first."]
    after: Annotated[
        tuple[LineageNode, ...],
        "What only came after it: steps that followed one that had used it, and what these made. That any of it was "
        "made from it is not on record.",
    ]
    deliveries: Annotated[tuple[ImpactDelivery, ...], "What of it left, or was to leave; oldest first."]
    cuts: Cuts
    evidence: RestsOn
    sentence: Annotated[str, "The whole in a sentence."]

    @property
    def truncated(self) -> Truncated:
        return bool(self.cuts)


def bounds(depth: int = MOST_DEPTH) -> Bounds:
    return Bounds(depth, MOST_NODES, MOST_NEIGHBOURS, _TYPES)


async def told(database: Database, viewer: Viewer, walked: Walked, later: Walked, within: Bounds) -> Impact:
    [start, *made] = walked.nodes.values()
    after = tuple(later.nodes.values())
    ids = [one.id for one in (start, *made) if one.kind == "Delivery"]
    deliveries = await _deliveries(database, viewer, ids) if ids else ()
    counts = Counter(one.kind for one in made)
    listed = tuple(KindCount(kind=kind, count=counts[kind]) for kind in sorted(counts))
    cuts, later_cuts = walked.cuts(within), later.cuts(within)
    parts = [
        _made(start.item, made, deliveries, cut=bool(cuts)),
        _after(after, cut=bool(later_cuts)),
        _circle(start.item, walked),
        "not all that came of it was looked at" if cuts else "",
    ]
    return Impact(
        of=start.item,
        counts=listed,
        nodes=tuple(made),
        after=after,
        deliveries=deliveries,
        cuts=(*cuts, *later_cuts),
        evidence=evidence_of((*walked.links.values(), *later.links.values()), (*made, *after)),
        sentence=sentence("; ".join(one for one in parts if one)),
    )


async def _deliveries(database: Database, viewer: Viewer, ids: Sequence[str]) -> tuple[ImpactDelivery, ...]:
    [row] = await database.read(cypher.DELIVERIES, ids=ids, audiences=viewer.audiences)
    return tuple(
        ImpactDelivery(
            id=one["id"],
            name=one["name"],
            delivery_kind=DeliveryKind(one["delivery_kind"]) if one["delivery_kind"] else None,
            status=DeliveryStatus(one["status"]),
            delivered_at=one["delivered_at"],
            delivered_to=tuple(dict.fromkeys([*(one["delivered_to"] or ()), *one["known"]])),
            destination_summary=one["destination_summary"],
            conflicting=bool(one["conflicting"]),
        )
        for one in row["deliveries"]
    )


def _made(start: LineageItem, made: Sequence[LineageNode], deliveries: Sequence[ImpactDelivery], *, cut: bool) -> str:
    """It claims no more than was looked at: where something was cut, more may have been made and sent."""
    listed = _counted(made)
    if not listed:
        return f"nothing is on record that you can see that was made from {start.told}"
    sent = [one for one in deliveries if one.sent]
    several = sum(one.conflicting for one in deliveries)
    unclear = f"; of {_many(several, 'delivery')} more than one outcome was reported" if several else ""
    at_least = "at least " if cut else ""
    return f"from {start.told} came {at_least}{listed}{_when(sent, cut=cut, unclear=bool(several))}{unclear}"


def _after(after: Sequence[LineageNode], *, cut: bool) -> str:
    """What only came after is told, and not as what came from it."""
    listed = _counted(after)
    return f"after it came {'at least ' if cut else ''}{listed}, not reported as made from it" if listed else ""


def _counted(nodes: Sequence[LineageNode]) -> str:
    words = Counter(one.what for one in nodes if one.kind in MADE)
    return _listed([_many(count, word) for word, count in sorted(words.items())]) if words else ""


def _circle(start: LineageItem, walked: Walked) -> str:
    back = any(one.down.id == start.id for one in walked.links.values())
    return "by the reports it came of itself, in a circle" if back else ""


def _many(count: int, word: str) -> str:
    return f"{count:,} {plural(word, count)}"


def _when(sent: Sequence[ImpactDelivery], *, cut: bool, unclear: bool) -> str:
    if not sent and unclear:
        return "; whether anything of it has been delivered is not clear"
    if not sent:
        return f"; as far as you can see, nothing of {'that' if cut else 'it'} has been delivered"
    last = max(sent, key=lambda one: one.delivered_at or "")
    who = f" to {_listed(last.delivered_to)}" if last.delivered_to else ""
    when = f" on {last.delivered_at[:10]}" if last.delivered_at else ""
    told_as = "delivery has" if len(sent) == 1 else "deliveries have"
    return f"; {len(sent):,} {told_as} gone out, the last{when}{who}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
