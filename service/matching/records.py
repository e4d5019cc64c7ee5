"""What matching works on: a request, assets as a reader loads them, and the answer. None knows the graph."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from math import exp

from graph_schema.library.words import CapabilityState, DirectiveKind, MatchOutcome, RecommendedAction
from graph_schema.model.record import LifecycleState


class PartName(StrEnum):
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


class VetoKind(StrEnum):
    """Why an asset cannot be used at all."""

    required_capability_unavailable = "required_capability_unavailable"
    forbidden_side_effect_present = "forbidden_side_effect_present"
    wrong_output_class = "wrong_output_class"
    archived_or_deprecated = "archived_or_deprecated"
    security_policy_conflict = "security_policy_conflict"
    memory_artifact_policy_conflict = "memory_artifact_policy_conflict"
    materially_wrong_task_type = "materially_wrong_task_type"


class PenaltyKind(StrEnum):
    """What speaks against an asset without ruling it out."""

    non_use_condition = "non_use_condition"
    directive_avoids = "directive_avoids"
    draft = "draft"


class NoteCode(StrEnum):
    """What a reader of the answer should know about the request."""

    request_empty = "request_empty"
    only_common_words = "only_common_words"
    instructions_left_out = "instructions_left_out"
    other_language = "other_language"
    vectors_behind = "vectors_behind"
    template_match_available_but_new_graph_requested = "warning.template_match_available_but_new_graph_requested"


@dataclass(frozen=True, slots=True)
class Note:
    code: NoteCode
    message: str


@dataclass(frozen=True, slots=True)
class Understood:
    """A request's text as it is compared. `compared` is what is embedded; empty when there is nothing to compare."""

    text: str
    compared: str
    spoken: str
    stems: frozenset[str]
    notes: tuple[Note, ...] = ()

    def noted(self, code: NoteCode) -> bool:
        return any(note.code is code for note in self.notes)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for. A list that is None was not given; an empty one says that there is none."""

    said: Understood
    now: datetime
    viewer_id: str = ""
    task_type: str | None = None
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    capabilities: tuple[str, ...] | None = None
    denied_capabilities: tuple[str, ...] = ()
    forbidden_side_effects: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] | None = None
    memory_mode: str | None = None
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Likeness:
    """How request and asset compare. Cosines are None when the asset's vectors are behind its text."""

    cosine: float | None
    nearest: float | None
    lexical: float
    members: int
    cohesion: float | None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition under which the asset is not to be used, and its cosine with the request."""

    text: str
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Directive:
    """What was taught about one asset. With `limited_to` it holds only where the request is about one of these."""

    id: str
    kind: DirectiveKind
    phrase_or_condition: str
    confidence: float = 1.0
    state: LifecycleState = LifecycleState.active
    limited_to: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Preference:
    """A preference overlay that bears on the asset, and whether it speaks for it."""

    text: str
    supports: bool = True


@dataclass(frozen=True, slots=True)
class Asset:
    """An asset as far as the viewer may see it. None: its record does not say.

    `usage_count`, `completed` and `ended` are of its last runs, and no more of those were looked at than `LAST_RUNS`.
    """

    id: str
    kind: str
    name: str
    likeness: Likeness
    version: int = 1
    lifecycle: LifecycleState = LifecycleState.active
    author_id: str | None = None
    nearest_phrase: str | None = None
    task_types: tuple[str, ...] = ()
    wrong_task_types: tuple[str, ...] = ()
    expected_inputs: tuple[str, ...] | None = None
    expected_outputs: tuple[str, ...] | None = None
    output_archetypes: tuple[str, ...] = ()
    side_effects: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    capability_states: tuple[tuple[str, CapabilityState], ...] = ()
    memory_modes: tuple[str, ...] | None = None
    entity_ids: tuple[str, ...] = ()
    non_use: tuple[Condition, ...] = ()
    directives: tuple[Directive, ...] = ()
    preferences: tuple[Preference, ...] = ()
    completed: int = 0
    ended: int = 0
    assessed_highly: bool = False
    usage_count: int = 0
    last_used_at: datetime | None = None
    group: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    """What the facts were read from beside the asset itself: an audience, and the id of one record that has it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score from 0 to 1, or None: unknown, which counts neither for nor against."""

    name: PartName
    value: float | None
    evidence: str
    effect: float = 0.0

    @property
    def known(self) -> bool:
        return self.value is not None


@dataclass(frozen=True, slots=True)
class Veto:
    kind: VetoKind
    reason: str


@dataclass(frozen=True, slots=True)
class Penalty:
    kind: PenaltyKind
    amount: float
    reason: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An asset with its scores. `probability` is told from the request and this asset alone."""

    asset: Asset
    parts: tuple[Part, ...]
    overall: float
    logit: float
    evidence: float
    probability: float
    vetoes: tuple[Veto, ...]
    penalties: tuple[Penalty, ...]
    differences: tuple[str, ...]
    confirmations: tuple[str, ...]
    action: RecommendedAction
    explanation: str
    guessed: bool = False

    @property
    def vetoed(self) -> bool:
        return bool(self.vetoes)


@dataclass(frozen=True, slots=True)
class Loser:
    """`code` names the part, the veto or the penalty that decided against it."""

    candidate: Candidate
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`confidence` is the probability that the first candidate is what was asked for, `any_fits` that any is.

    They stand whatever the outcome.
    """

    outcome: MatchOutcome
    confidence: float
    any_fits: float
    recommended: tuple[Candidate, ...]
    losers: tuple[Loser, ...]
    action: RecommendedAction
    explanation: str
    needs_confirmation: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    ranker: str = ""
    version: str = ""
    model: str = ""

    def confidence_of(self, one: Candidate) -> float:
        """How sure it is that this one is what was asked for: `confidence` for the first, less by its odds for others.

        By themselves two that are alike are both probable; at most one of them can be meant.
        """
        standing = (*self.recommended, *(loser.candidate for loser in self.losers if not loser.candidate.vetoed))
        if one.vetoed or not standing:
            return 0.0
        return self.confidence * exp(min(0.0, one.logit - standing[0].logit))
