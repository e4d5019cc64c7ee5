"""Assets beside one another: which are nearly the same, and what tells those apart that are offered together."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from service.matching.answer import MatchCandidate, MatchCopy
from service.matching.assets import Asset
from service.words import spoken

SAME_COSINE = 0.01
SAME_WORDS = 0.05
MOST_TOLD = 3

_COPY = re.compile(r"(?: copy(?: \d+)?)+$|^copy of ")
Facts: TypeAlias = Mapping[str, Callable[[Asset], Iterable[str]]]
_FACTS: Facts = {
    "needs": lambda one: one.requires,
    "makes": lambda one: (*(one.expected_outputs or ()), *one.output_archetypes),
    "takes": lambda one: one.expected_inputs or (),
    "is for": lambda one: one.task_types,
    "has the side effect": lambda one: one.side_effects,
    "has the step": lambda one: one.steps,
}
_OTHERWISE: Facts = {
    "is asked for as": lambda one: [f"“{one.nearest_phrase}”"] if one.nearest_phrase else (),
    "was used": lambda one: [f"{one.usage_count} times lately"] if one.usage_count else (),
}


def folded(ranked: Sequence[MatchCandidate]) -> list[tuple[MatchCandidate, tuple[MatchCandidate, ...]]]:
    """Each asset with those behind it that are nearly the same: called so, as near, and with the same contracts."""
    found: list[tuple[MatchCandidate, list[MatchCandidate]]] = []
    for one in ranked:
        first = next((copies for best, copies in found if _alike(best.asset, one.asset)), None)
        if first is None:
            found.append((one, []))
        else:
            first.append(one)
    return [(best, tuple(copies)) for best, copies in found]


def copies_of(several: Iterable[MatchCandidate]) -> tuple[MatchCopy, ...]:
    return tuple(MatchCopy(id=one.id, name=one.name, version=one.version) for one in several)


def apart(chosen: Sequence[MatchCandidate]) -> list[tuple[str, ...]]:
    """For each of those that are offered, what it has and not all of the others have.

    Where their contracts tell none of them apart: what people say for it, and how often it was used.
    """
    told = _told(chosen, _FACTS)
    return told if any(told) else _told(chosen, _OTHERWISE)


def _told(chosen: Sequence[MatchCandidate], known: Facts) -> list[tuple[str, ...]]:
    shared = {what: _shared([facts(one.asset) for one in chosen]) for what, facts in known.items()}
    return [tuple(_own(one.asset, known, shared))[:MOST_TOLD] for one in chosen]


def _own(asset: Asset, known: Facts, shared: Mapping[str, frozenset[str]]) -> Iterator[str]:
    for what, facts in known.items():
        own = [one for one in dict.fromkeys(facts(asset)) if spoken(one) not in shared[what]]
        if own:
            yield f"{what} {', '.join(own[:MOST_TOLD])}"


def _shared(several: Sequence[Iterable[str]]) -> frozenset[str]:
    sets = [frozenset(spoken(one) for one in each) for each in several]
    return sets[0].intersection(*sets[1:]) if sets else frozenset()


def _alike(one: Asset, other: Asset) -> bool:
    return (
        _title(one.name) == _title(other.name)
        and _near(one.likeness.cosine, other.likeness.cosine, SAME_COSINE)
        and _near(one.likeness.nearest, other.likeness.nearest, SAME_COSINE)
        and _near(one.likeness.lexical, other.likeness.lexical, SAME_WORDS)
        and all({*map(spoken, facts(one))} == {*map(spoken, facts(other))} for facts in _FACTS.values())
    )


@lru_cache(maxsize=8_192)
def _title(name: str) -> str:
    """`Weekly report (copy 2)` is a weekly report."""
    words = spoken(name)
    return _COPY.sub("", words) or words


def _near(one: float | None, other: float | None, most: float) -> bool:
    return one == other if one is None or other is None else abs(one - other) <= most
