"""What search answers: ranked hits with their reasons, or the reason why there are none."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from service.search.ranker import ScorePart
from service.views import Id, Linked


class SearchEmptyReason(StrEnum):
    """Why a search found nothing."""

    query_empty = "query_empty"
    no_data = "no_data"
    all_filtered = "all_filtered"
    index_not_ready = "index_not_ready"
    below_threshold = "below_threshold"


class SearchWarningCode(StrEnum):
    """What may make an answer less good than it could be."""

    vectors_behind = "vectors_behind"
    index_unavailable = "index_unavailable"
    candidates_cut = "candidates_cut"


@dataclass(frozen=True, slots=True)
class SearchWarning:
    """What may make this answer less good than it could be."""

    code: Annotated[SearchWarningCode, "Which kind of warning it is."]
    message: Annotated[str, "What it means, in a sentence."]
    count: Annotated[int | None, "How many records that you may see are concerned."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A record that fits the search."""

    id: Annotated[Id, "Id of the record."]
    kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    score: Annotated[float, "How well it fits, from 0 to 1."]
    parts: Annotated[tuple[ScorePart, ...], "What the score is made of."]
    terms: Annotated[tuple[str, ...], "Words of the search that its card has."]
    current: Annotated[bool, "Whether its card has a vector of its present text; otherwise only words were compared."]
    archived: bool = False
    record: ClassVar = Linked("id", "The record itself.")


@dataclass(frozen=True, slots=True)
class Empty:
    """Why there are no hits. `best_score` is that of the record that came nearest, if one was compared."""

    reason: SearchEmptyReason
    explanation: str
    best_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """The rules that made the scores. Scores of different rankers cannot be compared."""

    name: Annotated[str, "Its name."]
    version: Annotated[str, "Changes whenever the same card could get another score."]
    model: Annotated[str, "The embedding model that compared the meanings."]


@dataclass(frozen=True, slots=True)
class StageTime:
    """The time that a stage of the work took."""

    stage: Annotated[str, "Name of the stage; total is all of them."]
    ms: Annotated[float, "Milliseconds."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """What a search found, best first, or why it found nothing."""

    hits: Annotated[tuple[SearchHit, ...], "The records that fit, best first."]
    truncated: Annotated[bool, "Whether more records fit than were asked for."]
    ranker: Annotated[Ranker, "The rules that made the scores."]
    threshold: Annotated[float, "Records that score lower are not shown."]
    warnings: Annotated[tuple[SearchWarning, ...], "What may make this answer less good."]
    empty: Empty | None
    timings: Annotated[tuple[StageTime, ...], "How long each stage took."]

    @property
    def empty_reason(self) -> Annotated[SearchEmptyReason | None, "Why there are no hits; null when there are some."]:
        return self.empty.reason if self.empty else None

    @property
    def explanation(self) -> Annotated[str | None, "The reason in a sentence or two."]:
        return self.empty.explanation if self.empty else None

    @property
    def best_score(
        self,
    ) -> Annotated[float | None, "Without hits: the score of the record that came nearest, if any was compared."]:
        return self.empty.best_score if self.empty else None
