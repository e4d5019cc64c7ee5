"""Lineage: where every record of a run came from, and what came of it since."""

from service.memory.lineage.answer import Lineage, LineageCutReason, LineageSide
from service.memory.lineage.impact import Impact
from service.memory.lineage.provenance import Provenance
from service.memory.lineage.read import Lineages
from service.memory.lineage.request import LineageDirection, LineageRequest

__all__ = [
    "Impact",
    "Lineage",
    "LineageCutReason",
    "LineageDirection",
    "LineageRequest",
    "LineageSide",
    "Lineages",
    "Provenance",
]
