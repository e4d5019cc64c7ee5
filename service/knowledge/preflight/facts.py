"""What is known when something is examined: plain JSON, kept with a preflight, and read here into facts."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import orjson

from service.context.packets.profiles import Applies, applies

Raw = Mapping[str, Any]
NONE: Raw = {}
PASSIVE = frozenset({"environment", "system"})
"""Families that hold for a whole run: no cable has to lead to a module of theirs, unless it takes something in."""
STARTING = frozenset({"trigger", "source"})
CONTROL = frozenset({"signal", "error"})
"""What passes a port and is no content."""


@dataclass(frozen=True)
class Type:
    """A module type of the catalogue."""

    told: Raw

    @cached_property
    def family(self) -> str:
        return str(self.told["family"])

    @cached_property
    def effects(self) -> frozenset[str]:
        return frozenset(self.told.get("side_effect_classes") or ())

    def says(self, name: str) -> bool:
        return bool(self.told.get(name))

    @cached_property
    def inputs(self) -> Mapping[str, Raw]:
        return self._ports("input")

    @cached_property
    def outputs(self) -> Mapping[str, Raw]:
        return self._ports("output")

    @cached_property
    def fields(self) -> Mapping[str, Raw]:
        return {one["field_name"]: one for one in self.told.get("fields") or ()}

    def _ports(self, side: str) -> Mapping[str, Raw]:
        return {one["port_name"]: one for one in self.told.get("ports") or () if one["direction"] == side}


@dataclass(frozen=True)
class ModuleFacts:
    """A module of the graph, with its type where the catalogue has it."""

    told: Raw
    type: Type | None

    @cached_property
    def key(self) -> str:
        return str(self.told["module_key"])

    @cached_property
    def type_name(self) -> str:
        return str(self.told["module_type"])

    @cached_property
    def family(self) -> str:
        return self.type.family if self.type else self.type_name.partition(".")[0]

    @cached_property
    def passive(self) -> bool:
        return self.family in PASSIVE and not (self.type and self.type.inputs)

    @cached_property
    def enabled(self) -> bool:
        return not self.told.get("disabled")

    @cached_property
    def config(self) -> Raw:
        """What is set. A configuration that is no object says nothing, and is told as invalid."""
        held: Any = orjson.loads(self.told.get("config") or "{}")
        return cast("Raw", held) if isinstance(held, dict) else {}

    @cached_property
    def named_outputs(self) -> frozenset[str]:
        named = self.config.get("named_outputs")
        said = cast("list[Any]", named) if isinstance(named, list) else []
        return frozenset(str(one) for one in [*said, *(self.told.get("output_ports") or ())])

    def setting(self, name: str) -> Any:
        """What is set, else what holds where nothing is."""
        known = self.type.fields.get(name) if self.type else None
        return self.config.get(name, known.get("default_value") if known else None)

    @cached_property
    def effects(self) -> frozenset[str]:
        return self.type.effects if self.type else frozenset()

    @cached_property
    def packet(self) -> Applies:
        """Whether it is given a packet at all, and with which profile."""
        asks = self.type is not None and self.type.says("model_facing")
        return applies(self.type_name, model_facing=asks, asked=None)

    @cached_property
    def waits(self) -> bool:
        return self.enabled and self.type is not None and self.type.says("waits_for_person")


@dataclass(frozen=True)
class Cable:
    tail: ModuleFacts
    head: ModuleFacts
    from_port: str | None
    to_port: str | None

    @cached_property
    def carries(self) -> str | None:
        """What kind of thing it carries, where its port tells."""
        return _kind(self.tail.type.outputs if self.tail.type else {}, self.from_port)

    @cached_property
    def into(self) -> str | None:
        return _kind(self.head.type.inputs if self.head.type else {}, self.to_port)

    def __str__(self) -> str:
        return f"{_end(self.tail.key, self.from_port)} > {_end(self.head.key, self.to_port)}"


@dataclass(frozen=True)
class Facts:
    """All that the checks look at."""

    raw: Raw
    modules: Mapping[str, ModuleFacts] = field(default_factory=dict[str, ModuleFacts])
    cables: tuple[Cable, ...] = ()

    @cached_property
    def enabled(self) -> tuple[ModuleFacts, ...]:
        return tuple(one for one in self.modules.values() if one.enabled)

    @cached_property
    def active_cables(self) -> tuple[Cable, ...]:
        return tuple(one for one in self.cables if one.tail.enabled and one.head.enabled)

    @cached_property
    def leaving(self) -> Mapping[str, tuple[Cable, ...]]:
        return self._by_end("tail")

    @cached_property
    def entering(self) -> Mapping[str, tuple[Cable, ...]]:
        return self._by_end("head")

    @cached_property
    def starts(self) -> frozenset[str]:
        """Where a run begins: at triggers, and at sources that no signal has to come to first. A graph with neither
        begins with what nothing leads to, and of that with what leads on."""
        free = [one for one in self.enabled if not one.passive and not self.entering.get(one.key)]
        own = {one.key for one in free if one.family == "source"}
        own |= {one.key for one in self.enabled if one.family == "trigger"}
        return frozenset(own or {one.key for one in free if self.leaving.get(one.key)} or {one.key for one in free})

    @cached_property
    def running(self) -> frozenset[str]:
        """What something ever gets to: from where a run begins, or from what holds for all of it, as a monitor does."""
        return frozenset(self.reached([*self.starts, *(one.key for one in self.enabled if one.passive)]))

    @cached_property
    def blueprint(self) -> Raw | None:
        return self.raw.get("blueprint")

    @cached_property
    def capabilities(self) -> Mapping[str, Raw]:
        return {one["id"]: one for one in self.raw.get("capabilities") or ()}

    def standing(self, module_key: str) -> Raw:
        return cast("Raw", (self.raw.get("standing") or NONE).get(module_key) or NONE)

    def steps(self) -> Iterator[Raw]:
        yield from (self.blueprint or NONE).get("steps") or ()

    def contracts(self, side: str) -> list[Raw]:
        return [one for one in (self.blueprint or NONE).get("contracts") or () if one["side"] == side]

    @cached_property
    def declared(self) -> Mapping[str, bool]:
        """Classes of side effect that the blueprint declares, and whether a person must have agreed before."""
        found: dict[str, bool] = {}
        for one in (self.blueprint or NONE).get("side_effects") or ():
            found[one["side_effect_class"]] = found.get(one["side_effect_class"], False) or one["review_required"]
        return found

    def reached(
        self, starts: Iterable[str], *, through_gates: bool = True, held: Collection[str] = frozenset()
    ) -> set[str]:
        """Modules that something gets to from these. Without gates, it stops where a person is asked; it never gets
        to those that are held."""
        found: set[str] = set()
        waiting = [one for one in starts if one in self.modules]
        while waiting:
            key = waiting.pop()
            if key in found or key in held:
                continue
            found.add(key)
            if not through_gates and self.modules[key].waits:
                continue
            waiting += [one.head.key for one in self.leaving.get(key, ())]
        return found

    def _by_end(self, end: str) -> Mapping[str, tuple[Cable, ...]]:
        found: dict[str, list[Cable]] = {}
        for one in self.active_cables:
            found.setdefault(getattr(one, end).key, []).append(one)
        return {key: tuple(cables) for key, cables in found.items()}


def facts_of(raw: Raw) -> Facts:
    types = {one["module_type"]: Type(one) for one in raw.get("types") or ()}
    graph = raw.get("graph") or {"modules": (), "cables": ()}
    modules = {one["module_key"]: ModuleFacts(one, types.get(one["module_type"])) for one in graph["modules"]}
    cables = tuple(
        Cable(modules[one["tail"]], modules[one["head"]], one.get("from_port"), one.get("to_port"))
        for one in graph["cables"]
    )
    return Facts(raw, modules, cables)


def _kind(ports: Mapping[str, Raw], name: str | None) -> str | None:
    return str(ports[name]["port_kind"]) if name is not None and name in ports else None


def _end(key: str, port: str | None) -> str:
    return f"{key}.{port}" if port else key
