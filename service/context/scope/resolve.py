"""How evidence of a trigger becomes bindings: what ties the event to others, then keys in what it says, then
names, then who it came through, then meaning.

Each step is held against the matters that are settled so far. What fits them is bound. What does not, or could be
either of two, is a candidate: it gives nothing, and the scope says that it is doubtful.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.context.words import Binding, BindingStatus
from service.context.scope.binding import Tie
from service.context.scope.evidence import Match, Matches

Row = Mapping[str, Any]
Frame = frozenset[str]

# Chosen by `tests/bench/calibration/scope.py`, which docs/context-scope.md explains.
BIND_AT = 0.55
CLEAR_BY = 0.1
DOUBT_AT = 0.35
MOST_DOUBTFUL = 5

BY_KEY, BY_NAME, BY_PARTY, AMBIGUOUS = 1.0, 0.95, 0.9, 0.5

_SENTENCES = {
    "key": "The trigger holds its key{}.",
    "name": "The trigger names it{}.",
    "message": "The message is its key{}.",
    "thread": "The email is of its thread{}.",
    "correlation key": "The correlation key is its own{}.",
    "account": "The email came to its account{}.",
    "sender": "The email was sent by it{}.",
    "recipient": "The email was sent to it{}.",
}


@dataclass(frozen=True, slots=True)
class Near:
    """A record that the evidence resembles, and how much."""

    record: Row
    score: float


class Resolving:
    """One trigger's evidence, step by step. `frame` holds the matters that are settled."""

    def __init__(self, frame: Frame, via: Binding, *, quote: bool) -> None:
        self.frame = frame
        self._via = via
        self._quote = quote

    def exact(self, matches: Matches) -> list[Tie]:
        return [
            *self._step(matches.ids, BY_KEY),
            *self._step(matches.keys, BY_KEY),
            *self._step(matches.names, BY_NAME),
            *self._step(matches.parties, BY_PARTY),
        ]

    def near(self, found: Sequence[Near]) -> list[Tie]:
        """What only resembles the evidence: bound when it is strong and nothing else comes close."""
        ranked = sorted(found, key=lambda one: (-one.score, one.record["id"]))
        ties: list[Tie] = []
        for one in ranked:
            clear = one.score >= BIND_AT and not _contested(one, ranked)
            if clear and self._fits(one.record):
                ties.append(self._near(one, BindingStatus.bound))
                self.frame |= _matters(one.record)
            elif one.score >= BIND_AT or (one.score >= DOUBT_AT and self._fits(one.record)):
                ties.append(self._near(one, BindingStatus.candidate))
        bound = [one for one in ties if one.is_bound]
        return [*bound, *[one for one in ties if not one.is_bound][:MOST_DOUBTFUL]]

    def _step(self, found: Sequence[Match], confidence: float) -> list[Tie]:
        chosen = self._chosen(found)
        settled = {_matters(match.record) for match, clear in chosen if clear} - {frozenset[str]()}
        if not self.frame and len(settled) > 1:
            chosen = [(match, clear and not _matters(match.record)) for match, clear in chosen]
        elif not self.frame:
            self.frame = frozenset[str]().union(*settled)
        return [self._tie(match, confidence if clear else None) for match, clear in chosen]

    def _chosen(self, found: Sequence[Match]) -> list[tuple[Match, bool]]:
        """What is meant at each place, with whether that is clear. Where something fits the frame, the rest is not."""
        places: dict[str, list[Match]] = {}
        for one in found:
            places.setdefault(one.place, []).append(one)
        chosen: list[tuple[Match, bool]] = []
        for group in places.values():
            fitting = [one for one in group if self._fits(one.record)]
            meant = fitting or group
            records = [one.record for one in meant]
            chosen += [(one, bool(fitting) and not any(_rivals(one.record, r) for r in records)) for one in meant]
        return chosen

    def _fits(self, record: Row) -> bool:
        return not self.frame or _matters(record) <= self.frame

    def _tie(self, match: Match, confidence: float | None) -> Tie:
        quoted = f": “{match.what}”" if self._quote else ""
        sentence = _SENTENCES[match.by].format(quoted)
        if confidence is not None:
            return Tie(match.record, self._via, sentence, confidence, role=match.role)
        doubt = f"{sentence} It may not be meant: another record fits as well, or it is of another matter."
        return Tie(match.record, self._via, doubt, AMBIGUOUS, BindingStatus.candidate, match.role)

    def _near(self, near: Near, status: BindingStatus) -> Tie:
        bound = status is BindingStatus.bound
        why = f"What the trigger says resembles it with {near.score:.2f}; "
        why += f"{BIND_AT} binds, where nothing else is as close." if bound else "that is not enough to bind it."
        return Tie(near.record, self._via, why, round(min(1.0, near.score), 4), status)


def _contested(near: Near, ranked: Iterable[Near]) -> bool:
    return any(_rivals(near.record, other.record) and other.score > near.score - CLEAR_BY for other in ranked)


def _rivals(one: Row, other: Row) -> bool:
    """Whether one could be meant instead of the other. Different things of one matter do not contest each other."""
    return one["id"] != other["id"] and (one["kind"] == other["kind"] or _matters(one) != _matters(other))


def _matters(record: Row) -> Frame:
    return frozenset(record["matter_ids"])
