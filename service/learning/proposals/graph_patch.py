"""A graph as a part of what a record says, and a patch of it as a step of a change. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, cast

import orjson

from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightFix
from service.knowledge.preflight.patching import GRAPH_OPERATIONS, patched
from service.library.graphs import CableInput, GraphInput, ModuleInput, canonical

GRAPH = "graph"
"""What the content of a task or template calls its graph, beside its fields."""
_NAMES = frozenset(FixOperation.__dataclass_fields__)


def text_of(graph: GraphInput) -> str:
    return orjson.dumps(asdict(canonical(graph, stored=True)), option=orjson.OPT_SORT_KEYS).decode()


def graph_of(told: Mapping[str, Any]) -> GraphInput:
    modules = [ModuleInput(**one) for one in told["modules"]]
    return GraphInput(modules, [CableInput(**one) for one in told["cables"]], told["settings"], told["extra"])


def read_graph(text: str) -> GraphInput:
    return graph_of(orjson.loads(text))


def operations_of(value: Any) -> list[FixOperation]:
    """What a patch says. LookupError: something in it is no operation on a graph."""
    rows = cast("Sequence[Mapping[str, Any]]", value if isinstance(value, list) else ())
    found: list[FixOperation] = []
    for row in rows:
        if {*row} - _NAMES or row.get("op") not in {one.value for one in GRAPH_OPERATIONS}:
            raise LookupError(str(row.get("op")))
        found.append(FixOperation(**{**row, "op": FixOp(row["op"])}))
    if not found:
        raise LookupError("nothing")
    return found


def plain(operations: Sequence[FixOperation]) -> list[dict[str, Any]]:
    return [{name: value for name, value in asdict(one).items() if value is not None} for one in operations]


def patched_text(held: str | None, value: Any) -> str:
    """The graph after a patch. Where the graph itself is not at hand, what is told is that it is another."""
    if held is None:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    return text_of(patched_graph(read_graph(held), operations_of(value)))


def patched_graph(graph: GraphInput, operations: Sequence[FixOperation]) -> GraphInput:
    """The graph after these operations. KeyError: it has no module of that name."""
    fix = PreflightFix(title="", operations=tuple(operations))
    return canonical(replace(graph, **patched(graph, fix)))


def told(value: Any) -> str:
    """The patch, in words."""
    return "; ".join(_told(one) for one in operations_of(value))


def _told(one: FixOperation) -> str:
    ends = ((one.module_key, one.from_port), (one.head_key, one.to_port))
    cable = " > ".join(f"{key}.{port}" if port else str(key) for key, port in ends)
    return {
        FixOp.add_module: f"add {one.module_key} ({one.value})",
        FixOp.remove_module: f"take away the module {one.module_key}",
        FixOp.set_module_type: f"make {one.module_key} a {one.value}",
        FixOp.enable_module: f"switch {one.module_key} on",
        FixOp.set_config: f"set {one.field_name} of {one.module_key} to {one.value}",
        FixOp.add_cable: f"add the cable {cable}",
        FixOp.remove_cable: f"take away the cable {cable}",
    }[one.op]
