"""What search answers: ranked hits with their reasons, or the reason why there are none."""

from dataclasses import dataclass
from enum import StrEnum

from service.search.ranker import Part


class EmptyReason(StrEnum):
    """Why a search found nothing."""

    query_empty = "query_empty"
    no_data = "no_data"
    all_filtered = "all_filtered"
    index_not_ready = "index_not_ready"
    below_threshold = "below_threshold"


class WarningCode(StrEnum):
    """What may make an answer less good than it could be."""

    vectors_behind = "vectors_behind"
    index_unavailable = "index_unavailable"
    candidates_cut = "candidates_cut"


@dataclass(frozen=True, slots=True)
class SearchWarning:
    code: WarningCode
    message: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that fits. `terms` are the words of the request that its card has."""

    id: str
    kind: str
    name: str
    score: float
    parts: tuple[Part, ...]
    terms: tuple[str, ...]
    current: bool
    archived: bool


@dataclass(frozen=True, slots=True)
class Empty:
    """Why there are no hits. `best_score` is that of the record that came nearest, if one was compared."""

    reason: EmptyReason
    explanation: str
    best_score: float | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    stage: str
    ms: float


@dataclass(frozen=True, slots=True)
class Answer:
    hits: tuple[Hit, ...]
    ranker_name: str
    ranker_version: str
    model: str
    threshold: float
    truncated: bool
    warnings: tuple[SearchWarning, ...]
    empty: Empty | None
    timings: tuple[Timing, ...]
