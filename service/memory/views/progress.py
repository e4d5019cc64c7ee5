"""How far a run has come through its graph, and where it is now."""

from dataclasses import dataclass
from typing import Annotated

from service.memory.views.evidence import Evidence, evidence, graph_missing, steps_missing
from service.memory.views.facts import Activation
from service.memory.views.header import StepCount, step_counts
from service.memory.views.index import RunIndex, once
from service.memory.views.status import active
from service.views import Id

LONGEST_PATH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivePath:
    """How a run came to a step that is at work."""

    activation_id: Annotated[Id, "Id of the activation at its end."]
    steps: Annotated[tuple[str, ...], "The steps from the first to this one, by the reported flow."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """Active, finished, waiting and coming steps of a run."""

    steps: Annotated[tuple[StepCount, ...], "Activations by where they stand."]
    known_steps: Annotated[int, "Activations that are known. More may come: the graph itself is not reported."]
    ended_steps: Annotated[int, "Activations that came to an end."]
    active: Annotated[tuple[str, ...], "Steps that run now."]
    waiting: Annotated[tuple[str, ...], "Steps that wait now."]
    completed: Annotated[tuple[str, ...], "Steps that did their work."]
    active_paths: Annotated[tuple[ActivePath, ...], "How the run came to each step that runs or waits."]
    evidence: Annotated[Evidence, "What this rests on."]


@once
def progress(index: RunIndex) -> RunProgress:
    at_work = active(index)
    ended = [one for one in index.steps if one.status in {"success", "error", "cancelled", "skipped"}]
    return RunProgress(
        steps=step_counts(index),
        known_steps=len(index.steps),
        ended_steps=len(ended),
        active=tuple(index.label(one) for one in at_work if one.status == "running"),
        waiting=tuple(index.label(one) for one in at_work if one.status == "waiting"),
        completed=tuple(index.label(one) for one in index.steps if one.status == "success"),
        active_paths=tuple(ActivePath(activation_id=one.id, steps=_path(index, one)) for one in at_work),
        evidence=evidence(index, ("activations",), steps_missing(index), graph_missing(index)),
    )


def _path(index: RunIndex, step: Activation) -> tuple[str, ...]:
    """Back along the first cause of each step. A circle ends where it closes."""
    path = [step]
    seen = {step.id}
    while len(path) < LONGEST_PATH:
        before = [one for one in index.before.get(path[-1].id, ()) if one.id not in seen]
        if not before:
            break
        path.append(before[0])
        seen.add(before[0].id)
    return tuple(index.label(one) for one in reversed(path))
