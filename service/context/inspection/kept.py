"""A packet as it is kept: what was asked, the ground that it stood on, and each receipt with its facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from service.context.inspection.errors import InputsErased, PacketNotKept
from service.context.packets.facts import Facts, Ground, facts_of, ground_of

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """`facts` are absent where what the receipt is about was erased."""

    id: str
    name: str
    injected: bool
    created_at: str
    facts: Facts | None
    rank: int | None
    layer: str | None
    text: str | None
    stage: str
    reason: str | None
    version: int


@dataclass(frozen=True, slots=True)
class Kept:
    packet: Row
    asked: Row
    ground: Ground
    receipts: Mapping[str, KeptReceipt]
    withheld: int

    @property
    def facts(self) -> list[Facts]:
        return [one.facts for one in self.receipts.values() if one.facts is not None]

    @property
    def erased(self) -> int:
        """Receipts whose facts are gone with what they were about."""
        return self.packet["considered_count"] - len(self.facts) - self.withheld


def inputs_of(packet: Row, *, has_receipts: bool) -> tuple[Row, Ground]:
    """What was asked, and the ground. An ephemeral run keeps neither, nor any receipt; others lose them when something
    that came in at a port is erased."""
    if packet.get("inputs") is None:
        raise InputsErased(packet["id"]) if has_receipts else PacketNotKept(packet["id"])
    told: dict[str, Any] = orjson.loads(packet["inputs"])
    return told["asked"], ground_of(told["ground"])


def kept_of(row: Row) -> Kept:
    asked, ground = inputs_of(row["packet"], has_receipts=bool(row["receipts"] or row["withheld"]))
    receipts = {one["id"]: _receipt(one) for one in row["receipts"]}
    return Kept(row["packet"], asked, ground, receipts, row["withheld"])


def _receipt(row: Row) -> KeptReceipt:
    values: dict[str, Any] = {**row, "facts": facts_of(row["facts"]) if row["facts"] else None}
    return KeptReceipt(**values)
