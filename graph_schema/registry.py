"""The registry of the graph: the records and relations of all capabilities."""

from graph_schema.capabilities import CAPABILITIES, parts_of
from graph_schema.cards import describes
from graph_schema.model.record import Record
from graph_schema.model.registry import Registry
from graph_schema.model.relation import Relation
from graph_schema.model.system import SYSTEM

GROUND = ("work", "cards")
"""What the records of all capabilities stand on."""

_PARTS = parts_of("graph_schema", (*GROUND, *CAPABILITIES))
RECORDS: tuple[type[Record], ...] = tuple(one for part in _PARTS for one in part.RECORDS)
RELATIONS: tuple[Relation, ...] = (
    *(one for part in _PARTS for one in getattr(part, "RELATIONS", ())),
    describes(RECORDS),
)
REGISTRY = Registry(RECORDS, RELATIONS, SYSTEM)
