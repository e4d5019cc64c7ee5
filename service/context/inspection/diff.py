"""What differs between two packets, and which fact made each difference."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import orjson

from service.context.inspection import causes
from service.context.inspection.kept import Kept, KeptReceipt
from service.views import Id

MOST = 500
_SHOWN = 200


class DifferenceKind(StrEnum):
    """In what way two packets differ about a record."""

    only_in_a = "only_in_a"
    only_in_b = "only_in_b"
    changed = "changed"
    reason_changed = "reason_changed"
    considered_only_in_a = "considered_only_in_a"
    considered_only_in_b = "considered_only_in_b"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedValue:
    """Something that has another value in the other packet."""

    field: Annotated[str, "What it is."]
    a: Annotated[str, "Its value in the first packet."]
    b: Annotated[str, "Its value in the second packet."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketDifference:
    """A record about which two packets differ."""

    kind: Annotated[DifferenceKind, "In what way."]
    record_id: Annotated[Id, "The record."]
    name: Annotated[str, "What people call it."]
    a: Annotated[str, "What became of it in the first packet."]
    b: Annotated[str, "What became of it in the second packet."]
    changed: Annotated[tuple[ChangedValue, ...], "What of it differs, where both packets hold it."]
    because: Annotated[tuple[str, ...], "The facts that made the difference, a sentence each."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketDiff:
    """What differs between two packets. Only what you may see is compared."""

    identical: Annotated[bool, "Whether they hold and keep out the same."]
    sentence: Annotated[str, "The whole in a sentence."]
    differences: Annotated[tuple[PacketDifference, ...], f"By record, at most {MOST}; what was given comes first."]
    count: Annotated[int, "How many records they differ about."]
    ground: Annotated[tuple[str, ...], "What differs between the two situations, a sentence each."]
    asked: Annotated[tuple[ChangedValue, ...], "What differs between the two requests."]
    withheld_a: Annotated[bool, "Whether the first has receipts of records that you may not see."]
    withheld_b: Annotated[bool, "Whether the second has."]


def diff(a: Kept, b: Kept) -> PacketDiff:
    order = list(DifferenceKind)
    found = sorted(_found(a, b), key=lambda one: (order.index(one.kind), one.name, one.record_id))
    same = a.packet["content_hash"] == b.packet["content_hash"]
    counts = {kind: sum(one.kind is kind for one in found) for kind in order}
    told = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in counts.items() if count)
    return PacketDiff(
        identical=same,
        sentence="Both hold and keep out the same." if same else f"They differ: {told or 'in what you may not see'}.",
        differences=tuple(found[:MOST]),
        count=len(found),
        ground=tuple(causes.of_ground(a.ground, b.ground)),
        asked=tuple(_asked(a, b)),
        withheld_a=bool(a.withheld),
        withheld_b=bool(b.withheld),
    )


def _found(a: Kept, b: Kept) -> Iterator[PacketDifference]:
    for one_id in {*a.receipts} | {*b.receipts}:
        one, other = a.receipts.get(one_id), b.receipts.get(one_id)
        if one is not None and other is not None:
            yield from _in_both(a, b, one, other)
        elif one is not None:
            kind = DifferenceKind.only_in_a if one.injected else DifferenceKind.considered_only_in_a
            yield _difference(kind, one, (one, None), because=causes.of_one(a, one, b, later=False))
        elif other is not None:
            kind = DifferenceKind.only_in_b if other.injected else DifferenceKind.considered_only_in_b
            yield _difference(kind, other, (None, other), because=causes.of_one(b, other, a, later=True))


def _in_both(a: Kept, b: Kept, one: KeptReceipt, other: KeptReceipt) -> Iterator[PacketDifference]:
    changed = tuple(_changed(one, other))
    if one.injected is not other.injected:
        kind = DifferenceKind.only_in_a if one.injected else DifferenceKind.only_in_b
    elif one.injected and changed:
        kind = DifferenceKind.changed
    elif not one.injected and (one.stage, one.reason) != (other.stage, other.reason):
        kind = DifferenceKind.reason_changed
    else:
        return
    yield _difference(kind, one, (one, other), changed, causes.of_both(a, b, one, other))


def _difference(
    kind: DifferenceKind,
    known: KeptReceipt,
    sides: tuple[KeptReceipt | None, KeptReceipt | None],
    changed: tuple[ChangedValue, ...] = (),
    because: tuple[str, ...] = (),
) -> PacketDifference:
    return PacketDifference(
        kind=kind,
        record_id=known.id,
        name=known.name,
        a=_told(sides[0]),
        b=_told(sides[1]),
        changed=changed,
        because=because,
    )


def _told(one: KeptReceipt | None) -> str:
    if one is None:
        return "not considered"
    return f"given, place {one.rank} in {one.layer}" if one.injected else f"kept out by {one.stage}: {one.reason}"


def _changed(one: KeptReceipt, other: KeptReceipt) -> Iterator[ChangedValue]:
    if not (one.injected and other.injected):
        return
    for name in ("version", "layer", "rank", "text"):
        x, y = getattr(one, name), getattr(other, name)
        if x != y:
            yield ChangedValue(field=name, a=_short(x), b=_short(y))


def _asked(a: Kept, b: Kept) -> Iterator[ChangedValue]:
    for name in sorted({*a.asked} | {*b.asked}):
        x, y = a.asked.get(name), b.asked.get(name)
        if x != y:
            yield ChangedValue(field=name, a=_short(x), b=_short(y))


def _short(value: Any) -> str:
    said = value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    return said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"
