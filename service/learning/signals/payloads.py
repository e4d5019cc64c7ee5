"""What signals of each type carry: five shapes of the specification, and three small ones of ours.

Words that are defined elsewhere (classes of taint, kinds of actions, tiers of access) are open: any word is taken.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from pydantic import Field as Told

from graph_schema.learning.words import SignalType
from graph_schema.model.fields import KEY_LENGTH, LIST_LENGTH, TEXT_LENGTH, Timestamp
from graph_schema.model.texts import PLAIN

Ref = Annotated[str, StringConstraints(min_length=1, max_length=KEY_LENGTH, pattern=PLAIN)]
Said = Annotated[str, StringConstraints(max_length=TEXT_LENGTH, pattern=PLAIN)]
Refs = Annotated[list[Ref], Told(max_length=LIST_LENGTH)]
Count = Annotated[int, Told(ge=0)]
Counts = Annotated[dict[Ref, Count], Told(max_length=LIST_LENGTH)]
Score = Annotated[float, Told(ge=0, le=1)]


class Payload(BaseModel):
    """What is told with a signal. A field that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    schema_version: Literal[1] = 1

    def result(self) -> str | None:
        """What came of it, in one word."""
        return None

    def subject(self) -> str | None:
        """What it is about, where no record is."""
        return None


class Verdict(StrEnum):
    passed = "passed"
    failed = "failed"
    indeterminate = "indeterminate"


class FindingsSummary(Payload):
    total_count: Count
    critical_count: Count
    major_count: Count
    minor_count: Count
    by_criterion_id: Counts = Told(default_factory=dict)


class OutcomeEvaluation(Payload):
    evaluator_result_ref: Ref
    outcome_spec_ref: Ref
    outcome_spec_template_id: Ref | None = None
    verdict: Verdict
    findings_summary: FindingsSummary
    evidence_status_summary: Counts

    def result(self) -> str:
        return self.verdict.value

    def subject(self) -> str:
        return self.outcome_spec_template_id or self.outcome_spec_ref


class CycleOutcome(StrEnum):
    passed_after_repair = "passed_after_repair"
    still_failing = "still_failing"
    diverged = "diverged"
    max_iterations = "max_iterations"
    escalated_to_human = "escalated_to_human"


class RevisorAction(Payload):
    action_id: Ref
    action_kind: Ref
    underlying_step_kind: Ref
    underlying_strategy_kind: Ref
    targeted_criterion_ids: Refs
    targeted_finding_ids: Refs
    action_scope_ref: Ref
    revision_operation_receipt_ref: Ref


class QualitativeDelta(Payload):
    findings_before: Count
    findings_after: Count
    critical_findings_before: Count
    critical_findings_after: Count
    major_findings_before: Count
    major_findings_after: Count
    minor_findings_before: Count
    minor_findings_after: Count
    resolved_finding_ids: Refs
    new_finding_ids: Refs
    per_criterion_finding_counts_before: Counts
    per_criterion_finding_counts_after: Counts


class AttributionBasis(StrEnum):
    """On what ground an effect is put down to an action. What a reviser thinks of itself is none."""

    scope_match = "scope_match"
    criterion_targeted = "criterion_targeted"
    finding_targeted = "finding_targeted"
    user_confirmed = "user_confirmed"
    global_plan_context = "global_plan_context"


class Attribution(Payload):
    action_id: Ref
    attribution_basis: AttributionBasis
    attribution_confidence: Score


class ScoreDelta(Payload):
    criterion_id: Ref
    criterion_semantics_hash: Ref
    judge_score_before: float | None
    judge_score_after: float | None
    judge_score_delta: float | None
    finding_count_before: Count
    finding_count_after: Count
    finding_count_delta: int
    severity_distribution_delta: dict[Literal["critical", "major", "minor"], int]
    attribution: Annotated[list[Attribution], Told(max_length=LIST_LENGTH)]


class TransitionKind(StrEnum):
    expanded = "expanded"
    cleared = "cleared"
    unchanged = "unchanged"
    isolated_to_candidate = "isolated_to_candidate"


class ExpansionSource(StrEnum):
    new_source_pulled = "new_source_pulled"
    tainted_revision_input = "tainted_revision_input"
    ungoverned_user_input = "ungoverned_user_input"
    sub_agent_advice_taint_inheritance = "sub_agent_advice_taint_inheritance"


class TaintTransition(Payload):
    action_id: Ref
    transition_kind: TransitionKind
    expanded_from: Ref | None = None
    expanded_to: Ref | None = None
    expansion_source_kind: ExpansionSource | None = None
    clearance_method: Ref | None = None
    clearance_record_ref: Ref | None = None
    cleared_by_actor_ref: Ref | None = None
    cleared_by_access_tier: Ref | None = None
    candidate_version_ref: Ref | None = None
    related_taint_clearance_signal_ids: Refs = Told(default_factory=list)


