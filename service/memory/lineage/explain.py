"""Lineage in sentences: what was cut and how to see it, what a group stands for, what the evidence is."""

from collections import Counter
from collections.abc import Iterable, Sequence

from graph_schema.memory.lineage import BY_TYPE
from graph_schema.model.registry import Registry
from graph_schema.output.documents import relation_document
from service.memory.lineage.answer import (
    LayerLinks,
    LineageCut,
    LineageCutReason,
    LineageEdge,
    LineageEvidence,
    LineageGroup,
    LineageNode,
    sentence,
)
from service.memory.lineage.reading import Neighbours
from service.memory.lineage.request import MOST_DEPTH, MOST_NODES, LineageDirection


def depth_cut(deeper: Sequence[str], depth: int) -> LineageCut:
    more = f"ask with a greater depth (up to {MOST_DEPTH}), or from one of these records"
    told = f"{_records(len(deeper))} at depth {depth} lead further; {more}"
    return LineageCut(reason=LineageCutReason.depth, at=tuple(deeper), message=sentence(told))


def nodes_cut(limit: int) -> LineageCut:
    more = f"ask with a greater maxNodes (up to {MOST_NODES:,}), or narrow it with through, until or depth"
    told = f"there are more than {limit:,} records; {more}"
    return LineageCut(reason=LineageCutReason.nodes, message=sentence(told))


def fan_out_cut(groups: Sequence[LineageGroup], group_over: int) -> LineageCut:
    at = tuple(dict.fromkeys(one.of for one in groups))
    more = "groups says how many, names some and how to page through them"
    told = f"{_records(len(at))} have more than {group_over:,} neighbours of one kind by one relation; {more}"
    return LineageCut(reason=LineageCutReason.fan_out, at=at, message=sentence(told))


def grouped(registry: Registry, many: Neighbours, direction: LineageDirection) -> LineageGroup:
    """Too many neighbours as one group. Its reason reads the relation for all of them."""
    flow = BY_TYPE[many.type]
    word = plural(many.items[0].what, many.count)
    number = f"at least {many.count:,}" if many.at_least else f"{many.count:,}"
    many_told, one_told = f"{number} {word}", many.of.told
    upward = direction is LineageDirection.upstream
    up, down = (many_told, one_told) if upward else (one_told, many_told)
    told = (flow.back if upward else flow.on).format(up=up, down=down)
    return LineageGroup(
        of=many.of.id,
        type=many.type,
        direction=direction,
        kind=many.kind,
        count=many.count,
        at_least=many.at_least,
        samples=tuple(many.items),
        reason=sentence(told),
        page=_page(registry, many, direction),
    )


def _page(registry: Registry, many: Neighbours, direction: LineageDirection) -> str | None:
    """The document that reads all of a group, page by page; none where its record was erased."""
    outgoing = (BY_TYPE[many.type].upstream == "head") is (direction is LineageDirection.upstream)
    if many.of.kind == "Tombstone":
        return None
    return relation_document(registry, many.of.id, many.of.kind, many.type, outgoing=outgoing)


def evidence_of(links: Iterable[LineageEdge], nodes: Iterable[LineageNode]) -> LineageEvidence:
    counts = Counter(one.layer for one in links)
    layers = tuple(LayerLinks(layer=layer, links=count) for layer, count in sorted(counts.items()))
    erased = sum(one.kind == "Tombstone" for one in nodes)
    told = ", ".join(f"{one.links:,} of {one.layer.value}" for one in layers)
    note = f"links by evidence layer: {told}" if layers else "no links"
    if erased:
        note += f"; {_records(erased)} were erased and show as tombstones"
    note = sentence(f"{note}; what was not reported, or you may not see, is not here")
    return LineageEvidence(layers=layers, note=note)


def plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _records(count: int) -> str:
    return f"{count:,} {plural('record', count)}"
