"""A question about the history of runs: fourteen filters, each of which may be left out."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from service.commands import RecordRef
from service.graph.reads.cursors import Place, decode, encode
from service.graph.reads.errors import LimitExceeded, PagingInvalid
from service.memory.history.errors import RangeEmpty

MOST = 500
DEFAULT = 20
ORDER = "runs:started_at"
"""The newest first. Cursors of another list are refused by this tag."""

EARLIEST = ""
LATEST = "9999-12-31T23:59:59.999Z"


KINDS = {"tasks": "Task", "templates": "Template", "about": "Entity", "capabilities": "Capability"}
"""Filters that name records, with the kind that they name."""


class ArtifactsKept(StrEnum):
    """What became of the artifacts of a run."""

    saved = "saved"
    promoted = "promoted"
    neither = "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFilter:
    """Left out or empty means any. What a list names is enough if one of it fits."""

    tasks: Sequence[RecordRef] = ()
    templates: Sequence[RecordRef] = ()
    about: Sequence[RecordRef] = ()
    statuses: Sequence[str] = ()
    started_from: str | None = None
    started_before: str | None = None
    trigger_kinds: Sequence[str] = ()
    output_kinds: Sequence[str] = ()
    artifacts_kept: ArtifactsKept | None = None
    min_score: float | None = None
    max_score: float | None = None
    failure_codes: Sequence[str] = ()
    capabilities: Sequence[RecordRef] = ()
    min_cost_usd: float | None = None
    max_cost_usd: float | None = None
    with_errors: bool | None = None
    assessed: bool | None = None
    min_quality: float | None = None
    max_quality: float | None = None

    def given(self) -> list[str]:
        """The filters that say something, by the names that callers know."""
        return [name for name, parts in PARTS.items() if any(self._says(part) for part in parts)]

    def only(self, name: str) -> "HistoryFilter":
        """The same with one filter alone."""
        return replace(HistoryFilter(), **{part: getattr(self, part) for part in PARTS[name]})

    def _says(self, part: str) -> bool:
        value = getattr(self, part)
        return value is not None and value != ()

    def check(self) -> None:
        for name, kind in KINDS.items():
            for one in getattr(self, name):
                one.check(f"filter.{name}", kind)
        for lowest, highest in _RANGES.values():
            _check_range(lowest, getattr(self, lowest), highest, getattr(self, highest))


_RANGES = {
    "started": ("started_from", "started_before"),
    "score": ("min_score", "max_score"),
    "cost_usd": ("min_cost_usd", "max_cost_usd"),
    "quality": ("min_quality", "max_quality"),
}
_ENDS = frozenset(end for ends in _RANGES.values() for end in ends)

PARTS: dict[str, tuple[str, ...]] = {
    **{one.name: (one.name,) for one in fields(HistoryFilter) if one.name not in _ENDS},
    **_RANGES,
}
"""The fields of each filter: a range has two ends and is one filter."""


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    filter: HistoryFilter
    first: int = DEFAULT
    after: str | None = None

    def place(self) -> Place | None:
        """Where the page before ended. A cursor that is none is refused."""
        self.filter.check()
        if self.first < 1:
            raise PagingInvalid("first", "it must be at least 1")
        if self.first > MOST:
            raise LimitExceeded("first", MOST, self.first, "Ask for a smaller page and follow the cursors.")
        if self.after is None:
            return None
        return decode(self.after, ORDER, field="after", linked=False, nullable=False)


def cursor_of(started_at: str, run_id: str) -> str:
    return encode(ORDER, started_at, run_id, None)


def _check_range(lowest: str, low: object, highest: str, high: object) -> None:
    if low is not None and high is not None and low > high:  # pyright: ignore[reportOperatorIssue]
        raise RangeEmpty(lowest, highest)
