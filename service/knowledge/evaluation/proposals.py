"""What is scored: what an agent proposed for an example, or what the pack itself teaches for it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from graph_schema.knowledge.words import PreflightStatus
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.memory.words import IntakeLevel
from graph_schema.routing.decision_words import ExecutionMode
from service.knowledge.preflight.facts import Facts, facts_of
from service.library.graphs import CableInput, GraphInput, ModuleInput, canonical, graph_hash

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalProposal:
    """What an agent did with the request of an example."""

    example: str
    mode: ExecutionMode | None = None
    entrypoint: Entrypoint | None = None
    template: str | None = None
    graph: GraphInput | None = None
    capabilities: Sequence[str] = ()
    artifact_level: IntakeLevel | None = None
    questions: Sequence[str] = ()
    explanation: str = ""
    preflight_graph_hash: str | None = None
    preflight_status: PreflightStatus | None = None
    context_tokens: int | None = None
    degraded_reasons: Sequence[str] = ()

    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Scored:
    """A proposal with the facts that scorers ask for."""

    told: EvalProposal
    types: Sequence[Row] = field(default=())

    @cached_property
    def facts(self) -> Facts | None:
        if self.told.graph is None:
            return None
        graph = canonical(self.told.graph)
        return facts_of({"types": self.types, "graph": {**asdict(graph), "graph_hash": graph_hash(graph)}})


def read_proposal(told: Row) -> EvalProposal:
    """One that was kept, as it was."""
    graph = told.get("graph")
    held = dict(told)
    held["graph"] = _graph(graph) if graph else None
    for name, words in (
        ("mode", ExecutionMode),
        ("entrypoint", Entrypoint),
        ("artifact_level", IntakeLevel),
        ("preflight_status", PreflightStatus),
    ):
        held[name] = words(told[name]) if told.get(name) else None
    return EvalProposal(**held)


def _graph(told: Row) -> GraphInput:
    modules = [ModuleInput(**one) for one in told["modules"]]
    return GraphInput(modules, [CableInput(**one) for one in told["cables"]], told.get("settings"), told.get("extra"))
