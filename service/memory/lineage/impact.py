"""Impact: everything that came of something, and what of it has been sent already."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.memory.words import DeliveryKind, DeliveryStatus
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.lineage import cypher
from service.memory.lineage.answer import Cut, Evidence, Item, Node, sentence
from service.memory.lineage.explain import evidence_of, plural
from service.memory.lineage.reading import MOST_NEIGHBOURS, all_types
from service.memory.lineage.request import MOST_DEPTH, MOST_NODES
from service.memory.lineage.walk import Bounds, Walked

# Whom a delivery went to is told with the delivery; nothing was made of them.
BOUNDS = Bounds(MOST_DEPTH, MOST_NODES, MOST_NEIGHBOURS, all_types(without=["TO"]))
MADE = frozenset({"Artifact", "WorkProduct", "Delivery"})


@dataclass(frozen=True, slots=True)
class KindCount:
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Sent:
    """A delivery of something that was made from it."""

    id: str
    name: str
    delivery_kind: DeliveryKind | None
    status: DeliveryStatus
    delivered_at: str | None
    delivered_to: Sequence[str]
    destination_summary: str | None
    conflicting: bool

    @property
    def sent(self) -> bool:
        return self.status is DeliveryStatus.delivered


@dataclass(frozen=True, slots=True)
class Impact:
    of: Item
    counts: Sequence[KindCount]
    nodes: Sequence[Node]
    deliveries: Sequence[Sent]
    cuts: Sequence[Cut]
    evidence: Evidence
    sentence: str

    @property
    def truncated(self) -> bool:
        return bool(self.cuts)


async def told(database: Database, viewer: Viewer, walked: Walked) -> Impact:
    [start, *made] = walked.nodes.values()
    ids = [one.id for one in (start, *made) if one.kind == "Delivery"]
    deliveries = await _deliveries(database, viewer, ids) if ids else []
    counts = Counter(one.kind for one in made)
    listed = [KindCount(kind, counts[kind]) for kind in sorted(counts)]
    return Impact(
        of=start.item,
        counts=listed,
        nodes=made,
        deliveries=deliveries,
        cuts=walked.cuts(BOUNDS),
        evidence=evidence_of(walked.links.values(), made),
        sentence=_sentence(start.item, made, deliveries),
    )


async def _deliveries(database: Database, viewer: Viewer, ids: Sequence[str]) -> list[Sent]:
    [row] = await database.read(cypher.DELIVERIES, ids=ids, audiences=viewer.audiences)
    return [
        Sent(
            id=one["id"],
            name=one["name"],
            delivery_kind=DeliveryKind(one["delivery_kind"]) if one["delivery_kind"] else None,
            status=DeliveryStatus(one["status"]),
            delivered_at=one["delivered_at"],
            delivered_to=list(dict.fromkeys([*(one["delivered_to"] or ()), *one["known"]])),
            destination_summary=one["destination_summary"],
            conflicting=bool(one["conflicting"]),
        )
        for one in row["deliveries"]
    ]


def _sentence(start: Item, made: Sequence[Node], deliveries: Sequence[Sent]) -> str:
    words = Counter(one.what for one in made if one.kind in MADE)
    if not words:
        return sentence(f"nothing is on record that you can see that was made from {start.told}")
    listed = _listed([f"{count:,} {plural(word, count)}" for word, count in sorted(words.items())])
    sent = [one for one in deliveries if one.sent]
    return sentence(f"from {start.told} came {listed}{_when(sent)}")


def _when(sent: Sequence[Sent]) -> str:
    if not sent:
        return "; nothing of it has been delivered"
    last = max(sent, key=lambda one: one.delivered_at or "")
    who = f" to {_listed(last.delivered_to)}" if last.delivered_to else ""
    when = f" on {last.delivered_at[:10]}" if last.delivered_at else ""
    told_as = "delivery has" if len(sent) == 1 else "deliveries have"
    return f"; {len(sent):,} {told_as} gone out, the last{when}{who}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
