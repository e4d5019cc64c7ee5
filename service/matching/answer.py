"""What matching answers: which asset fits, why, and why not the others."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, ClassVar

from graph_schema.library.words import MatchOutcome, RecommendedAction
from service.commands.errors import InputInvalid
from service.matching.assets import Asset
from service.notices import Notice
from service.search.answer import Ranker, StageTime
from service.views import Id, Linked

MOST_SHOWN = 64
DEFAULT_SHOWN = 10


class MatchPartName(StrEnum):
    """The nine parts of a score."""

    semantic_intent_match = "semantic_intent_match"
    task_type_match = "task_type_match"
    input_contract_match = "input_contract_match"
    output_contract_match = "output_contract_match"
    capability_availability_match = "capability_availability_match"
    entity_context_match = "entity_context_match"
    user_preference_match = "user_preference_match"
    prior_assessment_score = "prior_assessment_score"
    recency_or_staleness_score = "recency_or_staleness_score"


class MatchVetoKind(StrEnum):
    """Why an asset cannot be used at all."""

    required_capability_unavailable = "required_capability_unavailable"
    forbidden_side_effect_present = "forbidden_side_effect_present"
    wrong_output_class = "wrong_output_class"
    archived_or_deprecated = "archived_or_deprecated"
    security_policy_conflict = "security_policy_conflict"
    memory_artifact_policy_conflict = "memory_artifact_policy_conflict"
    materially_wrong_task_type = "materially_wrong_task_type"


class MatchPenaltyKind(StrEnum):
    """What speaks against an asset without ruling it out."""

    non_use_condition = "non_use_condition"
    directive_avoids = "directive_avoids"
    draft = "draft"
    overruled_veto = "overruled_veto"


class NoticeCode(StrEnum):
    """What a reader of the answer should know about the request."""

    request_empty = "request_empty"
    only_common_words = "only_common_words"
    instructions_left_out = "instructions_left_out"
    other_language = "other_language"
    vectors_behind = "vectors_behind"
    preference_overrules = "preference_overrules"
    template_match_available_but_new_graph_requested = "warning.template_match_available_but_new_graph_requested"


@dataclass(frozen=True, slots=True)
class MatchPart:
    """One of the nine parts of a score."""

    name: Annotated[MatchPartName, "What was compared."]
    score: Annotated[float | None, "From 0 to 1. Null: unknown, which counts neither way."]
    evidence: Annotated[str, "Why it is so, in a sentence."]
    effect: Annotated[float, "By how much it moved the score, as a logit; 0 for the first part."] = 0.0

    @property
    def known(self) -> bool:
        return self.score is not None


@dataclass(frozen=True, slots=True)
class MatchVeto:
    """What rules an asset out, whatever its score."""

    kind: Annotated[MatchVetoKind, "Which rule it is."]
    reason: Annotated[str, "The fact that it rests on."]


@dataclass(frozen=True, slots=True)
class MatchPenalty:
    """What speaks against an asset without ruling it out."""

    kind: Annotated[MatchPenaltyKind, "Which rule it is."]
    amount: Annotated[float, "By how much it lowered the logit of the score."]
    reason: Annotated[str, "The fact that it rests on."]


@dataclass(frozen=True, slots=True)
class MatchScores:
    """Numbers beside the confidence. They come from the request and the asset alone."""

    overall_score: Annotated[float, "Orders the candidates, from 0 to 1."]
    probability: Annotated[float, "That it is what was asked for, told without looking at others."]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCopy:
    """An asset that is nearly the same as another, and is not weighed against it."""

    id: Annotated[Id, "Its id."]
    name: Annotated[str, "What people call it."]
    version: Annotated[int, "Its version when it was weighed."]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCandidate:
    """An asset that was weighed. Its scores come from the request and the asset alone."""

    asset: Asset
    logit: float
    scores: Annotated[MatchScores, "The other numbers, for who looks closer."]
    parts: Annotated[tuple[MatchPart, ...], "The nine parts of the score."]
    hard_vetoes: Annotated[tuple[MatchVeto, ...], "What rules it out."]
    soft_penalties: Annotated[tuple[MatchPenalty, ...], "What speaks against it."]
    differences: Annotated[tuple[str, ...], "What would have to be changed."]
    needs_confirmation: Annotated[tuple[str, ...], "Why it is not taken without asking."]
    explanation: Annotated[str, "All of it, in sentences."]
    recommended_action: Annotated[RecommendedAction, "What to do with it."]
    current: Annotated[bool, "Whether its vectors were those of its texts; else words alone told."]
    # By themselves two that are alike are both probable; at most one of them can be meant. So this comes from the
    # others as well, and does not make two weighings of the same asset different.
    confidence: Annotated[float, "How sure it is that this is what was asked for: the one number to show."] = field(
        default=0.0, compare=False
    )
    copies: Annotated[tuple[MatchCopy, ...], "Others that are nearly the same; they are among the losers."] = field(
        default=(), compare=False
    )
    apart: Annotated[tuple[str, ...], "What it has that not all others have that are offered with it."] = field(
        default=(), compare=False
    )
    record: ClassVar = Linked("id", "The record itself.")

    @property
    def id(self) -> Annotated[Id, "Id of the asset."]:
        return self.asset.id

    @property
    def kind(self) -> Annotated[str, "Type of the asset."]:
        return self.asset.kind

    @property
    def name(self) -> Annotated[str, "What people call it."]:
        return self.asset.name

    @property
    def version(self) -> Annotated[int, "Its version when it was weighed."]:
        return self.asset.version

    @property
    def group(self) -> Annotated[tuple[str, ...], "The other templates of its groups, by name."]:
        return self.asset.group

    @property
    def vetoed(self) -> bool:
        return bool(self.hard_vetoes)


@dataclass(frozen=True, slots=True)
class MatchLoser:
    """An asset that was not recommended, and why."""

    candidate: Annotated[MatchCandidate, "The asset, with its scores."]
    code: Annotated[str, "The part of its score, the veto or the penalty that decided against it."]
    message: Annotated[str, "Why it lost, in a sentence."]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAnswer:
    """Which asset fits, why, and why not the others."""

    kind: Annotated[str, "Type of asset that was looked for."] = ""
    outcome: Annotated[MatchOutcome, "Whether one fits, is to be asked about, several are close or none fits."]
    confidence: Annotated[float, "The probability that the first candidate is what was asked for."]
    any_fits: Annotated[float, "The probability that anything weighed is what was asked for."]
    recommended: Annotated[tuple[MatchCandidate, ...], "What fits, best first; several: ask."]
    losers: Annotated[tuple[MatchLoser, ...], "What else was weighed, best first, as many as asked for."]
    recommended_action: Annotated[RecommendedAction, "What to do."]
    explanation: Annotated[str, "The decision, in sentences."]
    needs_confirmation: Annotated[tuple[str, ...], "Why the first is not taken without asking."]
    warnings: Annotated[tuple[Notice, ...], "What a reader of the answer should know."]
    ranker: Annotated[Ranker, "The rules that made the scores."]
    timings: Annotated[tuple[StageTime, ...], "How long each stage took."] = ()

    @property
    def weighed(self) -> tuple[MatchCandidate, ...]:
        """All that could have been recommended, best first."""
        return (*self.recommended, *(one.candidate for one in self.losers))

    def showing(self, first: int | None) -> "MatchAnswer":
        """With so many losers at most; with all of them, unless somebody says."""
        return self if first is None else replace(self, losers=self.losers[:first])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseAnswer:
    """What can be used again, in the order in which one looks for it."""

    sections: Annotated[
        tuple[MatchAnswer, ...],
        "Templates, presets, patterns, cases, blueprints, segments; fewer when it was skipped.",
    ]
    best: Annotated[MatchAnswer | None, "The first of them that has a match, or something close."]
    skipped: Annotated[bool, "Whether a blank task was asked for, so that nothing was looked for."]
    warnings: Annotated[tuple[Notice, ...], "That a strong match was passed over, if one was."]
    explanation: Annotated[str, "What came of it, in sentences."]


def check_shown(first: int | None) -> None:
    if first is not None and not 0 <= first <= MOST_SHOWN:
        raise InputInvalid("first", f"must be from 0 to {MOST_SHOWN}")
