"""Cases of a replay: one recorded decision in three lanes, and what the change would have done to it. Pure.

The first lane is what was recorded. The second is what today's rules say of the facts of then, the third what they say
with the change. Where the first two differ that is drift, and nothing that the change brings about.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from graph_schema.learning.proposal_words import CaseKind, CaseResult, CaseVerdict
from service.access.audience import Access


@dataclass(frozen=True, slots=True)
class Lane:
    """What comes out: `key` is compared, `said` is read. `right`: by what people did then, where they did something."""

    key: Hashable
    said: str
    right: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A recorded decision. Without `today` and `candidate` it could not be replayed, and `why` says why."""

    kind: CaseKind
    id: str
    name: str
    at: str
    access: Access
    """Who may see the decision."""
    recorded: Lane
    today: Lane | None = None
    candidate: Lane | None = None
    control: Lane | None = None
    why: str = ""
    judged_by: str | None = None

    @property
    def result(self) -> CaseResult:
        return _result(self.today, self.candidate)

    @property
    def control_result(self) -> CaseResult:
        return _result(self.today, self.control)

    @property
    def drift(self) -> bool:
        return self.today is not None and self.today.key != self.recorded.key

    @property
    def verdict(self) -> CaseVerdict:
        if self.recorded.right is None:
            return CaseVerdict.unknown
        return CaseVerdict.right if self.recorded.right else CaseVerdict.wrong


UNREADABLE = Lane(("unreadable",), "What is kept of it cannot be read.")
"""Of a decision that was kept in words that are no longer known."""


def _result(before: Lane | None, after: Lane | None) -> CaseResult:
    if before is None or after is None:
        return CaseResult.could_not_be_replayed
    if before.key == after.key:
        return CaseResult.same
    if before.right is False and after.right:
        return CaseResult.repaired
    if before.right and after.right is False:
        return CaseResult.regressed
    return CaseResult.changed


@dataclass(frozen=True, slots=True)
class Count:
    """How many cases came out how, with the change and with the same change of something else."""

    results: Counter[CaseResult]
    control: Counter[CaseResult]
    drifted: int
    looked_at: int


def count(cases: Sequence[Case]) -> Count:
    controlled = [one for one in cases if one.control is not None]
    return Count(
        Counter(one.result for one in cases),
        Counter(one.control_result for one in controlled),
        sum(one.drift for one in cases),
        len(cases),
    )


def told(found: Count, *, truncated: bool, beside: str = "") -> str:
    """What came of a replay, in sentences."""
    if not found.looked_at:
        return f"Nothing that was recorded would have been touched by it.{beside}"
    past = _times(found.looked_at, "recorded decision")
    said = [f"Of {past} that it would have touched, {_listed(found.results, found.looked_at)}."]
    said.append(_controlled(found.control))
    if found.drifted:
        said.append(f"{found.drifted:,} come out otherwise today without it: that is drift, not its doing.")
    if truncated:
        said.append("There are more that were not looked at.")
    return " ".join(said) + beside


def _controlled(control: Counter[CaseResult]) -> str:
    """What any such change would do: what the change does beyond that is its own doing."""
    tried = sum(control.values())
    if not tried:
        return "No case has anything else that the same change could be made of: there is no control."
    repaired, spoiled = control[CaseResult.repaired], control[CaseResult.regressed]
    return f"The same change of something else, tried on {tried:,}, repairs {repaired:,} and spoils {spoiled:,}."


_WORDS = {
    CaseResult.repaired: "would be repaired",
    CaseResult.regressed: "would get worse",
    CaseResult.changed: "would come out otherwise",
    CaseResult.same: "would come out the same",
    CaseResult.could_not_be_replayed: "could not be replayed",
}


def _listed(results: Counter[CaseResult], total: int) -> str:
    parts = [f"{results[one]:,} {word}" for one, word in _WORDS.items() if results[one]]
    return ", ".join(parts) if parts else f"{total:,} were looked at"


def _times(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
