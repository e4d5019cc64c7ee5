"""What a decision rests on: the evidence, what it names, and what matching, directives and feedback know."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from graph_schema.routing.words import InvocationPolicy as Policy
from service.matching.answer import MatchAnswer
from service.matching.request import MatchRequest
from service.routing.evidence.kinds import FORMAL, RECURS, ModeEvidence
from service.routing.evidence.kinds import EvidenceKind as Kind
from service.routing.evidence.scene import Target

RUNNABLE = ("Task", "Template")


@dataclass(frozen=True, slots=True)
class Compared:
    """What was asked of matching, and what it answered."""

    request: MatchRequest
    answer: MatchAnswer


@dataclass(frozen=True, slots=True)
class TaughtPhrase:
    """A directive that holds because its phrase was said: what it asks for, and the kinds of what it leads to."""

    policy: Policy
    targets: tuple[str, ...] = ()
    id: str = ""


@dataclass(frozen=True, slots=True)
class CalledBecause:
    """What stands only because a directive taught what a phrase means: targets by their ids, and what calls them."""

    targets: frozenset[str]
    evidence: frozenset[ModeEvidence]


@dataclass(frozen=True)
class Grounds:
    evidence: tuple[ModeEvidence, ...]
    targets: Sequence[Target] = ()
    work_open: bool = False
    task_open: bool = False
    template: float = 0.0
    """How surely a template fits; 0 when none does."""
    policy: Policy | None = None
    """What a phrase that was taught asks for."""
    directed: Sequence[Target] = ()
    """What the directive behind it leads to."""
    phrases: Sequence[TaughtPhrase] = ()
    """All that were taught and said, the one that counts first."""
    compared: Compared | None = None
    """The comparison with templates, where there was one."""
    contested: bool = False
    """Whether runs of several tasks are meant equally by a question about one."""
    because: Mapping[str, CalledBecause] = field(default_factory=dict[str, CalledBecause])
    """By the id of a directive, what would not stand without it."""

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(one.kind for one in self.evidence)

    def has(self, *kinds: Kind) -> bool:
        return any(kind in self.kinds for kind in kinds)

    def has_all(self, *kinds: Kind) -> bool:
        return all(kind in self.kinds for kind in kinds)

    def of(self, *kinds: Kind) -> tuple[ModeEvidence, ...]:
        return tuple(one for one in self.evidence if one.kind in kinds)

    @cached_property
    def recurs(self) -> bool:
        return bool(self.kinds & RECURS)

    @cached_property
    def formal(self) -> int:
        """How many kinds of evidence there are that a process would be worth it."""
        return len(self.kinds & FORMAL)

    @cached_property
    def meant(self) -> tuple[Target, ...]:
        """The tasks and templates that are called as such: all that are called equally well, one when it is clear."""
        return best(one for one in self.targets if one.kind in RUNNABLE)


def best(found: Iterable[Target]) -> tuple[Target, ...]:
    """Those that nothing beats. A task and the template that it was made from do not contest each other."""
    ranked = sorted(found, key=lambda one: (-one.whole, -one.share, one.misspelt))
    if not ranked:
        return ()
    first = ranked[0]
    equal = [one for one in ranked if (one.whole, round(one.share, 3)) == (first.whole, round(first.share, 3))]
    if first.whole:
        longest = max(one.size for one in equal)
        equal = [one for one in equal if one.size == longest]
    names = {one.name.casefold() for one in equal}
    return tuple(equal[:1]) if len(names) == 1 else tuple(equal)
