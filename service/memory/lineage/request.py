"""A request for lineage, checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph_schema.memory.lineage import BY_TYPE, lineage_labels
from graph_schema.model.registry import Registry
from service.commands import RecordRef
from service.memory.lineage.errors import LineageOutOfBounds, LineageWordUnknown

DEFAULT_DEPTH, MOST_DEPTH = 5, 30
DEFAULT_NODES, MOST_NODES = 1_000, 5_000
DEFAULT_GROUP_OVER, MOST_GROUP_OVER = 25, 1_000


class LineageDirection(StrEnum):
    """Which way to follow lineage."""

    upstream = "upstream"
    downstream = "downstream"
    both = "both"


@dataclass(frozen=True, slots=True)
class LineageRequest:
    """Where to start, which way, how far. No `through` means all relations of lineage; no `until`, no early end."""

    of: RecordRef
    direction: LineageDirection = LineageDirection.upstream
    depth: int = DEFAULT_DEPTH
    through: Sequence[str] = ()
    until: Sequence[str] = ()
    max_nodes: int = DEFAULT_NODES
    group_over: int = DEFAULT_GROUP_OVER


def check_depth(depth: int) -> None:
    _bounded("depth", depth, 1, MOST_DEPTH, "Follow fewer steps, then ask again from where the answer ends.")


def check(request: LineageRequest, registry: Registry) -> None:
    request.of.check("of")
    check_depth(request.depth)
    narrower = "Ask for fewer, or narrow the answer with through, until or depth."
    _bounded("maxNodes", request.max_nodes, 1, MOST_NODES, narrower)
    _bounded("groupOver", request.group_over, 1, MOST_GROUP_OVER, "Page through large groups instead.")
    _known("through", request.through, tuple(BY_TYPE))
    _known("until", request.until, until_words(registry))


def until_words(registry: Registry) -> tuple[str, ...]:
    """The labels that a walk can be told to end at, second labels such as Document included."""
    labels = lineage_labels(registry)
    return (*labels, *(second for label in labels for second in registry.types[label].second_labels))


def _bounded(field: str, given: int, least: int, most: int, remedy: str) -> None:
    if not least <= given <= most:
        raise LineageOutOfBounds(field, given, least, most, remedy)


def _known(field: str, given: Sequence[str], known: Sequence[str]) -> None:
    for one in given:
        if one not in known:
            raise LineageWordUnknown(field, one, known)
