"""What a request calls by name: all of a name or a part of it, misspelt or not, and whether it is meant as a name.

`contract review` is a phrase of ordinary speech as well. A name counts as called when it is written as one, in quotes
or with its capitals, or when a word for a task stands beside it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from service.routing.evidence.scene import CalledBy, Target
from service.routing.words import Said, Words
from service.routing.words.said import line_of
from service.words import STOP_WORDS, stem

LEAST_SHARE = 0.5
_MOST_BETWEEN = 1
_ONE_SLIP, _TWO_SLIPS = 4, 8
"""A word of so many letters may have one letter wrong, or two."""

_RUNNABLE = frozenset(["Task", "Template", "Preset"])
_TASK_WORDS = frozenset(["task", "tasks", "workflow", "template", "run", "runs", "automation", "job", "saved"])


@dataclass(frozen=True, slots=True)
class Name:
    """A record that may be meant, and what it is called: its own name first, then others that people use for it.

    `phrases` are what was taught to mean it.
    """

    id: str
    kind: str
    names: tuple[str, ...]
    recurring: bool = False
    phrases: tuple[str, ...] = ()
    task_name: str = ""
    started_at: str | None = None
    going_on: bool = False

    def called(self) -> Iterator[tuple[str, CalledBy]]:
        for place, one in enumerate(self.names):
            yield one, CalledBy.alias if place else CalledBy.own_name
        yield from ((one, CalledBy.phrase) for one in self.phrases)


class _Spoken:
    """The words of a request, and where among them a word of a name stands, in another form or with a slip."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self._places: dict[str, frozenset[int]] = {}

    def places(self, word: str) -> frozenset[int]:
        """Looked for once: names that an index proposes for the same request share most of their words."""
        found = self._places.get(word)
        if found is None:
            found = self._places[word] = frozenset(at for at, one in enumerate(self.words) if same(one, word))
        return found


def called(said: Said, known: Iterable[Name], words: Words) -> list[Target]:
    """The records whose names stand in the request, best first. Of one that stands within another, the longer."""
    spoken = _Spoken(said.spoken)
    found = [target for name in known for target in _places(said, spoken, name, words)]
    return sorted(
        _outermost(found), key=lambda one: (-one.whole, -one.pointed, -one.share, one.misspelt, one.name, one.id)
    )


def _places(said: Said, spoken: _Spoken, name: Name, words: Words) -> Iterator[Target]:
    best: Target | None = None
    for one, by in name.called():
        target = _place(spoken, name, one)
        least = LEAST_SHARE if by is CalledBy.own_name else 1.0
        if target and target.share >= least and (best is None or target.share > best.share):
            pointed = _pointed(said, spoken.words, one, target, words)
            best = replace(target, by=by, pointed=pointed, bare=_bare(spoken.words, target, words))
    if best and (best.whole or (best.pointed and not _only_verb(spoken.words, best, words))):
        yield best


def _bare(spoken: Sequence[str], target: Target, words: Words) -> bool:
    return bool(words.find("article", f" {' '.join(spoken[max(0, target.begins - 3) : target.begins])} "))


def _only_verb(spoken: Sequence[str], target: Target, words: Words) -> bool:
    """Whether all that stands of a name is what is to be done: `review my tasks` calls no task by a part of it."""
    standing = spoken[target.begins : target.ends]
    before = f" {' '.join(spoken[max(0, target.begins - 2) : target.begins])} "
    return all(words.find("command_verb", f" {one} ") for one in standing) and not words.find("before_name", before)


@lru_cache(maxsize=8_192)
def _distinctive(called_: str) -> tuple[str, ...]:
    """The words of a name by which it is told from others."""
    words = line_of(called_).split()
    wanted = [word for word in words if word not in STOP_WORDS] or words
    return tuple([word for word in wanted if word not in _TASK_WORDS] or wanted)


