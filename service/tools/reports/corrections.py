"""Which asks are corrections: the same asked for again, within minutes, with nothing else between. Pure.

No text is looked at. Of another ask only those take part that everybody may see who sees the later one: so nothing that
somebody may not see changes what they are told.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from service.access.audience import Access
from service.tools.limits import ReaskLimits

RULES = "reask-v1"


@dataclass(frozen=True, slots=True)
class Asked:
    """An ask as the rule sees it. Those of one moment are ordered by their names, not by when they came in."""

    id: str
    key: str
    session: str
    at: datetime
    pattern: frozenset[str]
    shape: str | None
    top_level: bool
    access: Access
    phrases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """A later ask that corrects an earlier one, with the facts that make it one."""

    later: Asked
    earlier: Asked
    likeness: float
    by_phrase: tuple[str, ...] = ()

    @property
    def seconds(self) -> int:
        return int((self.later.at - self.earlier.at).total_seconds())


def corrections(asks: Iterable[Asked], limits: ReaskLimits) -> dict[str, Correction]:
    """By the id of the later ask. The same asks, in whatever order, give the same."""
    found: dict[str, Correction] = {}
    sessions: dict[str, list[Asked]] = {}
    for one in sorted(asks, key=lambda one: (one.at, one.key)):
        before = sessions.setdefault(one.session, [])
        if one.top_level:
            correction = _corrected(one, before, limits)
            if correction is not None:
                found[one.id] = correction
            before.append(one)
    return found


def _corrected(later: Asked, before: Sequence[Asked], limits: ReaskLimits) -> Correction | None:
    for earlier in reversed(before):
        if later.at - earlier.at > limits.window:
            return None
        if not later.access.covers(earlier.access):
            continue
        if earlier.shape != later.shape:
            return None  # the user went on to something else between
        likeness = jaccard(earlier.pattern, later.pattern)
        said = later.phrases if limits.phrases else ()
        if likeness >= limits.likeness or said:
            return Correction(later, earlier, likeness, said)
    return None


def jaccard(ones: frozenset[str], others: frozenset[str]) -> float:
    """What two sets share of all that they hold. Of two empty ones nothing is known."""
    both = ones | others
    return round(len(ones & others) / len(both), 4) if both else 0.0
