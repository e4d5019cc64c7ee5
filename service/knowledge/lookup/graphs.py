"""Graphs, before anything runs: what one does, whether it can be run, and a dry walk of it. Queries."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from service.access.viewer import Viewer
from service.graph.database import Database
from service.knowledge.errors import SampleUnknown
from service.knowledge.preflight.asking import unasked
from service.knowledge.preflight.facts import NONE, STARTING, Cable, Facts, ModuleFacts, facts_of
from service.knowledge.preflight.issues import IssueSeverity, PreflightIssue
from service.knowledge.preflight.load import PreflightFacts, Subject, plain
from service.knowledge.preflight.simulate import SimulatedState, Simulation, simulate
from service.knowledge.preflight.structure import structure
from service.knowledge.preflight.wiring import wiring


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphValidation:
    """Whether a graph can be run, by the catalogue alone. A preflight looks at more."""

    valid: Annotated[bool, "Whether nothing must be mended first."]
    graph_hash: Annotated[str, "Hash of the graph."]
    issues: Annotated[tuple[PreflightIssue, ...], "What must be mended, then what to look at."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedModule:
    """A module, in words."""

    module_key: Annotated[str, "The module."]
    module_type: Annotated[str, "Its type."]
    order: Annotated[int | None, "When it would run; null when it never would."]
    says: Annotated[str, "What it does here, from what, and for whom."]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphExplanation:
    """What a graph does, in words that are made from the graph and the catalogue."""

    name: Annotated[str, "What people call it."]
    graph_hash: Annotated[str, "Hash of the graph."]
    modules: Annotated[tuple[ExplainedModule, ...], "Its modules, in the order in which they would run."]
    asks_at: Annotated[tuple[str, ...], "Modules where a person is asked."]
    unasked: Annotated[tuple[str, ...], "Modules that act on the outside world with nobody asked."]

    @property
    def text(self) -> Annotated[str, "The whole, in plain words."]:
        return "\n".join(f"{number}. {one.says}" for number, one in enumerate(self.modules, 1))


class GraphLookups:
    def __init__(self, database: Database) -> None:
        self._facts = PreflightFacts(database)

    async def validate(self, viewer: Viewer, subject: Subject) -> GraphValidation:
        facts = await self._of(viewer, subject)
        return validated_graph(facts)

    async def simulate(
        self, viewer: Viewer, subject: Subject, given: Collection[str] | None, passed: Collection[str]
    ) -> Simulation:
        """`given`: the modules that bring something, of those that begin; `passed`: gates where a person agreed."""
        facts = await self._of(viewer, subject)
        begins = [one.key for one in facts.enabled if one.key in facts.starts and not facts.entering.get(one.key)]
        _check("sampleInputs", given or (), begins)
        _check("passed", passed, [one.key for one in facts.enabled if one.waits])
        return simulate(facts, given, decided=passed)

    async def explain(self, viewer: Viewer, subject: Subject) -> GraphExplanation:
        facts = await self._of(viewer, subject)
        walk = simulate(facts, decided=[one.key for one in facts.enabled if one.waits])
        ungated = unasked(facts)
        return GraphExplanation(
            name=(facts.raw.get("subject") or NONE).get("name") or "a graph that is not saved",
            graph_hash=facts.raw["graph"]["graph_hash"],
            modules=tuple(
                ExplainedModule(
                    module_key=one.module_key,
                    module_type=facts.modules[one.module_key].type_name,
                    order=one.order,
                    says=_sentence(facts, facts.modules[one.module_key], one.state),
                )
                for one in walk.steps
            ),
            asks_at=tuple(sorted(one.key for one in facts.enabled if one.waits)),
            unasked=tuple(sorted(one.key for one in facts.enabled if one.effects and one.key in ungated)),
        )

    async def _of(self, viewer: Viewer, subject: Subject) -> Facts:
        return facts_of(plain(await self._facts.shape(viewer, subject)))


def validated_graph(facts: Facts) -> GraphValidation:
    """By the shape of the graph alone: the same facts give the same."""
    found = [*structure(facts), *wiring(facts)]
    found.sort(key=lambda one: one.severity is not IssueSeverity.blocking)
    blocked = any(one.severity is IssueSeverity.blocking for one in found)
    return GraphValidation(valid=not blocked, graph_hash=facts.raw["graph"]["graph_hash"], issues=tuple(found))


def _check(field: str, given: Collection[str], known: Sequence[str]) -> None:
    for one in given:
        if one not in known:
            raise SampleUnknown(field, one, known)


def _sentence(facts: Facts, module: ModuleFacts, state: SimulatedState) -> str:
    if not module.enabled:
        return f"{module.key} ({module.type_name}) is switched off."
    told = module.told.get("purpose") or (module.type.told.get("purpose") if module.type else None)
    parts = [f"{module.key} ({module.type_name})", *(_clauses(facts, module, state))]
    return f"{', '.join(parts)}." + (f" {told}" if told else "")


def _clauses(facts: Facts, module: ModuleFacts, state: SimulatedState) -> Iterator[str]:
    if module.family in STARTING and not facts.entering.get(module.key):
        yield "where it begins"
    if module.passive:
        yield "which holds for all modules"
    if entering := facts.entering.get(module.key, ()):
        yield f"takes {_ends(entering, incoming=True)}"
    if leaving := facts.leaving.get(module.key, ()):
        yield f"gives {_ends(leaving, incoming=False)}"
    if module.waits:
        yield "waits for a person"
    if module.effects:
        yield f"acts on the outside world ({', '.join(sorted(module.effects))})"
    if state is SimulatedState.not_reached:
        yield "is never reached"


def _ends(cables: Sequence[Cable], *, incoming: bool) -> str:
    told: list[str] = []
    for one in cables:
        port, other = (one.to_port, one.tail.key) if incoming else (one.from_port, one.head.key)
        told.append(f"{port or 'what comes'} {'from' if incoming else 'to'} {other}")
    return " and ".join(dict.fromkeys(told))
