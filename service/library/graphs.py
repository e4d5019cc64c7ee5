"""The graph of a task as content: modules, cables, settings; checked, brought into one form, and hashed."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import orjson

from graph_schema.model.fields import NAME_LENGTH
from service.library.errors import GraphInvalid, GraphTooLarge

MOST_MODULES = 1_000
MOST_CABLES = 5_000
AUTONOMY = ("manual", "partial", "full")


@dataclass(frozen=True, slots=True)
class ModuleInput:
    """One module: what the graph calls it, its type, and how it is set. `config` is JSON text."""

    module_key: str
    module_type: str
    name: str | None = None
    purpose: str | None = None
    config: str | None = None
    autonomy: str | None = None
    input_ports: Sequence[str] = ()
    output_ports: Sequence[str] = ()
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class CableInput:
    """A cable from a port of one module to a port of another."""

    tail: str
    head: str
    from_port: str | None = None
    to_port: str | None = None
    cable_id: str | None = None


@dataclass(frozen=True, slots=True)
class GraphInput:
    """A whole graph. `settings` and `extra` are JSON text: of the graph, and what its origin says beyond it."""

    modules: Sequence[ModuleInput]
    cables: Sequence[CableInput] = ()
    settings: str | None = None
    extra: str | None = None


def canonical(graph: GraphInput, *, stored: bool = False) -> GraphInput:
    """The same graph in the one form that is stored and hashed, or the reason why it is none.

    `stored`: what is kept is read again, whatever rules have been made since.
    """
    _check_sizes(graph)
    modules = tuple(sorted((_module(one) for one in graph.modules), key=lambda one: one.module_key))
    _check_unique([one.module_key for one in modules], "graph.modules", "module_key")
    known = {one.module_key for one in modules}
    for one in graph.cables:
        _check_ends(one, known)
    if not stored:
        _check_ports(graph.cables, {one.module_key: one for one in modules})
    cables = _named(sorted(graph.cables, key=_cable_order))
    _check_unique([str(one.cable_id) for one in cables], "graph.cables", "cable_id")
    return GraphInput(modules, cables, _json(graph.settings, "graph.settings"), _json(graph.extra, "graph.extra"))


def graph_hash(graph: GraphInput) -> str:
    """Hash of a canonical graph: the same content in any order and any spelling of its JSON has the same."""
    return hashlib.sha256(orjson.dumps(asdict(graph), option=orjson.OPT_SORT_KEYS)).hexdigest()


def graph_of(row: Mapping[str, Any]) -> GraphInput:
    """The content of a stored snapshot."""
    modules = [ModuleInput(**one) for one in row["modules"]]
    cables = [
        CableInput(one["tail"], one["head"], one.get("from_port"), one.get("to_port"), one["cable_id"])
        for one in row["cables"]
    ]
    return canonical(GraphInput(modules, cables, row["whole"].get("settings"), row["whole"].get("extra")), stored=True)


def _check_sizes(graph: GraphInput) -> None:
    if not graph.modules:
        raise GraphInvalid("graph.modules", "a graph has at least one module")
    for field, found, limit in (("modules", graph.modules, MOST_MODULES), ("cables", graph.cables, MOST_CABLES)):
        if len(found) > limit:
            raise GraphTooLarge(field, limit, len(found))


def _module(one: ModuleInput) -> ModuleInput:
    field = f"graph.modules[{one.module_key}]"
    if not one.module_key.strip() or not one.module_type.strip():
        raise GraphInvalid("graph.modules", "every module has a module_key and a module_type")
    if one.autonomy is not None and one.autonomy not in AUTONOMY:
        raise GraphInvalid(f"{field}.autonomy", f"must be one of {', '.join(AUTONOMY)}")
    for ports in (one.input_ports, one.output_ports):
        _check_unique(ports, field, "port")
    return ModuleInput(
        one.module_key,
        one.module_type,
        (one.name or one.module_key)[:NAME_LENGTH],  # as it is stored: what is read again has the same hash
        one.purpose,
        _json(one.config, f"{field}.config"),
        one.autonomy,
        tuple(one.input_ports),
        tuple(one.output_ports),
        one.disabled,
    )


def _check_ends(cable: CableInput, known: set[str]) -> None:
    for end in (cable.tail, cable.head):
        if end not in known:
            raise GraphInvalid("graph.cables", f"a cable leads to the module {end!r}, which is not in the graph")


def _check_ports(cables: Iterable[CableInput], modules: Mapping[str, ModuleInput]) -> None:
    """A module that tells its ports has no others. Of one that tells none, any may be named."""
    for one in cables:
        tail, head = modules[one.tail], modules[one.head]
        for module, port, told, what in (
            (tail, one.from_port, tail.output_ports, "output"),
            (head, one.to_port, head.input_ports, "input"),
        ):
            if port is not None and told and port not in told:
                problem = (
                    f"a cable names the {what} port {port!r} of {module.module_key!r}, which has {', '.join(told)}"
                )
                raise GraphInvalid("graph.cables", problem)


def _check_unique(values: Iterable[str], field: str, what: str) -> None:
    seen: set[str] = set()
    for one in values:
        if one in seen:
            raise GraphInvalid(field, f"the {what} {one!r} is there twice")
        seen.add(one)


def _cable_order(one: CableInput) -> tuple[str, ...]:
    return (one.tail, one.from_port or "", one.head, one.to_port or "", one.cable_id or "")


def _named(cables: Iterable[CableInput]) -> tuple[CableInput, ...]:
    """A cable without a name is named by its ends, so that the same graph names it the same."""
    return tuple(
        CableInput(one.tail, one.head, one.from_port, one.to_port, one.cable_id or _cable_name(one)) for one in cables
    )


def _cable_name(one: CableInput) -> str:
    ends = f"{one.tail}.{one.from_port or ''}->{one.head}.{one.to_port or ''}"
    return ends if len(ends) <= _READABLE else hashlib.sha256(ends.encode()).hexdigest()


_READABLE = 200


def _json(text: str | None, field: str) -> str | None:
    """JSON text in one spelling: keys in order, no spaces."""
    if text is None:
        return None
    try:
        value = cast("object", orjson.loads(text))
    except orjson.JSONDecodeError as error:
        raise GraphInvalid(field, f"is no JSON ({error})") from None
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
