"""Segments as content: the chosen part of a graph, its ports, its shape, and whether it fits into another."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from service.library.errors import SegmentWithoutPorts, SelectionInvalid
from service.library.graphs import GraphInput


@dataclass(frozen=True, slots=True)
class Ports:
    """What a segment must be fed, and what it offers, as module and port."""

    required: tuple[str, ...]
    exposed: tuple[str, ...]


def selection(graph: GraphInput, keys: Sequence[str]) -> GraphInput:
    """The chosen modules with the cables between them."""
    chosen = {*keys}
    if not chosen:
        raise SelectionInvalid("at least one module has to be chosen")
    missing = sorted(chosen - {one.module_key for one in graph.modules})
    if missing:
        raise SelectionInvalid(f"the graph has no module {missing[0]!r}")
    modules = [one for one in graph.modules if one.module_key in chosen]
    return GraphInput(modules, [one for one in graph.cables if {one.tail, one.head} <= chosen])


def ports_of(graph: GraphInput, keys: Sequence[str]) -> Ports:
    """The ports of the chosen modules that no cable between them serves; refused when there are none."""
    chosen = {*keys}
    inside = [one for one in graph.cables if {one.tail, one.head} <= chosen]
    outside = [one for one in graph.cables if len({one.tail, one.head} & chosen) == 1]
    modules = [one for one in graph.modules if one.module_key in chosen]
    taken = {_port(one.module_key, port) for one in modules for port in one.input_ports}
    given = {_port(one.module_key, port) for one in modules for port in one.output_ports}
    crossing_in = {_port(one.head, one.to_port) for one in outside if one.head in chosen}
    crossing_out = {_port(one.tail, one.from_port) for one in outside if one.tail in chosen}
    fed = {_port(one.head, one.to_port) for one in inside}
    used = {_port(one.tail, one.from_port) for one in inside}
    ports = Ports(tuple(sorted((taken - fed) | crossing_in)), tuple(sorted((given - used) | crossing_out)))
    if not ports.required and not ports.exposed:
        raise SegmentWithoutPorts
    return ports


def structure_hash(graph: GraphInput) -> str:
    """Hash of the shape alone: types of modules and how they are cabled, whatever the modules are called.

    Each module is coloured by its type, then again and again by the colours around it, until no more can be told apart.
    """
    colours = {one.module_key: _digest(one.module_type) for one in graph.modules}
    around: dict[str, list[tuple[str, str]]] = {key: [] for key in colours}
    for one in graph.cables:
        ports = f"{one.from_port or ''} {one.to_port or ''}"
        around[one.tail].append((f">{ports}", one.head))
        around[one.head].append((f"<{ports}", one.tail))
    told_apart = 0
    while told_apart < len({*colours.values()}):
        told_apart = len({*colours.values()})
        colours = {
            key: _digest(colours[key], *sorted(f"{side} {colours[other]}" for side, other in around[key]))
            for key in colours
        }
    return _digest(*sorted(colours.values()))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _port(module: str, port: str | None) -> str:
    return f"{module}.{port}" if port else module


def _fit(offer: str, port: str) -> bool:
    """Whether one port could feed the other: where both tell their kind, it is the same (`main:0`)."""
    given, wanted = _KIND.search(offer), _KIND.search(port)
    return given is None or wanted is None or given[1] == wanted[1]


_KIND = re.compile(r"\.([^.:]+):[0-9]+$")


@dataclass(frozen=True, slots=True)
class RequiredInput:
    """A port of a segment that must be fed."""

    port: Annotated[str, "The port, as module and port."]
    candidates: Annotated[tuple[str, ...], "Ports of the graph that could feed it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Insertion:
    """Whether a segment fits into a graph, and what has to be settled."""

    fits: Annotated[bool, "Whether nothing speaks against it."]
    reasons: Annotated[tuple[str, ...], "What speaks against it."]
    required_inputs: Annotated[tuple[RequiredInput, ...], "Ports that must be fed."]
    exposed_outputs: Annotated[tuple[str, ...], "Ports that it offers."]
    clashing_keys: Annotated[tuple[str, ...], "Keys of modules that are in both and need another name."]
    missing_capabilities: Annotated[tuple[str, ...], "Capabilities that it needs and nobody granted."]
    denied_capabilities: Annotated[tuple[str, ...], "Capabilities that it needs and that are denied."]
    unavailable_capabilities: Annotated[tuple[str, ...], "Capabilities that it needs and that are down."]


@dataclass(frozen=True, slots=True)
class Needs:
    """The capabilities that a segment needs, by name, and what the graph's owner says of each."""

    required: frozenset[str]
    granted: frozenset[str]
    denied: frozenset[str]
    unavailable: frozenset[str]


def insertion(segment: GraphInput, ports: Ports, into: GraphInput, needs: Needs) -> Insertion:
    offers = sorted(_port(one.module_key, port) for one in into.modules for port in one.output_ports)
    inputs = tuple(RequiredInput(one, tuple(offer for offer in offers if _fit(offer, one))) for one in ports.required)
    clashes = {one.module_key for one in segment.modules} & {one.module_key for one in into.modules}
    denied, down = needs.required & needs.denied, needs.required & needs.unavailable
    reasons: list[str] = []
    unfed = [one.port for one in inputs if not one.candidates]
    if unfed:
        reasons.append(f"Nothing in the graph can feed {unfed[0]}.")
    reasons += [f"It needs {one}, which is denied there." for one in sorted(denied)]
    reasons += [f"It needs {one}, which cannot be used now." for one in sorted(down)]
    return Insertion(
        fits=not reasons,
        required_inputs=inputs,
        exposed_outputs=ports.exposed,
        clashing_keys=tuple(sorted(clashes)),
        missing_capabilities=tuple(sorted(needs.required - needs.granted - needs.denied)),
        denied_capabilities=tuple(sorted(denied)),
        unavailable_capabilities=tuple(sorted(down)),
        reasons=tuple(reasons),
    )
