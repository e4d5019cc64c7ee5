"""What is told of a design session: where it stands, what to ask next, and the bundle that it leaves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from graph_schema.learning.design_words import (
    ConsideredAs,
    DesignOutcome,
    DesignSlot,
    QuestionVerdict,
    StatementKind,
    StatementPolarity,
    SuggestionAnswer,
)
from graph_schema.library.words import AutonomyLevel, Complexity, OutputStakes, SourceDependency
from graph_schema.model.fields import Timestamp
from graph_schema.model.record import LifecycleState
from service.learning.design.questions import NextQuestion, SkippedQuestion
from service.learning.design.slots import SlotState
from service.learning.design.validation import DesignFinding
from service.views import Id, Linked

Values = Mapping[str, Any]


class DesignReadiness(StrEnum):
    """Where a design stands."""

    needs_answer = "needs_answer"
    ready_to_propose = "ready_to_propose"
    needs_repair = "needs_repair"
    unresolved = "unresolved"
    proposed = "proposed"
    ended = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignComplexity:
    """How much there is to a task, by its highest axis."""

    modules_count: Annotated[int, "Modules that are used."]
    outcome_count: Annotated[int, "Outputs that are promised."]
    source_dependency: Annotated[SourceDependency, "On how many sources it depends."]
    output_stakes: Annotated[OutputStakes, "What is at stake with its outputs."]
    autonomy_level: Annotated[AutonomyLevel, "How much it does without being asked."]
    overall_complexity: Annotated[Complexity, "The highest of these."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsideredRecord:
    """Something that was looked at for a design."""

    id: Annotated[Id, "Id of the record."]
    kind: Annotated[str, "Type of the record."]
    name: Annotated[str, "What people call it."]
    role: Annotated[ConsideredAs, "As what it was looked at."]
    rank: Annotated[int, "Its place among those."]
    score: Annotated[float | None, "How well it fits."]
    because: Annotated[str | None, "Why it is here."]
    response: Annotated[SuggestionAnswer | None, "What the user made of it."]
    record: ClassVar = Linked("id", "The record itself.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionQuestion:
    """A question of a session, and its answer."""

    id: Annotated[Id, "Id of the question."]
    slot: Annotated[DesignSlot, "What it is about."]
    text: Annotated[str, "How it was asked; empty for an answer that came unasked."]
    asked: Annotated[bool, "Whether it was asked."]
    answer: Annotated[tuple[str, ...], "What the user answered."]
    answered_at: Annotated[Timestamp | None, "When."]
    verdict: Annotated[QuestionVerdict | None, "What the user made of it."]
    changed_design: Annotated[bool | None, "Whether the answer was another than what would have been taken."]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardStatement:
    """A statement of the user about how they like tasks designed."""

    id: Annotated[Id, "Id of the statement."]
    quote: Annotated[str, "The words."]
    statement_kind: Annotated[StatementKind, "What it is a candidate for."]
    polarity: Annotated[StatementPolarity, "Which way it points."]
    subject: Annotated[str, "What it speaks of."]
    condition: Annotated[str | None, "When it holds."]
    because: Annotated[str | None, "Why."]
    rule: Annotated[str, "The rule that found it."]
    state: Annotated[LifecycleState, "Whether it waits, was accepted or refused."]
    bears_on_ids: Annotated[tuple[Id, ...], "Ids of what it speaks of by name."]
    made_into_ids: Annotated[tuple[Id, ...], "Ids of the preference or directive that a person made of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignProposal:
    """A blueprint or a graph that was proposed, and what was found in it then."""

    id: Annotated[Id, "Id of the blueprint or graph."]
    kind: Annotated[str, "Blueprint or GraphSnapshot."]
    iteration: Annotated[int, "Which proposal of the session it is."]
    drafted_at: Annotated[Timestamp, "When it was proposed."]
    valid: Annotated[bool, "Whether nothing was wrong with it then."]
    errors: Annotated[tuple[DesignFinding, ...], "What was wrong with it."]
    warnings: Annotated[tuple[DesignFinding, ...], "What to look at."]
    rationale: Annotated[str | None, "Why it is as it is."]
    record: ClassVar = Linked("id", "The record itself.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignSessionState:
    """A design session: what it knows, what to ask next, what is proposed, and what came of it."""

    session_id: Annotated[Id, "Id of the session."]
    user_initial_request: Annotated[str, "What the user said at first."]
    resolved_intent: Annotated[str, "What it was taken to mean."]
    task_type: Annotated[str | None, "What type of task it is."]
    domain: Annotated[str | None, "Field of work."]
    context_class: Annotated[str, "The class of context that it belongs to."]
    readiness: Annotated[DesignReadiness, "Where it stands."]
    say: Annotated[str, "Where it stands, in a sentence."]
    complexity: Annotated[DesignComplexity | None, "How much there is to it; null until something is proposed."]
    slots: Annotated[tuple[SlotState, ...], "What can be known of the task, and what is."]
    next_question: Annotated[NextQuestion | None, "The one question that is worth asking now; null: ask nothing."]
    not_worth_asking: Annotated[tuple[SkippedQuestion, ...], "Open slots that are better left open."]
    considered: Annotated[tuple[ConsideredRecord, ...], "What was looked at."]
    questions: Annotated[tuple[SessionQuestion, ...], "What was asked and answered."]
    statements: Annotated[tuple[HeardStatement, ...], "What the user said about how they like tasks designed."]
    proposals: Annotated[tuple[DesignProposal, ...], "What was proposed, latest first."]
    findings: Annotated[tuple[DesignFinding, ...], "What is wrong with the latest proposal now."]
    advice: Annotated[tuple[DesignFinding, ...], "What to look at in it."]
    unresolved: Annotated[tuple[DesignFinding, ...], "What is still wrong after all revisions that an agent has."]
    repair_iterations: Annotated[int, "How often a proposal was found invalid."]
    max_repair_iterations: Annotated[int, "How often an agent may revise one."]
    outcome: Annotated[DesignOutcome | None, "How it ended."]
    saved_ids: Annotated[tuple[Id, ...], "Ids of the tasks and templates that came of it."]
    edit_trace_ids: Annotated[tuple[Id, ...], "Ids of the traces of what was edited."]
    later_run_ids: Annotated[tuple[Id, ...], "Ids of the runs of what came of it, latest first."]
    rules: Annotated[tuple[str, ...], "Names and versions of the rules."]
    session: ClassVar = Linked("session_id", "The session itself.", "DesignSession")
    saved: ClassVar = Linked("saved_ids", "The tasks and templates that came of it.", many=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityPlan:
    """Which capabilities the design needs, may use and must not use."""

    requires_ids: Annotated[tuple[Id, ...], "Those that it cannot do without."]
    allows_ids: Annotated[tuple[Id, ...], "Those that it may use."]
    denies_ids: Annotated[tuple[Id, ...], "Those that it must not use."]
    requires: ClassVar = Linked("requires_ids", "Those that it cannot do without.", many=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEffectPlan:
    """What the design does to the outside world, and where a person looks."""

    side_effects: Annotated[tuple[str, ...], "Its side effects, by class."]
    risky: Annotated[tuple[str, ...], "Those that wait for a review."]
    review_points: Annotated[tuple[str, ...], "What a person decides, and when."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDesignIntakeBundle:
    """All that the design of a task leaves: the unit that is learned from."""

    bundle_id: Annotated[str, "The same content has the same id."]
    design_session_id: Annotated[Id, "Id of the session."]
    outcome: Annotated[DesignOutcome | None, "How it ended; null while it goes on."]
    user_intent_text: Annotated[str, "What the user said at first."]
    resolved_intent_summary: Annotated[str, "What it was taken to mean."]
    inferred_task_type: Annotated[str | None, "What type of task it is."]
    work_context_ids: Annotated[tuple[Id, ...], "Ids of what the work is about."]
    matter_or_project_ids: Annotated[tuple[Id, ...], "Ids of its matters and projects."]
    goal_ids: Annotated[tuple[Id, ...], "Ids of its goals."]
    template_match_id: Annotated[Id | None, "Id of the kept search for templates."]
    task_mode_decision_id: Annotated[Id | None, "Id of the decision that led to the design."]
    selected_template_ids: Annotated[tuple[Id, ...], "Ids of templates that were adapted, accepted or used."]
    selected_preset_ids: Annotated[tuple[Id, ...], "Ids of presets that were accepted."]
    considered_pattern_ids: Annotated[tuple[Id, ...], "Ids of shapes that were looked at."]
    considered_case_ids: Annotated[tuple[Id, ...], "Ids of cases that were looked at."]
    task_blueprint_id: Annotated[Id | None, "Id of the blueprint that was proposed."]
    graph_proposal_id: Annotated[Id | None, "Id of the graph that was last proposed."]
    capability_plan: Annotated[CapabilityPlan, "Which capabilities it uses."]
    artifact_intake_policy: Annotated[str | None, "How far its outputs go."]
    artifact_policy_ids: Annotated[tuple[Id, ...], "Ids of the policies that hold for its outputs."]
    telemetry_memory_policy: Annotated[str | None, "What is recorded of its runs."]
    side_effect_review_plan: Annotated[SideEffectPlan, "What it does to the outside world."]
    assessment_plan: Annotated[str | None, "How its results are judged."]
    preflight_report_ref: Annotated[str | None, "Where a report of its preflight is kept."]
    preflight_ids: Annotated[tuple[Id, ...], "Ids of the preflights of what it proposed, latest first."]
    guidance_card_ids: Annotated[tuple[Id, ...], "Ids of the doctrine and other cards that it was guided by."]
    looked_up_ids: Annotated[tuple[Id, ...], "Ids of what was looked up since."]
    question_ids: Annotated[tuple[Id, ...], "Ids of the questions that were asked, and of answers that came unasked."]
    extracted_instruction_candidates: Annotated[
        tuple[HeardStatement, ...], "What the user said about how they want to be served."
    ]
    extracted_user_preferences: Annotated[tuple[HeardStatement, ...], "What the user said that they like."]
    extracted_goal_links: Annotated[tuple[Id, ...], "Ids of goals that the blueprint states or the user named."]
    extracted_template_routing_directives: Annotated[tuple[HeardStatement, ...], "What they said about templates."]
    extracted_design_learning_signal_ids: Annotated[tuple[Id, ...], "Ids of the signals that it gave."]
    saved_ids: Annotated[tuple[Id, ...], "Ids of the tasks and templates that came of it."]
    receipt_ids: Annotated[tuple[Id, ...], "Ids of the receipts of tasks that an agent made."]
    edit_trace_ids: Annotated[tuple[Id, ...], "Ids of the traces of what was edited."]
    later_run_ids: Annotated[tuple[Id, ...], "Ids of the runs of what came of it, latest first."]
    records: ClassVar = Linked("linked_ids", "All records of the bundle.", many=True)

    @property
    def linked_ids(self) -> list[str]:
        many: Iterable[tuple[str, ...]] = (
            self.work_context_ids,
            self.goal_ids,
            self.selected_template_ids,
            self.selected_preset_ids,
            self.considered_pattern_ids,
            self.considered_case_ids,
            self.capability_plan.requires_ids,
            self.capability_plan.allows_ids,
            self.capability_plan.denies_ids,
            self.artifact_policy_ids,
            self.extracted_goal_links,
            self.extracted_design_learning_signal_ids,
            self.saved_ids,
            self.receipt_ids,
            self.edit_trace_ids,
            self.preflight_ids,
            self.guidance_card_ids,
            self.looked_up_ids,
            self.question_ids,
            self.later_run_ids,
            self.matter_or_project_ids,
            tuple(one.id for one in self.extracted_user_preferences),
            tuple(one.id for one in self.extracted_template_routing_directives),
        )
        single = (self.design_session_id, self.template_match_id, self.task_mode_decision_id)
        single += (self.task_blueprint_id, self.graph_proposal_id)
        return list(dict.fromkeys([*(one for one in single if one), *(one for some in many for one in some)]))
