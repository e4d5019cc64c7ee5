"""Which relations say where something came from, which end is upstream in each, and how a person reads them.

A relation that is added to the registry becomes a part of lineage by one line here.
"""

from dataclasses import dataclass
from typing import LiteralString

from graph_schema.model.registry import Registry
from graph_schema.model.relation import End


@dataclass(frozen=True, slots=True)
class Flow:
    """A relation as a part of lineage.

    `upstream` is the end that the other came from. `back` reads the link from what came of it, `on` from what it came
    from; in both, `{up}` and `{down}` stand for the two ends. `unsent_…`: the same of a delivery that did not arrive.
    `after`: labels of what only came after by it: nobody says that it was made from what is upstream.
    """

    type: LiteralString
    upstream: End
    back: str
    on: str
    unsent_back: str = ""
    unsent_on: str = ""
    after: tuple[str, ...] = ()


FLOWS: tuple[Flow, ...] = (
    Flow("DERIVED_FROM", "head", "{down} was made from {up}", "{up} went into {down}"),
    Flow("BECAME", "tail", "{down} was kept from {up}", "{up} became {down}"),
    Flow(
        "DELIVERED_BY",
        "tail",
        "{down} carried {up}",
        "{up} went out by {down}",
        "{down} was to carry {up}",
        "{up} was to go out by {down}",
    ),
    Flow("PREVIOUS", "head", "{down} is the version after {up}", "{up} was followed by {down}"),
    Flow("PRODUCED", "tail", "{down} was made by {up}", "{up} made {down}"),
    Flow("CONSUMED", "head", "{down} worked from {up}", "{up} was used by {down}"),
    Flow("MADE", "tail", "{down} was made by {up}", "{up} made {down}"),
    Flow(
        "TO",
        "tail",
        "{down} received {up}",
        "{up} went to {down}",
        "{down} was to receive {up}",
        "{up} was to go to {down}",
    ),
    Flow("CITES", "head", "{down} cites {up}", "{up} is cited by {down}"),
    Flow("EVALUATES", "head", "{down} evaluates {up}", "{up} was evaluated by {down}"),
    Flow("RECEIVED", "head", "{down} received {up}", "{up} came in with {down}", after=("Run",)),
    Flow("DOWNLOADED", "head", "{down} fetched {up}", "{up} was fetched by {down}", after=("Run",)),
    Flow("OPENED", "head", "{down} opened {up}", "{up} was opened by {down}", after=("Run",)),
    Flow("TRIGGERED", "tail", "{down} followed {up}", "{up} led to {down}", after=("Activation",)),
    Flow("FOLLOWS", "head", "{down} took up {up}", "{up} was taken up by {down}"),
    Flow("FORKED_FROM", "head", "{down} was forked from {up}", "{up} was forked into {down}"),
    Flow("CREATED_BY", "head", "{down} carries out {up}", "{up} was carried out by {down}"),
    Flow("TAKES", "head", "{down} goes on from {up}", "{up} was taken on by {down}"),
    Flow("FROM", "head", "{down} goes on from {up}", "{up} was forked by {down}"),
    Flow("ACTIVATED", "tail", "{down} was part of {up}", "{up} went through {down}"),
)
"""What says most comes first: of two ways of the same length, that is the one which is told."""

BY_TYPE: dict[str, Flow] = {one.type: one for one in FLOWS}


def lineage_labels(registry: Registry) -> tuple[str, ...]:
    """The labels of records that have lineage: the ends of its relations, and what is left of an erased one."""
    ends = {
        label
        for relation in registry.relations
        if relation.type in BY_TYPE
        for label in registry.members((*relation.tails, *relation.heads))
    }
    return tuple(label for label in registry.types if label in ends or label == "Tombstone")
