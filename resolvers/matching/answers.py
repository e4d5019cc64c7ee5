"""What matching answers, as types of the API."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import strawberry

from graph_schema.library.words import MatchOutcome, RecommendedAction
from resolvers.engine.loading import RecordInfo, load_record
from resolvers.generated.construction import optional
from resolvers.generated.payloads import NOTICES
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from service.matching.keep import Compared
from service.matching.matched import Matched, Reuse
from service.matching.parts import DECIMALS
from service.matching.records import Answer, Candidate, Loser, Note, PartName, PenaltyKind, VetoKind
from service.search.answer import Ranker, StageTime


@strawberry.enum(description="A kind of asset that can be matched.")
class AssetKind(StrEnum):
    template = "template"
    preset = "preset"
    pattern = "pattern"
    case = "case"
    blueprint = "blueprint"
    segment = "segment"

    @property
    def label(self) -> str:
        return self.value.capitalize()


_TIMES: Any = list[view_type(StageTime)]


def _enum(given: type[StrEnum], name: str) -> None:
    strawberry.enum(given, name=name, description=(given.__doc__ or "").strip())


_enum(MatchOutcome, "MatchOutcome")
_enum(RecommendedAction, "RecommendedAction")
_enum(PartName, "MatchPartName")
_enum(VetoKind, "MatchVetoKind")
_enum(PenaltyKind, "MatchPenaltyKind")


@strawberry.type(description="One of the nine parts of a score.")
class MatchPart:
    name: PartName = strawberry.field(description="What was compared.")
    score: float | None = strawberry.field(description="From 0 to 1. Null: unknown, which counts neither way.")
    effect: float = strawberry.field(description="By how much it moved the score, as a logit; 0 for the first part.")
    evidence: str = strawberry.field(description="Why it is so, in a sentence.")


@strawberry.type(description="What rules an asset out, whatever its score.")
class MatchVeto:
    kind: VetoKind = strawberry.field(description="Which rule it is.")
    reason: str = strawberry.field(description="The fact that it rests on.")


@strawberry.type(description="What speaks against an asset without ruling it out.")
class MatchPenalty:
    kind: PenaltyKind = strawberry.field(description="Which rule it is.")
    amount: float = strawberry.field(description="By how much it lowered the logit of the score.")
    reason: str = strawberry.field(description="The fact that it rests on.")


@strawberry.type(description="Numbers beside the confidence. They come from the request and the asset alone.")
class MatchScores:
    overall_score: float = strawberry.field(description="Orders the candidates, from 0 to 1.")
    probability: float = strawberry.field(description="That it is what was asked for, told without looking at others.")


@strawberry.type(description="An asset that was weighed. Its scores come from the request and the asset alone.")
class MatchCandidate:
    id: strawberry.ID = strawberry.field(description="Id of the asset.")
    kind: str = strawberry.field(description="Type of the asset.")
    name: str = strawberry.field(description="What people call it.")
    version: int = strawberry.field(description="Its version when it was weighed.")
    confidence: float = strawberry.field(
        description="How sure it is that this is what was asked for: the one number to show."
    )
    scores: MatchScores = strawberry.field(description="The other numbers, for who looks closer.")
    parts: list[MatchPart] = strawberry.field(description="The nine parts of the score.")
    hard_vetoes: list[MatchVeto] = strawberry.field(description="What rules it out.")
    soft_penalties: list[MatchPenalty] = strawberry.field(description="What speaks against it.")
    differences: list[str] = strawberry.field(description="What would have to be changed.")
    needs_confirmation: list[str] = strawberry.field(description="Why it is not taken without asking.")
    explanation: str = strawberry.field(description="All of it, in sentences.")
    recommended_action: RecommendedAction = strawberry.field(description="What to do with it.")
    group: list[str] = strawberry.field(description="The other templates of its groups, by name.")
    current: bool = strawberry.field(description="Whether its vectors were those of its texts; else words alone told.")

    @strawberry.field(graphql_type=optional(record_type()), description="The record itself.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)


@strawberry.type(description="An asset that was not recommended, and why.")
class MatchLoser:
    candidate: MatchCandidate = strawberry.field(description="The asset, with its scores.")
    code: str = strawberry.field(description="The part of its score, the veto or the penalty that decided against it.")
    message: str = strawberry.field(description="Why it lost, in a sentence.")


@strawberry.type(description="Which asset fits, why, and why not the others.")
class MatchAnswer:
    kind: str = strawberry.field(description="Type of asset that was looked for.")
    outcome: MatchOutcome = strawberry.field(
        description="Whether one fits, is to be asked about, several are close or none fits."
    )
    confidence: float = strawberry.field(description="The probability that the first candidate is what was asked for.")
    any_fits: float = strawberry.field(description="The probability that anything weighed is what was asked for.")
    recommended: list[MatchCandidate] = strawberry.field(description="What fits, best first; several: ask.")
    losers: list[MatchLoser] = strawberry.field(description="What else was weighed, best first, as many as asked for.")
    recommended_action: RecommendedAction = strawberry.field(description="What to do.")
    explanation: str = strawberry.field(description="The decision, in sentences.")
    needs_confirmation: list[str] = strawberry.field(description="Why the first is not taken without asking.")
    warnings: Sequence[Note] = strawberry.field(
        graphql_type=NOTICES, description="What a reader of the answer should know."
    )
    ranker: Ranker = strawberry.field(graphql_type=view_type(Ranker), description="The rules that made the scores.")
    timings: Sequence[StageTime] = strawberry.field(graphql_type=_TIMES, description="How long each stage took.")


@strawberry.type(description="What can be used again, in the order in which one looks for it.")
class ReuseAnswer:
    sections: list[MatchAnswer] = strawberry.field(
        description="Templates, presets, patterns, cases, blueprints, segments; fewer when it was skipped."
    )
    best: MatchAnswer | None = strawberry.field(description="The first of them that has a match, or something close.")
    skipped: bool = strawberry.field(description="Whether a blank task was asked for, so that nothing was looked for.")
    warnings: Sequence[Note] = strawberry.field(
        graphql_type=NOTICES, description="That a strong match was passed over, if one was."
    )
    explanation: str = strawberry.field(description="What came of it, in sentences.")


@strawberry.type(description="An asset in a kept match, and in the same match now.")
class MatchMoved:
    id: strawberry.ID = strawberry.field(description="Id of the asset.")
    name: str = strawberry.field(description="What people call it.")
    kept_score: float | None = strawberry.field(description="Its score then; null when it was not weighed.")
    score: float | None = strawberry.field(description="Its score now; null when it is not weighed.")
    kept_version: int | None = strawberry.field(description="Its version then.")
    version: int | None = strawberry.field(description="Its version now.")
    changed: bool = strawberry.field(description="Whether score or version differ.")


@strawberry.type(description="A kept match beside the same request, matched again.")
class MatchComparison:
    match_id: strawberry.ID = strawberry.field(description="Id of the kept match.")
    same: bool = strawberry.field(description="Whether outcome, assets, versions and scores are the same.")
    same_ranker: bool = strawberry.field(
        description="Whether ranker and model are the same; else scores do not compare."
    )
    kept_outcome: MatchOutcome = strawberry.field(description="What matching came to then.")
    kept_confidence: float = strawberry.field(description="How sure it was then.")
    now: MatchAnswer = strawberry.field(description="What it says now, as of the time of the kept match.")
    moved: list[MatchMoved] = strawberry.field(description="Every asset of either.")


def shown_match(matched: Matched, first: int) -> MatchAnswer:
    answer = matched.answer
    return MatchAnswer(
        kind=matched.kind,
        outcome=answer.outcome,
        confidence=answer.confidence,
        any_fits=answer.any_fits,
        recommended=[shown_candidate(one, answer) for one in answer.recommended],
        losers=[_shown_loser(one, answer) for one in answer.losers[:first]],
        recommended_action=answer.action,
        explanation=answer.explanation,
        needs_confirmation=list(answer.needs_confirmation),
        warnings=answer.notes,
        ranker=Ranker(name=answer.ranker, version=answer.version, model=answer.model),
        timings=matched.timings,
    )


def shown_candidate(one: Candidate, answer: Answer) -> MatchCandidate:
    return MatchCandidate(
        id=strawberry.ID(one.asset.id),
        kind=one.asset.kind,
        name=one.asset.name,
        version=one.asset.version,
        confidence=round(answer.confidence_of(one), DECIMALS),
        scores=MatchScores(overall_score=one.overall, probability=one.probability),
        parts=[MatchPart(name=p.name, score=p.value, effect=p.effect, evidence=p.evidence) for p in one.parts],
        hard_vetoes=[MatchVeto(kind=veto.kind, reason=veto.reason) for veto in one.vetoes],
        soft_penalties=[MatchPenalty(kind=p.kind, amount=p.amount, reason=p.reason) for p in one.penalties],
        differences=list(one.differences),
        needs_confirmation=list(one.confirmations),
        explanation=one.explanation,
        recommended_action=one.action,
        group=list(one.asset.group),
        current=not one.guessed,
    )


def shown_reuse(reuse: Reuse, first: int) -> ReuseAnswer:
    return ReuseAnswer(
        sections=[shown_match(one, first) for one in reuse.sections],
        best=shown_match(reuse.best, first) if reuse.best else None,
        skipped=reuse.skipped,
        warnings=(reuse.passed_over,) if reuse.passed_over else (),
        explanation=reuse.explanation,
    )


def shown_comparison(compared: Compared, first: int) -> MatchComparison:
    moved = [
        MatchMoved(
            id=strawberry.ID(one.id),
            name=one.name,
            kept_score=one.kept_score,
            score=one.score,
            kept_version=one.kept_version,
            version=one.version,
            changed=one.changed,
        )
        for one in compared.moved
    ]
    return MatchComparison(
        match_id=strawberry.ID(compared.match_id),
        same=compared.same,
        same_ranker=compared.same_ranker,
        kept_outcome=MatchOutcome(compared.kept["outcome"]),
        kept_confidence=compared.kept["confidence"],
        now=shown_match(compared.now, first),
        moved=moved,
    )


def _shown_loser(loser: Loser, answer: Answer) -> MatchLoser:
    return MatchLoser(candidate=shown_candidate(loser.candidate, answer), code=loser.code, message=loser.reason)
