"""Lineage: where every record of a run came from, and what came of it since."""

from service.memory.lineage.answer import CutReason, Item, LineageAnswer, Side
from service.memory.lineage.impact import Impact
from service.memory.lineage.provenance import Provenance
from service.memory.lineage.read import Lineage
from service.memory.lineage.request import Direction, LineageRequest

__all__ = [
    "CutReason",
    "Direction",
    "Impact",
    "Item",
    "Lineage",
    "LineageAnswer",
    "LineageRequest",
    "Provenance",
    "Side",
]
