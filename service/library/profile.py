"""How much there is to a task: five axes, and the highest of them."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from graph_schema.library.words import AutonomyLevel, Complexity, ModuleFamily, OutputStakes, SourceDependency
from service.commands import Work
from service.commands.work import State
from service.library.cypher import blueprints as cypher
from service.library.graphs import ModuleInput
from service.library.snapshots import SavedGraph, family_of

_LEVELS = tuple(Complexity)
_FEW_MODULES, _MANY_MODULES = 3, 10
_FEW_OUTCOMES, _MANY_OUTCOMES = 2, 5


def measured(modules: Iterable[Mapping[str, Any]], outputs: int, inputs: int, stakes: str) -> dict[str, Any]:
    """The profile from modules as they are stored, with the family that the catalogue says.

    Several assets may have the blueprint: the graph with most modules counts, and no module twice.
    """
    graphs: dict[str, list[Mapping[str, Any]]] = {}
    for one in modules:
        graphs.setdefault(one["graph"], []).append(one)
    largest = max((graphs[key] for key in sorted(graphs)), key=_used, default=list[Mapping[str, Any]]())
    inside = [
        ModuleInput(
            one["module_key"],
            one["module_type"] or "",
            autonomy=one.get("autonomy"),
            disabled=bool(one.get("disabled")),
        )
        for one in largest
    ]
    families = {one["module_type"]: ModuleFamily(one["family"]) for one in largest if one.get("family")}
    return profile(inside, outputs, inputs, stakes, families)


def profile(
    modules: Iterable[ModuleInput],
    outputs: int,
    inputs: int,
    stakes: str,
    families: Mapping[str, ModuleFamily] = MappingProxyType({}),
) -> dict[str, Any]:
    """The complexity profile of a blueprint with these modules, as its fields keep it.

    Sources are the modules that fetch something; without a graph, what the blueprint takes. `families` are those of the
    types in the catalogue; the name of a type tells the family of any other.
    """
    used = [one for one in modules if not one.disabled]
    told = [families.get(one.module_type) or family_of(one.module_type) for one in used]
    sources = told.count(ModuleFamily.source) if used else inputs
    dependency = tuple(SourceDependency)[min(sources, 2)]
    autonomy = _autonomy([one.autonomy for one in used])
    axes = (
        _grade(len(used), _FEW_MODULES, _MANY_MODULES),
        _grade(outputs, _FEW_OUTCOMES, _MANY_OUTCOMES),
        tuple(SourceDependency).index(dependency),
        tuple(OutputStakes).index(OutputStakes(stakes)),
        tuple(AutonomyLevel).index(autonomy),
    )
    return {
        "modules_count": len(used),
        "outcome_count": outputs,
        "source_dependency": dependency.value,
        "autonomy_level": autonomy.value,
        "overall_complexity": _LEVELS[max(axes)].value,
    }


async def refresh_profiles(work: Work, saved: Iterable[SavedGraph]) -> None:
    """Let the blueprints of owners whose graph has changed say how much there is to them now."""
    changed = [{"owner": one.owner.id, "snapshot": one.snapshot.id} for one in saved if one.changed]
    if changed:
        for row in await _measures(work, changed=changed):
            version = (row["blueprint"].get("current_graph_version") or row["graphs"]) + 1
            _refresh(work, row, {"current_graph_version": version})


async def refresh_linked(work: Work, owners: Sequence[str], blueprint: str, *, remove: bool) -> None:
    """The same for a blueprint that assets have got, or have no more."""
    moved = {"lost" if remove else "gained": owners}
    for row in await _measures(work, blueprints=[blueprint], **moved):
        _refresh(work, row, {})


async def _measures(work: Work, **asked: Sequence[Any]) -> list[Mapping[str, Any]]:
    given = {name: asked.get(name, ()) for name in ("changed", "blueprints", "gained", "lost")}
    return [*await work.transaction.run(cypher.BLUEPRINT_MEASURES, **given)]


def _refresh(work: Work, row: Mapping[str, Any], more: Mapping[str, Any]) -> None:
    kind, properties = work.registry.types["Blueprint"], row["blueprint"]
    blueprint = State(kind, tuple(kind.model.labels(properties)), properties)
    counted = measured(row["modules"], row["outputs"], row["inputs"], properties["output_stakes"])
    work.update(blueprint, {**counted, **more})


def _used(modules: Iterable[Mapping[str, Any]]) -> int:
    return sum(not one.get("disabled") for one in modules)


def _grade(count: int, few: int, many: int) -> int:
    return 0 if count <= few else 1 if count <= many else 2


def _autonomy(levels: list[str | None]) -> AutonomyLevel:
    """Full only when nothing waits for a person; manual when everything does."""
    told = {level or AutonomyLevel.manual.value for level in levels} or {AutonomyLevel.manual.value}
    return AutonomyLevel(told.pop()) if len(told) == 1 else AutonomyLevel.partial
