"""A dry walk: what would run in which order on sample inputs, where it waits, what is never reached. Nothing runs."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from service.knowledge.preflight.facts import CONTROL, Cable, Facts, ModuleFacts


class SimulatedState(StrEnum):
    """What becomes of a module in a dry walk."""

    runs = "runs"
    waits = "waits"
    not_reached = "not_reached"
    off = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedStep:
    """A module in a dry walk."""

    module_key: Annotated[str, "The module."]
    state: Annotated[SimulatedState, "What becomes of it."]
    order: Annotated[int | None, "When it would run, from 1; those that could run at once have the same."]
    fed_by: Annotated[tuple[str, ...], "Modules that it has its inputs from."]
    lacks: Annotated[tuple[str, ...], "Inputs that never come."]
    effects: Annotated[tuple[str, ...], "What it would do to the outside world."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """A dry walk of a graph."""

    steps: Annotated[tuple[SimulatedStep, ...], "All modules: those that would run in their order, then the others."]
    finished: Annotated[bool, "Whether everything that is switched on is reached."]
    waits_at: Annotated[tuple[str, ...], "Modules where a person is asked."]


def simulate(facts: Facts, given: Collection[str] | None = None, *, decided: Collection[str] = ()) -> Simulation:
    """`given`: the starting modules that bring something; all of them when None. `decided`: gates that a person has
    passed; of the others it is told that the walk waits there."""
    order = _walk(facts, given, decided)
    waiting = tuple(key for key in order if facts.modules[key].waits and key not in decided)
    steps = [_step(facts, one, order, waiting) for one in facts.modules.values()]
    steps.sort(key=lambda one: (one.order is None, one.order or 0, one.module_key))
    reached = all(one.order is not None for one in steps if one.state is not SimulatedState.off)
    return Simulation(steps=tuple(steps), finished=reached and not waiting, waits_at=waiting)


def _walk(facts: Facts, given: Collection[str] | None, decided: Collection[str]) -> dict[str, int]:
    """When each module would run. What a gate that was not passed lets through comes never."""
    order = {one.key: 0 for one in facts.enabled if one.passive}
    working = [one for one in facts.enabled if not one.passive]
    for number in range(1, len(working) + 1):
        begun = {key for key in order if not facts.modules[key].waits or key in decided}
        ready = [one.key for one in working if one.key not in order and _is_ready(facts, one, begun, given)]
        if not ready:
            break
        order |= dict.fromkeys(ready, number)
    return order


def _is_ready(facts: Facts, module: ModuleFacts, begun: set[str], given: Collection[str] | None) -> bool:
    entering = facts.entering.get(module.key, ())
    if not entering:
        return module.key in facts.starts and (given is None or module.key in given)
    if not any(one.tail.key in begun for one in entering):
        return False
    return not [*_lacking(module, entering, begun)]


def _lacking(module: ModuleFacts, entering: tuple[Cable, ...], begun: set[str]) -> Iterator[str]:
    """Required inputs that have not come. A cable without a port may bring any; of a loop the first round is walked."""
    come = [one for one in entering if one.tail.key in begun]
    if module.type is None or any(one.to_port is None for one in come):
        return
    fed = {one.to_port for one in come}
    content = [one for one in come if one.carries not in CONTROL]
    for name, port in module.type.inputs.items():
        if port["required"] and name not in fed:
            yield name
    if not content and any(one.carries not in CONTROL and not module.type.says("bounds_loops") for one in entering):
        missing = {one.to_port for one in entering if one.carries not in CONTROL}
        yield from sorted(str(one) for one in missing - fed)


def _before(order: dict[str, int], cable: Cable, at: int | None) -> bool:
    """What comes round in a later round has not fed the first."""
    return at is None or order[cable.tail.key] < at


def _step(facts: Facts, module: ModuleFacts, order: dict[str, int], waiting: tuple[str, ...]) -> SimulatedStep:
    entering = facts.entering.get(module.key, ())
    begun = {key for key in order if key not in waiting}
    at = order.get(module.key)
    if not module.enabled:
        state = SimulatedState.off
    elif module.passive:
        state, at = SimulatedState.runs, 0
    elif at is None:
        state = SimulatedState.not_reached
    else:
        state = SimulatedState.waits if module.key in waiting else SimulatedState.runs
    return SimulatedStep(
        module_key=module.key,
        state=state,
        order=at,
        fed_by=tuple(sorted({one.tail.key for one in entering if one.tail.key in begun and _before(order, one, at)})),
        lacks=tuple(_lacking(module, entering, begun)) if at is None and module.enabled else (),
        effects=tuple(sorted(module.effects)),
    )
