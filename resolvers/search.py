"""Search, as the API shows it."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_record
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.types import record_type
from service.search import Answer, EmptyReason, Hit, Search, SearchRequest, WarningCode
from service.search.request import DEFAULT_HITS, LONGEST_TEXT, MOST_HITS

_REASON = strawberry.enum(EmptyReason, name="SearchEmptyReason", description="Why a search found nothing.")
_WARNING = strawberry.enum(
    WarningCode, name="SearchWarningCode", description="What may make an answer less good than it could be."
)

Text = Annotated[
    str,
    strawberry.argument(
        description=f"What to look for: a name, a key, words or a sentence, up to {LONGEST_TEXT:,} characters."
    ),
]
Kinds = Annotated[
    list[str] | None,
    strawberry.argument(description="Only records of these types, such as Goal; without it, of all that have cards."),
]
First = Annotated[int, strawberry.argument(description=f"At most so many hits, up to {MOST_HITS}.")]
IncludeArchived = Annotated[
    bool, strawberry.argument(description="Whether to find records that are archived or otherwise retired, too.")
]


@strawberry.type(description="The rules that made the scores. Scores of different rankers cannot be compared.")
class Ranker:
    name: str = strawberry.field(description="Its name.")
    version: str = strawberry.field(description="Changes whenever the same card could get another score.")
    model: str = strawberry.field(description="The embedding model that compared the meanings.")


@strawberry.type(description="One part of a score.")
class ScorePart:
    name: str = strawberry.field(description="What was compared: exact, semantic, words or name.")
    score: float = strawberry.field(description="How well it fits, from 0 to 1.")
    weight: float = strawberry.field(description="What it counts. The scores times their weights make the hit's score.")
    evidence: str = strawberry.field(description="Why it is so, in a sentence.")


@strawberry.type(description="A record that fits the search.")
class SearchHit:
    id: strawberry.ID = strawberry.field(description="Id of the record.")
    kind: str = strawberry.field(description="Type of the record.")
    name: str = strawberry.field(description="What people call it.")
    score: float = strawberry.field(description="How well it fits, from 0 to 1.")
    parts: list[ScorePart] = strawberry.field(description="What the score is made of.")
    terms: list[str] = strawberry.field(description="Words of the search that its card has.")
    current: bool = strawberry.field(
        description="Whether its card has a vector of its present text; otherwise only words were compared."
    )

    @strawberry.field(graphql_type=optional(record_type()), description="The record itself.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)


@strawberry.type(name="SearchWarning", description="What may make this answer less good than it could be.")
class SearchWarningInfo:
    code: WarningCode = strawberry.field(description="Which kind of warning it is.")
    message: str = strawberry.field(description="What it means, in a sentence.")
    count: int | None = strawberry.field(description="How many records that you may see are concerned.")


@strawberry.type(description="The time that a stage of the work took.")
class StageTime:
    stage: str = strawberry.field(description="Name of the stage; total is all of them.")
    ms: float = strawberry.field(description="Milliseconds.")


@strawberry.type(description="What a search found, best first, or why it found nothing.")
class SearchAnswer:
    hits: list[SearchHit] = strawberry.field(description="The records that fit, best first.")
    truncated: bool = strawberry.field(description="Whether more records fit than were asked for.")
    ranker: Ranker = strawberry.field(description="The rules that made the scores.")
    threshold: float = strawberry.field(description="Records that score lower are not shown.")
    warnings: list[SearchWarningInfo] = strawberry.field(description="What may make this answer less good.")
    empty_reason: EmptyReason | None = strawberry.field(description="Why there are no hits; null when there are some.")
    explanation: str | None = strawberry.field(description="The reason in a sentence or two.")
    best_score: float | None = strawberry.field(
        description="Without hits: the score of the record that came nearest, if any was compared."
    )
    timings: list[StageTime] = strawberry.field(description="How long each stage took.")


@strawberry.type
class SearchQuery:
    @strawberry.field(description="Find records by name, alias, key, words and meaning.")
    async def search(
        self,
        info: RecordInfo,
        text: Text,
        kinds: Kinds = None,
        first: First = DEFAULT_HITS,
        include_archived: IncludeArchived = False,
    ) -> SearchAnswer:
        request = SearchRequest(text, kinds or (), first, include_archived)
        return shown(await service_of(info, Search).search(viewer_of(info), request))


def shown(answer: Answer) -> SearchAnswer:
    empty = answer.empty
    return SearchAnswer(
        hits=[_shown_hit(one) for one in answer.hits],
        truncated=answer.truncated,
        ranker=Ranker(name=answer.ranker_name, version=answer.ranker_version, model=answer.model),
        threshold=answer.threshold,
        warnings=[SearchWarningInfo(code=one.code, message=one.message, count=one.count) for one in answer.warnings],
        empty_reason=empty.reason if empty else None,
        explanation=empty.explanation if empty else None,
        best_score=empty.best_score if empty else None,
        timings=[StageTime(stage=one.stage, ms=one.ms) for one in answer.timings],
    )


def _shown_hit(hit: Hit) -> SearchHit:
    parts = [ScorePart(name=one.name, score=one.value, weight=one.weight, evidence=one.evidence) for one in hit.parts]
    return SearchHit(
        id=strawberry.ID(hit.id),
        kind=hit.kind,
        name=hit.name,
        score=hit.score,
        parts=parts,
        terms=list(hit.terms),
        current=hit.current,
    )
