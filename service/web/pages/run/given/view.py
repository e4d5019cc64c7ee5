"""The packet of one activation, layer by layer, and what was kept out by its reason."""

from itertools import groupby
from typing import Any

from service.web.pages.engine.page import Asked, Data

Item = dict[str, Any]

TARGETS = {
    "injected_entity": ("Entity", "WorkProduct", "Goal", "Trigger", "Schedule"),
    "injected_procedure": ("Procedure",),
    "injected_tool": ("Capability", "Tool", "Agent"),
}
"""What a kind of record is called in a judgement; all others are memories."""
_TARGET = {kind: target for target, kinds in TARGETS.items() for kind in kinds}
_BY_LAYER = {"documents": "injected_document", "libraries": "injected_library"}


def view(data: Data, _asked: Asked) -> Data:
    packet = data["contextPacket"]
    return {"layers": layers(packet["items"]), "reasons": reasons(packet["excludedCandidates"])}


def layers(items: list[Item]) -> list[Data]:
    """In the order in which they were given; each with the tokens it took."""
    told = [(name, list(group)) for name, group in groupby(items, lambda one: one["layer"])]
    return [
        {"name": name, "tokens": sum(one["tokens"] for one in group), "rows": [_judged(one) for one in group]}
        for name, group in told
    ]


def reasons(excluded: list[Item]) -> list[Data]:
    """What was kept out, gathered by the reason, the commonest first."""
    by_reason: dict[str, list[Item]] = {}
    for one in excluded:
        by_reason.setdefault(one["code"], []).append(one)
    told = [
        {"code": code, "rows": rows, "count": sum(one["count"] for one in rows)} for code, rows in by_reason.items()
    ]
    return sorted(told, key=lambda one: -one["count"])


def _judged(item: Item) -> Item:
    """With what it is called in a judgement about it."""
    target = _TARGET.get(item["recordKind"], "injected_memory")
    return item | {"target": _BY_LAYER.get(item["layer"], target) if target == "injected_entity" else target}
