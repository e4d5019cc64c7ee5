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
    deliveries: Annotated[tuple[ImpactDelivery, ...], "What of it left, or was to leave; oldest first."]
    cuts: Cuts
    evidence: RestsOn
    sentence: Annotated[str, "The whole in a sentence."]

    @property
    def truncated(self) -> Truncated:
        return bool(self.cuts)


def bounds(depth: int = MOST_DEPTH) -> Bounds:
    return Bounds(depth, MOST_NODES, MOST_NEIGHBOURS, _TYPES)


async def told(database: Database, viewer: Viewer, walked: Walked, within: Bounds) -> Impact:
    [start, *made] = walked.nodes.values()
    ids = [one.id for one in (start, *made) if one.kind == "Delivery"]
    deliveries = await _deliveries(database, viewer, ids) if ids else ()
    counts = Counter(one.kind for one in made)
    listed = tuple(KindCount(kind=kind, count=counts[kind]) for kind in sorted(counts))
    cuts = walked.cuts(within)
    return Impact(
        of=start.item,
        counts=listed,
        nodes=tuple(made),
        deliveries=deliveries,
        cuts=cuts,
        evidence=evidence_of(walked.links.values(), made),
        sentence=_sentence(start.item, made, deliveries, cut=bool(cuts)),
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


def _sentence(
    start: LineageItem, made: Sequence[LineageNode], deliveries: Sequence[ImpactDelivery], *, cut: bool
) -> str:
    """It claims no more than was looked at: where something was cut, more may have been made and sent."""
    more = "; not all that came of it was looked at" if cut else ""
    words = Counter(one.what for one in made if one.kind in MADE)
    if not words:
        return sentence(f"nothing is on record that you can see that was made from {start.told}{more}")
    listed = _listed([f"{count:,} {plural(word, count)}" for word, count in sorted(words.items())])
    sent = [one for one in deliveries if one.sent]
    at_least = "at least " if cut else ""
    return sentence(f"from {start.told} came {at_least}{listed}{_when(sent, cut=cut)}{more}")


def _when(sent: Sequence[ImpactDelivery], *, cut: bool) -> str:
    if not sent:
        return "; nothing of that has been delivered" if cut else "; nothing of it has been delivered"
    last = max(sent, key=lambda one: one.delivered_at or "")
    who = f" to {_listed(last.delivered_to)}" if last.delivered_to else ""
    when = f" on {last.delivered_at[:10]}" if last.delivered_at else ""
    told_as = "delivery has" if len(sent) == 1 else "deliveries have"
    return f"; {len(sent):,} {told_as} gone out, the last{when}{who}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
