"""Applying a fix to a graph: what is about the graph is done, what is about its blueprint or policies is left."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightFix
from service.library.graphs import CableInput, GraphInput, ModuleInput

Modules = dict[str, ModuleInput]
Cables = list[CableInput]


def patched(graph: GraphInput, fix: PreflightFix) -> dict[str, Any]:
    """Modules and cables after it."""
    modules, cables = {one.module_key: one for one in graph.modules}, [*graph.cables]
    for one in fix.operations:
        if one.op in _OPERATIONS:
            _OPERATIONS[one.op](one, modules, cables)
    return {"modules": tuple(modules.values()), "cables": tuple(cables)}


def _add_module(one: FixOperation, modules: Modules, cables: Cables) -> None:
    del cables
    modules.setdefault(str(one.module_key), ModuleInput(str(one.module_key), str(one.value)))


def _remove_module(one: FixOperation, modules: Modules, cables: Cables) -> None:
    """With all that leads to it and away from it."""
    del modules[str(one.module_key)]
    cables[:] = [each for each in cables if one.module_key not in (each.tail, each.head)]


def _set_type(one: FixOperation, modules: Modules, cables: Cables) -> None:
    del cables
    modules[str(one.module_key)] = replace(modules[str(one.module_key)], module_type=str(one.value))


def _enable(one: FixOperation, modules: Modules, cables: Cables) -> None:
    del cables
    modules[str(one.module_key)] = replace(modules[str(one.module_key)], disabled=False)


def _set_config(one: FixOperation, modules: Modules, cables: Cables) -> None:
    del cables
    module = modules[str(one.module_key)]
    config = orjson.loads(module.config or "{}")
    config[one.field_name] = _value(str(one.value))
    modules[module.module_key] = replace(module, config=orjson.dumps(config, option=orjson.OPT_SORT_KEYS).decode())


def _value(text: str) -> Any:
    """A number, a truth or a list as JSON says it; a word as it is."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _add_cable(one: FixOperation, modules: Modules, cables: Cables) -> None:
    del modules
    cables.append(CableInput(str(one.module_key), str(one.head_key), one.from_port, one.to_port))


def _remove_cable(one: FixOperation, modules: Modules, cables: Cables) -> None:
    del modules
    gone = (one.module_key, one.head_key, one.from_port, one.to_port)
    cables[:] = [each for each in cables if (each.tail, each.head, each.from_port, each.to_port) != gone]


_OPERATIONS: Mapping[FixOp, Callable[[FixOperation, Modules, Cables], None]] = {
    FixOp.add_module: _add_module,
    FixOp.remove_module: _remove_module,
    FixOp.set_module_type: _set_type,
    FixOp.enable_module: _enable,
    FixOp.set_config: _set_config,
    FixOp.add_cable: _add_cable,
    FixOp.remove_cable: _remove_cable,
}
GRAPH_OPERATIONS = frozenset(_OPERATIONS)
"""What a fix can do to a graph. The others are about its blueprint or its policies."""
