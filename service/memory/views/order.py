"""The order of the steps of a run: cause before effect, with each branch and each loop kept together."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

from service.memory.places import LATE

LONGEST_ROUND = 200
"""Steps of one round of a loop. The rounds of a larger one are known only if they are reported."""

Cables = Mapping[str, Sequence[str]]
"""Which modules each leads to in the saved graph, by their keys."""


class Placed(Protocol):
    """A step, as far as its order goes."""

    @property
    def id(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def module_key(self) -> str: ...
    @property
    def activation_seq(self) -> int: ...
    @property
    def loop_iteration(self) -> int | None: ...
    @property
    def triggered(self) -> Sequence[str]: ...


S = TypeVar("S", bound=Placed)


def in_order(activations: Iterable[S], cables: Cables | None = None) -> list[S]:
    """Follows each branch to its end before the next one begins. Does not depend on the order that is given.

    Flow that was reported comes first; of a step of which nobody said what set it going, the cables of the saved graph
    say it; a further activation of the same module follows the one before it. A circle is entered where it began.
    """
    steps = sorted(activations, key=lambda one: one.place)
    places = {step.id: place for place, step in enumerate(steps)}
    followers = _followers(steps, places, cables or {})
    waiting_for = [0] * len(steps)
    for after in followers:
        for place in after:
            waiting_for[place] += 1
    found: list[S] = []
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


def _followers(steps: Sequence[Placed], places: dict[str, int], cables: Cables) -> list[list[int]]:
    """Where the followers of each step stand, those that it set going before the next round of its module."""
    after = [{places[one] for one in step.triggered if one in places} - {place} for place, step in enumerate(steps)]
    for cause, effect in _by_cables(steps, set[int]().union(*after), cables):
        after[cause].add(effect)
    found = [sorted(one) for one in after]
    rounds: dict[str, list[Placed]] = {}
    for step in sorted(steps, key=lambda one: one.activation_seq):
        rounds.setdefault(step.module_key, []).append(step)
    for turns in rounds.values():
        for former, later in pairwise(turns):
            following = found[places[former.id]]
            if places[later.id] not in following:
                following.append(places[later.id])
    return found


def _by_cables(steps: Sequence[Placed], caused: set[int], cables: Cables) -> list[tuple[int, int]]:
    """What set going the steps of which nobody says it: the last step before them of each module that leads there."""
    before: dict[str, list[str]] = {}
    for tail, heads in cables.items():
        for head in heads:
            before.setdefault(head, []).append(tail)
    last = {step.module_key: place for place, step in enumerate(steps)} if before else {}
    latest: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    for place, step in enumerate(steps if before else ()):
        known = last if step.place.startswith(LATE) else latest
        if place not in caused:
            causes = (known[one] for one in before.get(step.module_key, ()) if one in known)
            found += [(cause, place) for cause in causes if cause != place]
        latest[step.module_key] = place
    return found


def loop_rounds(activations: Iterable[Placed], *, from_the_start: bool = True) -> dict[str, int]:
    """Which round of its loop each step is, by id: as reported, else as the flow shows.

    A module that runs again because of what it set going is in a loop; one that several others, or one other several
    times, set going is not. Where the steps are not those from the start of the run, rounds go on from the number of
    the first activation that is there.
    """
    steps = {step.id: step for step in activations}
    modules: dict[str, list[Placed]] = {}
    for step in steps.values():
        modules.setdefault(step.module_key, []).append(step)
    found: dict[str, int] = {}
    for turns in modules.values():
        turns.sort(key=lambda one: one.activation_seq)
        count = 1 if from_the_start else turns[0].activation_seq
        for former, later in pairwise(turns):
            if _leads_to(steps, former, later.id):
                found.setdefault(former.id, count)
                count += 1
                found[later.id] = count
    reported = {step.id: step.loop_iteration for step in steps.values() if step.loop_iteration is not None}
    return {**found, **reported}


def _leads_to(steps: Mapping[str, Placed], start: Placed, goal: str) -> bool:
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
