"""The signature of a design: its shape, and what comes before the module where something was seen. Pure."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson


def topology_hash(modules: Iterable[Mapping[str, Any]], cables: Iterable[Sequence[str]]) -> str:
    """The same types of modules, cabled in the same way, have the same; keys and settings do not matter."""
    types = {one["key"]: one["type"] or "" for one in modules}
    shape = [sorted(types.values()), sorted([types.get(a, ""), types.get(b, "")] for a, b in cables)]
    return hashlib.sha256(orjson.dumps(shape)).hexdigest()


def upstream_types(modules: Iterable[Mapping[str, Any]], cables: Iterable[Sequence[str]], at: str | None) -> list[str]:
    """Types of all modules from which cables lead to this one, directly or not."""
    types: dict[str, str | None] = {one["key"]: one["type"] for one in modules}
    before: dict[str, list[str]] = {}
    for tail, head in cables:
        before.setdefault(head, []).append(tail)
    found: set[str] = set()
    waiting = [at] if at is not None and at in types else []
    while waiting:
        fresh = [one for one in before.get(waiting.pop(), ()) if one not in found]
        found.update(fresh)
        waiting.extend(fresh)
    return sorted({kind for one in found if (kind := types.get(one))})


def signature(design: Mapping[str, Any] | None, at: str | None) -> dict[str, Any]:
    """What a signal says of its design, from the saved graph; nothing where none is saved."""
    if design is None or not design["drawn"]:
        return {}
    return {
        "graph_topology_hash": topology_hash(design["modules"], design["cables"]),
        "upstream_module_types": upstream_types(design["modules"], design["cables"], at),
        "task_blueprint_ref": design["blueprint_id"],
        "signature_computed": True,
    }
