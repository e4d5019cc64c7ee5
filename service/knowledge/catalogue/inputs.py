"""A catalogue as it is given: module types with their ports and with what can be set."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from graph_schema.knowledge.words import ConfigKind, PortDirection, PortKind
from graph_schema.library.words import ModuleFamily
from graph_schema.model.fields import KEY_LENGTH, DataClass
from service.commands.errors import InputInvalid
from service.knowledge.errors import CatalogueAmbiguous, CatalogueTooLarge
from service.views import OrNull

MOST_TYPES = 500
MOST_PARTS = 100
_PARTS = ("ports", "config", "module_type")


@dataclass(frozen=True, slots=True)
class CataloguePortInput:
    """A port of a module type."""

    name: Annotated[str, "What cables call it."]
    direction: Annotated[PortDirection, "Which way things pass."]
    kind: Annotated[PortKind, "What passes."]
    required: Annotated[bool, "Whether a module cannot do without it."] = False
    description: Annotated[str, "What passes, in a sentence."] = ""


@dataclass(frozen=True, slots=True)
class CatalogueFieldInput:
    """What can be set of modules of a type."""

    name: Annotated[str, "What configurations call it."]
    kind: Annotated[ConfigKind, "What can be set."]
    required: Annotated[bool, "Whether it must be set."] = False
    default: Annotated[str | None, "What holds where it is not set."] = None
    choices: Annotated[OrNull[tuple[str, ...]], "What can be chosen."] = ()
    minimum: Annotated[float | None, "The least that it may be."] = None
    maximum: Annotated[float | None, "The most that it may be."] = None
    description: Annotated[str, "What it does, in a sentence."] = ""


@dataclass(frozen=True, slots=True)
class CatalogueTypeInput:
    """A module type with its ports and with what can be set."""

    module_type: Annotated[str, "The type, as graphs name it."]
    family: Annotated[ModuleFamily, "The family that it belongs to."]
    name: Annotated[str, "What people call it."]
    purpose: Annotated[str, "What modules of this type are for."] = ""
    when_to_use: Annotated[OrNull[tuple[str, ...]], "When to use one."] = ()
    when_not_to_use: Annotated[OrNull[tuple[str, ...]], "When not to use one."] = ()
    common_patterns: Annotated[OrNull[tuple[str, ...]], "How it is commonly used."] = ()
    common_mistakes: Annotated[OrNull[tuple[str, ...]], "How it is commonly misused."] = ()
    config_summary: Annotated[str | None, "What can be set, in words."] = None
    side_effect_behavior: Annotated[str | None, "What it does to the outside world."] = None
    side_effect_classes: Annotated[OrNull[tuple[str, ...]], "Classes of side effect that it has."] = ()
    model_facing: Annotated[bool, "Whether it asks a model."] = False
    waits_for_person: Annotated[bool, "Whether it waits until a person has decided."] = False
    bounds_loops: Annotated[bool, "Whether a loop that goes through it comes to an end."] = False
    comparison_aware: Annotated[bool, "Whether it can work on several variants beside each other."] = False
    context_behavior: Annotated[str | None, "What it does with context."] = None
    chain_history_behavior: Annotated[str | None, "What it sees of the steps before."] = None
    session_behavior: Annotated[str | None, "What becomes of its session."] = None
    compatible_modules: Annotated[OrNull[tuple[str, ...]], "Types that it is commonly joined with."] = ()
    incompatible_patterns: Annotated[OrNull[tuple[str, ...]], "Shapes that it does not fit into."] = ()
    ports: Annotated[OrNull[tuple[CataloguePortInput, ...]], "Its ports, in their order."] = ()
    config: Annotated[OrNull[tuple[CatalogueFieldInput, ...]], "What can be set, in its order."] = ()

    def values(self) -> dict[str, Any]:
        """What the record of the type says."""
        told = {name: _plain(value) for name, value in asdict(self).items() if name not in _PARTS}
        ports = {side: [one.name for one in self.ports if one.direction is side] for side in PortDirection}
        return {
            **told,
            "module_type": self.module_type,
            "input_ports": ports[PortDirection.input],
            "output_ports": ports[PortDirection.output],
        }

    def port_values(self) -> dict[str, dict[str, Any]]:
        """What the records of the ports say, by direction and name."""
        found: dict[str, dict[str, Any]] = {}
        for place, one in enumerate(self.ports, 1):
            found[f"{one.direction.value} {one.name}"] = {
                "name": f"{self.module_type}.{one.name}",
                "module_type": self.module_type,
                "port_name": one.name,
                "direction": one.direction.value,
                "port_kind": one.kind.value,
                "required": one.required,
                "description": one.description,
                "place": place,
            }
        return found

    def field_values(self) -> dict[str, dict[str, Any]]:
        """What the records of the fields say, by name."""
        return {
            one.name: {
                "name": f"{self.module_type}.{one.name}",
                "module_type": self.module_type,
                "field_name": one.name,
                "config_kind": one.kind.value,
                "required": one.required,
                "default_value": one.default,
                "choices": list(one.choices),
                "minimum": one.minimum,
                "maximum": one.maximum,
                "description": one.description,
                "place": place,
            }
            for place, one in enumerate(self.config, 1)
        }


@dataclass(frozen=True, slots=True)
class ModuleCatalogueInput:
    """A catalogue of module types, whole: what a source had before and does not name again is put away."""

    source: Annotated[str, "Whose catalogue it is. Another source's entries stay as they are."]
    types: Annotated[tuple[CatalogueTypeInput, ...], "The module types."]
    data_class: Annotated[DataClass, "How sensitive it is."] = DataClass.internal

    def check(self) -> None:
        if not self.types:
            raise InputInvalid("types", "a catalogue has at least one module type")
        if len(self.types) > MOST_TYPES:
            raise CatalogueTooLarge("types", MOST_TYPES, len(self.types))
        _check_once((one.module_type for one in self.types), "types.module_type", "module type")
        for one in self.types:
            _check_type(one)


def _check_type(one: CatalogueTypeInput) -> None:
    if not 1 <= len(one.module_type) <= KEY_LENGTH:
        raise InputInvalid("types.module_type", f"must have 1 to {KEY_LENGTH} characters")
    if max(len(one.ports), len(one.config)) > MOST_PARTS:
        raise CatalogueTooLarge(f"types[{one.module_type}]", MOST_PARTS, max(len(one.ports), len(one.config)))
    _check_once((f"{port.direction} {port.name}" for port in one.ports), f"types[{one.module_type}].ports", "port")
    _check_once((field.name for field in one.config), f"types[{one.module_type}].config", "field")


def _check_once(names: Iterable[str], field: str, what: str) -> None:
    seen: set[str] = set()
    for one in names:
        if one in seen:
            raise CatalogueAmbiguous(field, what, one)
        seen.add(one)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
