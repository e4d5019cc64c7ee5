"""Words of the library: the values that fields of task assets and design knowledge may have."""

from enum import StrEnum

from graph_schema.model.record import LifecycleState as State

ASSET_STATES = (State.draft, State.active, State.candidate_update, State.deprecated, State.archived)
BUNDLE_STATES = (State.draft, State.active, State.deprecated, State.archived)
LEARNED_STATES = (State.candidate, State.active, State.rejected, State.archived)
CASE_STATES = (State.candidate, State.active, State.archived)


class SourceKind(StrEnum):
    """Who or what says so."""

    generated_from_doc23_schema = "generated_from_doc23_schema"
    generated_from_doc24_registry = "generated_from_doc24_registry"
    architect_authored = "architect_authored"
    user_taught = "user_taught"
    learned_from_trace = "learned_from_trace"
    learned_from_assessment = "learned_from_assessment"
    llm_inferred_candidate = "llm_inferred_candidate"


class AuthoredBy(StrEnum):
    """Whose hand a blueprint is of."""

    user = "user"
    task_agent = "task_agent"
    system = "system"
    mixed = "mixed"


class SourceDependency(StrEnum):
    """On how many sources a task depends."""

    self_contained = "self_contained"
    single_source = "single_source"
    multi_source = "multi_source"


class OutputStakes(StrEnum):
    """What is at stake with a task's outputs."""

    internal_advisory = "internal_advisory"
    client_facing = "client_facing"
    filing_or_binding = "filing_or_binding"


class AutonomyLevel(StrEnum):
    """How much a task does without being asked."""

    manual = "manual"
    partial = "partial"
    full = "full"


class Complexity(StrEnum):
    """How much there is to a task."""

    simple = "simple"
    medium = "medium"
    complex = "complex"


class ContractSide(StrEnum):
    """Whether a contract is about what goes in or what comes out."""

    input = "input"
    output = "output"


class ModuleFamily(StrEnum):
    """The families of the module catalogue."""

    trigger = "trigger"
    step = "step"
    utility = "utility"
    output = "output"
    source = "source"
    environment = "environment"
    system = "system"


class PatternKind(StrEnum):
    """Whether a shape is to be followed or avoided."""

    pattern = "pattern"
    anti_pattern = "anti_pattern"


class CaseGround(StrEnum):
    """Why an earlier task became a case that may teach."""

    user_created_or_refined = "user_created_or_refined"
    user_reused = "user_reused"
    accepted_with_few_edits = "accepted_with_few_edits"
    edits_reveal_preference = "edits_reveal_preference"
    assessed_highly = "assessed_highly"
    intermediate_artifact_reused = "intermediate_artifact_reused"
    choice_not_obvious_from_schema = "choice_not_obvious_from_schema"


class LessonAuthority(StrEnum):
    """How much weight a lesson has."""

    example = "example"
    soft_heuristic = "soft_heuristic"
    strong_default_candidate = "strong_default_candidate"


class DirectiveKind(StrEnum):
    """What a taught directive asks for."""

    prefer_when_phrase = "prefer_when_phrase"
    avoid_when_phrase = "avoid_when_phrase"
    prefer_for_task_type = "prefer_for_task_type"
    avoid_for_task_type = "avoid_for_task_type"
    prefer_output_archetype = "prefer_output_archetype"
    require_user_confirmation = "require_user_confirmation"


class DirectiveSource(StrEnum):
    """Where a directive comes from."""

    user_taught = "user_taught"
    task_agent_inferred = "task_agent_inferred"
    assessment_inferred = "assessment_inferred"


class PhraseKind(StrEnum):
    """What a phrase says about its asset."""

    trigger_phrase = "trigger_phrase"
    semantic_lookup_phrase = "semantic_lookup_phrase"
    use_condition = "use_condition"
    non_use_condition = "non_use_condition"


class MatchOutcome(StrEnum):
    """What matching came to."""

    match = "match"
    several_close = "several_close"
    ask = "ask"
    nothing_fits = "nothing_fits"


class RecommendedAction(StrEnum):
    """What to do with a candidate."""

    use_as_is = "use_as_is"
    customize = "customize"
    fork = "fork"
    create_new_from_pattern = "create_new_from_pattern"
    create_new_blank = "create_new_blank"


class CapabilityState(StrEnum):
    """Whether a capability can be used now."""

    up = "up"
    down = "down"
    authorisation_missing = "authorisation_missing"


class ModelClass(StrEnum):
    """What class of model was at work."""

    cheap_local = "cheap_local"
    cheap_api = "cheap_api"
    medium = "medium"
    expensive_frontier = "expensive_frontier"


class CrossModelApplicability(StrEnum):
    """Whether what was learned with one class of model holds for others."""

    model_class_specific = "model_class_specific"
    cross_model_applicable = "cross_model_applicable"
    requires_validation = "requires_validation"
