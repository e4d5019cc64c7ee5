"""Graphs with known faults, from the files beside this one, as the facts that a preflight reads."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import yaml

from graph_schema.memory.words import MemoryMode
from service.knowledge.catalogue.reading import sample_catalogue
from service.knowledge.preflight.examine import examine
from service.knowledge.preflight.load import PreflightRequest, held, with_barred
from service.knowledge.preflight.report import PreflightReport

Told = dict[str, Any]
HERE = Path(__file__).parent
AT = "2026-01-01T00:00:00.000Z"
STANDING: Told = {
    "version": 1,
    "valid_from": "2025-01-01T00:00:00.000Z",
    "lifecycle_state": "active",
    "data_class": "internal",
    "matter_ids": [],
    "task_key": "*",
}
"""What a policy says of itself where nothing else is told."""


def types() -> list[Told]:
    """The sample catalogue as the graph tells it."""
    found: list[Told] = []
    for one in sample_catalogue().types:
        ports = [*one.port_values().values()]
        found.append({**one.values(), "ports": ports, "fields": [*one.field_values().values()]})
    return found


TYPES = types()


def graphs(name: str) -> list[Told]:
    return yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))


def report_of(told: Told) -> PreflightReport:
    return examine(raw_of(told), AT)


def codes_of(report: PreflightReport) -> set[str]:
    return {one.code for one in (*report.blocking_issues, *report.warnings)}


def raw_of(told: Told) -> Told:
    capabilities: list[Told] = [
        {"id": name, "name": name, "key": name, "lifecycle_state": "active", "side_effect_classes": [], **(one or {})}
        for name, one in _named(told, "capabilities").items()
    ]
    raw: Told = {
        "subject": None,
        "graph": {**graph_of(told), "graph_hash": "-"},
        "types": TYPES,
        "blueprint": _blueprint(told.get("blueprint")),
        "presets": {},
        "libraries": told.get("libraries", []),
        "memory_mode": told.get("memory_mode", "standard"),
        "inputs": told.get("inputs"),
        "capabilities": capabilities,
        "estimates": told.get("estimates", {}),
        "use": told.get("use", []),
        "module_runs": told.get("module_runs", {}),
        "outputs": told.get("outputs", []),
    }
    asked = PreflightRequest(memory_mode=MemoryMode(raw["memory_mode"]), max_cost_usd=told.get("max_cost_usd"))
    control = {"policies": [*_policies(told)], "links": _links(told)}
    raw |= held(None, raw, control, asked, AT)
    return {**raw, "standing": with_barred(None, raw, control, asked, AT)}


def _policies(told: Told) -> Iterator[Told]:
    """Each with its one version, its fields named as the API names them."""
    for place, one in enumerate(told.get("policies", ())):
        values = {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name): value for name, value in one.items()}
        yield {"states": [{**STANDING, "id": f"policy_{place}", **values}], "links": [], "preferred": []}


def graph_of(told: Told) -> Told:
    modules = [_module(key, one) for key, one in told["modules"].items()]
    return {
        "modules": modules,
        "cables": [_cable(one) for one in told.get("cables", ())],
        "settings": None,
        "extra": None,
    }


def _module(key: str, told: Any) -> Told:
    given: list[Any] = [told] if isinstance(told, str) else told
    kind, rest = given[0], given[1:]
    config: Told = rest[0] if rest else {}
    more: Told = rest[1] if len(rest) > 1 else {}
    return {
        "module_key": key,
        "module_type": kind,
        "name": key,
        "config": orjson.dumps(config).decode() if config else None,
        "input_ports": [],
        "output_ports": [],
        "disabled": False,
        **more,
    }


def _cable(text: str) -> Told:
    tail, _, head = text.partition(" > ")
    ends = [one.partition(".") for one in (tail, head)]
    return {
        "tail": ends[0][0],
        "head": ends[1][0],
        "from_port": ends[0][2] or None,
        "to_port": ends[1][2] or None,
    }


def _blueprint(told: Told | None) -> Told | None:
    if told is None:
        return None
    contracts = [
        {"side": side, "name": name, "kind": name, "required": True}
        for side in ("input", "output")
        for name in told.get(f"{side}s", ())
    ]
    effects = told.get("side_effects", {})
    return {
        "id": "bp",
        "blueprint_hash": "-",
        "goals": told.get("goals", 1),
        "output_stakes": told.get("stakes", "internal_advisory"),
        "artifact_policy": told.get("artifact_policy"),
        "contracts": contracts,
        "steps": [_step(one) for one in told.get("steps", ())],
        "side_effects": [{"side_effect_class": name, "review_required": one} for name, one in effects.items()],
        "review_points": [{"before": one} for one in told.get("review_before", ())],
    }


def _named(told: Told, name: str) -> Told:
    return told.get(name) or {}


def _step(told: Told) -> Told:
    return {
        "step_key": told["key"],
        "modules": told["modules"],
        "expected_output_refs": told.get("outputs", []),
        "purpose": told.get("purpose"),
        "optional_capabilities": told.get("wishes", []),
        "artifact_policy_override": told.get("policy"),
        "suggested_module_type": told.get("type"),
    }


def _links(told: Told) -> list[Told]:
    """What modules, steps, the blueprint and the task's policy say of capabilities."""
    blueprint = _named(told, "blueprint")
    found = [(None if who in ("policy", "task") else who, what, one, who) for who, what, one in told.get("links", ())]
    found += [(None, "REQUIRES", one, "Blueprint") for one in blueprint.get("requires", ())]
    found += [(key, "REQUIRES", one, "StepIntent") for step in blueprint.get("steps", ())
              for one in step.get("requires", ()) for key in step["modules"]]  # fmt: skip
    return [
        {"module": module, "type": what, "capability": one, "holder": str(who), "kind": str(who)}
        for module, what, one, who in found
    ]