def _place(spoken: _Spoken, name: Name, called_: str) -> Target | None:
    distinctive = _distinctive(called_)
    standing = [(word, spoken.places(word)) for word in distinctive]
    best: tuple[float, int, int, bool] | None = None
    closest = (0.0, 0, 0)
    for start in sorted(frozenset[int]().union(*(places for _, places in standing))):  # it begins with one of its words
        share, end, slips = _from(spoken.words, start, standing)
        # Of two places with as much of the name the tighter is meant: `the call sheet of the Rehearsal Call Sheet`.
        exact = sum(word in distinctive for word in spoken.words[start:end])
        if share and (best is None or (share, start - end, exact) > closest):
            best, closest = (share, start, end, slips), (share, start - end, exact)
    if best is None:
        return None
    share, start, end, slips = best
    return Target(
        id=name.id,
        kind=name.kind,
        name=name.names[0],
        whole=share >= 1,
        size=round(share * len(distinctive)),
        share=share,
        misspelt=slips,
        begins=start,
        ends=end,
        words=" ".join(spoken.words[start:end]),
        recurring=name.recurring,
        task_name=name.task_name,
        started_at=name.started_at,
        going_on=name.going_on,
    )


def _from(spoken: Sequence[str], start: int, wanted: Sequence[tuple[str, frozenset[int]]]) -> tuple[float, int, bool]:
    """How much of a name stands from here on, in any order, with few other words between."""
    left, end, slips, between = list(wanted), start, False, 0
    for place in range(start, len(spoken)):
        word = spoken[place]
        hit = next((one for one in left if place in one[1]), None)
        if hit is None:
            between += word not in STOP_WORDS
            if place == start or between > _MOST_BETWEEN:
                break
            continue
        left.remove(hit)
        slips |= stem(word) != stem(hit[0])
        end = place + 1
        if not left:
            break
    return (len(wanted) - len(left)) / len(wanted), end, slips


def _pointed(said: Said, spoken: Sequence[str], called_: str, target: Target, words: Words) -> bool:
    """Whether it is written as a name, or a word for a task stands beside it."""
    before = spoken[max(0, target.begins - 2) : target.begins]
    after = spoken[target.ends : target.ends + 2]
    beside = f" {' '.join([*before, *after])} "
    if words.find("task_beside", beside):
        return True
    written = re.escape(called_).replace(r"\ ", r"[\s_-]+")
    return (
        target.whole
        and called_ != called_.lower()
        and bool(re.search(rf"(?<!\A)(?<![.!?]\s){written}|[\"“']{written}", said.instruction))
        and " " in called_
    )


def _outermost(found: Sequence[Target]) -> list[Target]:
    """Without what stands inside a longer name that is whole: `complaint evaluation` is not `evaluation`.

    The name of a run hides no task: it often has that of its task in it.
    """
    whole = [one for one in found if one.whole]
    return [
        one
        for one in found
        if not any(
            other.id != one.id
            and (other.kind in _RUNNABLE or one.kind not in _RUNNABLE)
            and other.begins <= one.begins
            and one.ends <= other.ends
            and other.ends - other.begins > one.ends - one.begins
            for other in whole
        )
    ]


@lru_cache(maxsize=65_536)
def same(said_: str, word: str) -> bool:
    """Whether a word is the other, in another form or with a slip."""
    if said_ == word or stem(said_) == stem(word):
        return True
    allowed = min(slips_allowed(said_), slips_allowed(word))
    if not allowed or said_[0] != word[0] or abs(len(said_) - len(word)) > allowed:
        return False
    return slips(said_, word) <= allowed


def slips_allowed(word: str) -> int:
    """How many letters of a word may be wrong. Numbers are right or others."""
    if len(word) < _ONE_SLIP or not word.isalpha():
        return 0
    return 2 if len(word) >= _TWO_SLIPS else 1


def slips(one: str, other: str) -> int:
    """Letters left out, put in, changed or swapped between two words."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        earlier, before, row = before, row, [i, *[0] * len(other)]
        for j, b in enumerate(other, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                row[j] = min(row[j], earlier[j - 2] + 1)
    return row[-1]
