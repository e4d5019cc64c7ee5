"""The relation between a card and what it makes findable."""

from collections.abc import Iterable

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.record import Record
from graph_schema.model.relation import Relation


def describes(records: Iterable[type[Record]]) -> Relation:
    """Cards describe whatever says of itself that it has one."""
    return Relation(
        "DESCRIBES",
        ("Card",),
        tuple(one.label for one in records if one.carded),
        "described_by",
        "A card, and the record that it makes findable.",
        EvidenceLayer.memory,
        inherits="tail",
        managed=True,
    )
