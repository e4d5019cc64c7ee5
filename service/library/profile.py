"""How much there is to a task: five axes, and the highest of them."""

from collections.abc import Iterable, Mapping
from typing import Any

from graph_schema.library_words import AutonomyLevel, Complexity, ModuleFamily, OutputStakes, SourceDependency
from service.commands import Work
from service.commands.work import State
from service.library import cypher
from service.library.graphs import GraphInput, ModuleInput
from service.library.snapshots import SavedGraph, family_of

_LEVELS = tuple(Complexity)
_FEW_MODULES, _MANY_MODULES = 3, 10
_FEW_OUTCOMES, _MANY_OUTCOMES = 2, 5


def profile(modules: Iterable[ModuleInput], outputs: int, inputs: int, stakes: str) -> dict[str, Any]:
    """The complexity profile of a blueprint with these modules, as its fields keep it.

    Sources are the modules that fetch something; without a graph, what the blueprint takes.
    """
    used = [one for one in modules if not one.disabled]
    sources = sum(family_of(one.module_type) is ModuleFamily.source for one in used) if used else inputs
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
    graphs = {one.owner.id: one.graph for one in saved if one.changed}
    if not graphs:
        return
    for row in await work.transaction.run(cypher.BLUEPRINTS_OF, ids=sorted(graphs), audiences=work.viewer.audiences):
        _refresh(work, row, graphs[row["owner"]])


def _refresh(work: Work, row: Mapping[str, Any], graph: GraphInput) -> None:
    kind, properties = work.registry.types["Blueprint"], row["blueprint"]
    blueprint = State(kind, tuple(kind.model.labels(properties)), properties)
    work.update(blueprint, profile(graph.modules, row["outputs"], row["inputs"], properties["output_stakes"]))


def _grade(count: int, few: int, many: int) -> int:
    return 0 if count <= few else 1 if count <= many else 2


def _autonomy(levels: list[str | None]) -> AutonomyLevel:
    """Full only when nothing waits for a person; manual when everything does."""
    told = {level or AutonomyLevel.manual.value for level in levels} or {AutonomyLevel.manual.value}
    return AutonomyLevel(told.pop()) if len(told) == 1 else AutonomyLevel.partial
