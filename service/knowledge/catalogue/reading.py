"""A catalogue from a file: `seeds/knowledge/catalogue.yaml` shows its shape."""

from collections.abc import Mapping
from importlib import resources
from typing import Any, cast

import yaml

from graph_schema.knowledge.words import ConfigKind, PortDirection, PortKind
from graph_schema.library.words import ModuleFamily
from service.knowledge.catalogue.inputs import (
    CatalogueFieldInput,
    CataloguePortInput,
    CatalogueTypeInput,
    ModuleCatalogueInput,
)
from service.knowledge.errors import CatalogueUnreadable

Told = Mapping[str, Any]


def sample_catalogue() -> ModuleCatalogueInput:
    return read_catalogue((resources.files("seeds") / "knowledge" / "catalogue.yaml").read_text("utf-8"))


def read_catalogue(text: str) -> ModuleCatalogueInput:
    try:
        told: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise CatalogueUnreadable("file", f"it is no YAML ({error})") from None
    if not isinstance(told, dict) or not isinstance(cast("Told", told).get("types"), list):
        raise CatalogueUnreadable("types", "a catalogue is a mapping with a source and a list of types")
    whole = cast("Told", told)
    return ModuleCatalogueInput(str(whole.get("source") or "catalogue"), tuple(_type(one) for one in whole["types"]))


def _type(told: Told) -> CatalogueTypeInput:
    kind = str(told.get("type"))
    family = kind.partition(".")[0]
    if family not in {one.value for one in ModuleFamily}:
        raise CatalogueUnreadable(f"types[{kind}]", f"its name begins with one of {', '.join(ModuleFamily)}")
    said: dict[str, Any] = {
        name: tuple(cast("list[str]", value)) if isinstance(value, list) else value
        for name, value in told.items()
        if name not in ("type", "in", "out", "config")
    }
    sides = ((PortDirection.input, "in"), (PortDirection.output, "out"))
    ports = [_port(kind, side, name, text) for side, key in sides for name, text in _named(told, key).items()]
    fields = [_field(kind, name, one) for name, one in _named(told, "config").items()]
    try:
        return CatalogueTypeInput(
            module_type=kind, family=ModuleFamily(family), ports=tuple(ports), config=tuple(fields), **said
        )
    except TypeError as error:
        raise CatalogueUnreadable(f"types[{kind}]", str(error)) from None


def _named(told: Told, key: str) -> Told:
    return cast("Told", told.get(key) or {})


def _port(kind: str, side: PortDirection, name: str, text: str) -> CataloguePortInput:
    """`data! What it works on.`: the kind, a mark when it is required, and what passes."""
    first, _, said = text.partition(" ")
    known = first.rstrip("!")
    if known not in {one.value for one in PortKind}:
        raise CatalogueUnreadable(f"types[{kind}].{name}", f"{known!r} is none of {', '.join(PortKind)}")
    return CataloguePortInput(name, side, PortKind(known), first.endswith("!"), said)


def _field(kind: str, name: str, told: Told) -> CatalogueFieldInput:
    known = told.get("type")
    if known not in {one.value for one in ConfigKind}:
        raise CatalogueUnreadable(f"types[{kind}].{name}", f"{known!r} is none of {', '.join(ConfigKind)}")
    return CatalogueFieldInput(
        name,
        ConfigKind(str(known)),
        bool(told.get("required", False)),
        told.get("default"),
        tuple(told.get("choices") or ()),
        told.get("minimum"),
        told.get("maximum"),
        str(told.get("says", "")),
    )