class TaintEvolution(Payload):
    taint_at_initial_evaluation: Ref
    taint_at_final_evaluation: Ref
    taint_transitions: Annotated[list[TaintTransition], Told(max_length=LIST_LENGTH)]


class RepairCycle(Payload):
    initial_evaluator_result_ref: Ref
    final_evaluator_result_ref: Ref
    before_snapshot_ref: Ref
    after_snapshot_ref: Ref
    revisor_actions: Annotated[list[RevisorAction], Told(max_length=LIST_LENGTH)]
    cycle_outcome: CycleOutcome
    qualitative_delta: QualitativeDelta
    per_criterion_score_deltas: Annotated[dict[Ref, ScoreDelta], Told(max_length=LIST_LENGTH)] = Told(
        default_factory=dict
    )
    taint_evolution: TaintEvolution
    metric_semantics_version: Ref | None = None
    scorer_hash: Ref | None = None
    evaluation_method: Ref | None = None
    assurance_basis: Refs = Told(default_factory=list)

    def result(self) -> str:
        return self.cycle_outcome.value


class GapKind(StrEnum):
    missing_module = "missing_module"
    missing_capability = "missing_capability"
    missing_source_module = "missing_source_module"
    missing_verification = "missing_verification"
    missing_handoff = "missing_handoff"
    policy_blocked_path = "policy_blocked_path"
    capability_version_mismatch = "capability_version_mismatch"


class TaskProcessGap(Payload):
    detected_during_run_id: Ref
    gap_kind: GapKind
    observed_failure_kind: Ref | None = None
    affected_outcome_refs: Refs
    suggested_remediation: Said | None = None

    def result(self) -> str:
        return self.gap_kind.value


class TaintClearance(Payload):
    cleared_artifact_ref: Ref
    cleared_artifact_version_ref: Ref
    cleared_from: Ref
    cleared_to: Ref
    clearance_method: Ref
    clearance_record_ref: Ref
    cleared_by_actor_ref: Ref
    cleared_by_access_tier: Ref
    scope_cleared: Ref
    artifact_kind: Ref
    domain_tags: Refs = Told(default_factory=list)

    def result(self) -> str:
        return self.cleared_to

    def subject(self) -> str:
        return self.artifact_kind


class ResolutionPath(StrEnum):
    accept_proposed = "accept_proposed"
    modify_proposed = "modify_proposed"
    defer = "defer"
    reject = "reject"
    escalate_to_supervisor = "escalate_to_supervisor"


class HardCallResolution(Payload):
    hard_call_ref: Ref
    resolution_at: Timestamp
    hard_call_kind: Ref
    resolution_path: ResolutionPath
    resolution_actor_ref: Ref
    resolution_actor_access_tier: Ref
    resolution_rationale_summary: Said | None = None
    preceding_revision_plan_ref: Ref | None = None

    def result(self) -> str:
        return self.resolution_path.value

    def subject(self) -> str:
        return self.hard_call_kind


class PromptComparison(Payload):
    """Two prompts on the same inputs: which did better, by what measure."""

    prompt_ref: Ref
    other_prompt_ref: Ref
    better: Literal["first", "second", "neither"]
    measure: Ref
    score: float | None = None
    other_score: float | None = None

    def result(self) -> str:
        return self.better

    def subject(self) -> str:
        return self.prompt_ref


class TaskDesignCorrelation(Payload):
    """What designs have in common that went one way, found by whoever counts signals outside."""

    statement: Said
    support_count: Count
    counter_count: Count = 0
    strength: Score | None = None

    def subject(self) -> str:
        return self.statement[:KEY_LENGTH]


class UserAction(Payload):
    """What a user did, in a word of the surface where they did it."""

    action: Ref
    surface: Ref | None = None

    def result(self) -> str:
        return self.action


PAYLOADS: Mapping[SignalType, type[Payload]] = {
    SignalType.outcome_evaluation: OutcomeEvaluation,
    SignalType.repair_cycle: RepairCycle,
    SignalType.task_process_gap_runtime: TaskProcessGap,
    SignalType.taint_clearance: TaintClearance,
    SignalType.hard_call_resolution: HardCallResolution,
    SignalType.prompt_comparison: PromptComparison,
    SignalType.task_design_correlation: TaskDesignCorrelation,
    SignalType.user_action: UserAction,
}


def read_payload(type_: SignalType, given: Mapping[str, Any]) -> Payload | tuple[str, str]:
    """The payload; or the field that is wrong, and what is wrong with it."""
    try:
        return PAYLOADS[type_].model_validate(dict(given))
    except ValidationError as error:
        first = error.errors()[0]
        return ".".join(["payload", *map(str, first["loc"])]), first["msg"]
