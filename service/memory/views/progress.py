"""How far a run has come through its graph, and where it is now."""

from dataclasses import dataclass
from typing import Annotated

from service.memory.views.evidence import Evidence, cut_in_brief, evidence, graph_missing, steps_missing
from service.memory.views.facts import Activation
from service.memory.views.header import StepCount, step_counts
from service.memory.views.index import RunIndex, once
from service.memory.views.status import active, next_modules
from service.views import Id

LONGEST_PATH = 50
COMPLETED = 20
"""Steps that are told as done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivePath:
    """How a run came to a step that is at work."""

    activation_id: Annotated[Id, "Id of the activation at its end."]
    steps: Annotated[tuple[str, ...], "The steps from the first to this one, by the reported flow."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """Active, finished, waiting and coming steps of a run."""

    steps: Annotated[tuple[StepCount, ...], "Activations by where they stand."]
    known_steps: Annotated[int, "Activations that are known. More may come."]
    ended_steps: Annotated[int, "Activations that came to an end."]
    active: Annotated[tuple[str, ...], "Steps that run now."]
    waiting: Annotated[tuple[str, ...], "Steps that wait now."]
    completed: Annotated[
        tuple[str, ...], f"Steps that did their work: the last {COMPLETED} of them, by when they began."
    ]
    active_paths: Annotated[tuple[ActivePath, ...], "How the run came to each step that runs or waits."]
    graph_id: Annotated[Id | None, "Id of the saved graph that it goes through, when that is known here."]
    graph_modules: Annotated[int | None, "Modules of that graph, without those that are switched off."]
    begun_modules: Annotated[int | None, "How many of them have begun."]
    next_modules: Annotated[tuple[str, ...], "Modules that come next by the saved graph."]
    not_begun: Annotated[tuple[str, ...], "Modules of the saved graph that have not begun, in its order."]
    evidence: Annotated[Evidence, "What this rests on."]


@once
def progress(index: RunIndex) -> RunProgress:
    at_work = active(index)
    modules = index.flow.in_order() if index.flow else None
    return RunProgress(
        steps=step_counts(index),
        known_steps=index.tally.total,
        ended_steps=index.tally.ended,
        active=tuple(index.label(one) for one in at_work if one.status == "running"),
        waiting=tuple(index.label(one) for one in at_work if one.status == "waiting"),
        completed=_completed(index),
        active_paths=tuple(ActivePath(activation_id=one.id, steps=_path(index, one)) for one in at_work),
        graph_id=index.flow.graph.id if index.flow else None,
        graph_modules=None if modules is None else len(modules),
        begun_modules=None if modules is None else sum(one.begun for one in modules),
        next_modules=tuple(one.name for one in next_modules(index)),
        not_begun=tuple(one.name for one in modules or () if not one.begun),
        evidence=evidence(
            index, ("activations",), steps_missing(index), graph_missing(index), cut_in_brief(index, "at_work")
        ),
    )


def _completed(index: RunIndex) -> tuple[str, ...]:
    done = [one for one in index.facts.activations if one.status == "success"]
    last = sorted(done, key=lambda one: (one.completed_at or "", one.place))[-COMPLETED:]
    return tuple(index.label(one) for one in sorted(last, key=lambda one: one.place))


def _path(index: RunIndex, step: Activation) -> tuple[str, ...]:
    """Back along the first cause of each step. A circle ends where it closes."""
    path = [step]
    seen = {step.id}
    while len(path) < LONGEST_PATH:
        before = index.before.get(path[-1].id)
        if not before or before[0].id in seen:
            break
        path.append(before[0])
        seen.add(before[0].id)
    return tuple(index.label(one) for one in reversed(path))
