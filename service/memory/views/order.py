"""The order of the steps of a run: cause before effect, with each branch and each loop kept together."""

from collections import deque
from collections.abc import Iterable
from itertools import pairwise

from service.memory.views.facts import Activation

_LATE = "~"
"""After every time."""

LONGEST_ROUND = 200
"""Steps of one round of a loop. The rounds of a larger one are known only if they are reported."""


def in_order(activations: Iterable[Activation]) -> list[Activation]:
    """Follows each branch to its end before the next one begins. Does not depend on the order that is given.

    Flow that was reported comes first; a further activation of the same module follows the one before it. A circle is
    entered where it began.
    """
    steps = sorted(activations, key=begun)
    places = {step.id: place for place, step in enumerate(steps)}
    followers = _followers(steps, places)
    waiting_for = [0] * len(steps)
    for after in followers:
        for place in after:
            waiting_for[place] += 1
    found: list[Activation] = []
    done = [False] * len(steps)
    ready = [place for place in reversed(range(len(steps))) if not waiting_for[place]]
    earliest = 0
    while len(found) < len(steps):
        if not ready:
            earliest = next(place for place in range(earliest, len(steps)) if not done[place])
            ready.append(earliest)
        place = ready.pop()
        if done[place]:
            continue
        done[place] = True
        found.append(steps[place])
        for after in reversed(followers[place]):
            waiting_for[after] -= 1
            if not waiting_for[after] and not done[after]:
                ready.append(after)
    return found


def begun(step: Activation) -> tuple[str, str, int]:
    return (step.started_at or step.waiting_since or step.completed_at or _LATE, step.module_key, step.activation_seq)


def _followers(steps: list[Activation], places: dict[str, int]) -> list[list[int]]:
    """Where the followers of each step stand, those that it set going before the next round of its module."""
    found = [
        sorted({places[one] for one in step.triggered if one in places} - {place}) for place, step in enumerate(steps)
    ]
    rounds: dict[str, list[Activation]] = {}
    for step in sorted(steps, key=lambda one: one.activation_seq):
        rounds.setdefault(step.module_key, []).append(step)
    for turns in rounds.values():
        for former, later in pairwise(turns):
            after = found[places[former.id]]
            if places[later.id] not in after:
                after.append(places[later.id])
    return found


def loop_rounds(activations: Iterable[Activation]) -> dict[str, int]:
    """Which round of its loop each step is, by id: as reported, else as the flow shows.

    A module that runs again because of what it set going is in a loop; one that several others, or one other several
    times, set going is not.
    """
    steps = {step.id: step for step in activations}
    modules: dict[str, list[Activation]] = {}
    for step in steps.values():
        modules.setdefault(step.module_key, []).append(step)
    found: dict[str, int] = {}
    for turns in modules.values():
        turns.sort(key=lambda one: one.activation_seq)
        count = 1
        for former, later in pairwise(turns):
            if _leads_to(steps, former, later.id):
                found.setdefault(former.id, count)
                count += 1
                found[later.id] = count
    reported = {step.id: step.loop_iteration for step in steps.values() if step.loop_iteration is not None}
    return {**found, **reported}


def _leads_to(steps: dict[str, Activation], start: Activation, goal: str) -> bool:
    """Whether a step set another one going, through no more steps than a loop may have."""
    seen: set[str] = set()
    waiting = deque(start.triggered)
    while waiting and len(seen) < LONGEST_ROUND:
        one = waiting.popleft()
        if one == goal:
            return True
        if one in steps and one not in seen:
            seen.add(one)
            waiting.extend(steps[one].triggered)
    return False
