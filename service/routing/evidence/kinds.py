"""The kinds of evidence, and which of the specification's signals each of them is."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from graph_schema.routing.decision_words import TaskSignal as Signal
from service.views import Id, Linked


class EvidenceKind(StrEnum):
    """What was found in a request, or known about it."""

    run_command = "run_command"
    run_again = "run_again"
    run_it = "run_it"
    design_command = "design_command"
    adapt_command = "adapt_command"
    review_command = "review_command"
    prompt_command = "prompt_command"
    inspect_question = "inspect_question"
    inspect_it = "inspect_it"
    output_request = "output_request"
    output_it = "output_it"
    fit_question = "fit_question"
    concept_question = "concept_question"
    list_question = "list_question"
    named_task = "named_task"
    named_template = "named_template"
    named_preset = "named_preset"
    named_run = "named_run"
    named_output = "named_output"
    open_task = "open_task"
    open_run = "open_run"
    recurrence = "recurrence"
    going_forward = "going_forward"
    trigger = "trigger"
    watch_stream = "watch_stream"
    watch_once = "watch_once"
    background = "background"
    session_status = "session_status"
    infrastructure = "infrastructure"
    light_recurring = "light_recurring"
    side_job = "side_job"
    work = "work"
    gates = "gates"
    audit = "audit"
    depth = "depth"
    sources = "sources"
    red_team = "red_team"
    multi_step = "multi_step"
    many_outputs = "many_outputs"
    output_alone = "output_alone"
    long_running = "long_running"
    stakes = "stakes"
    template_match = "template_match"
    template_close = "template_close"
    template_none = "template_none"
    directive = "directive"
    directive_against = "directive_against"
    accepted_before = "accepted_before"
    refused_before = "refused_before"
    asked_often = "asked_often"
    quick = "quick"
    no_task = "no_task"
    conversation = "conversation"
    single_tool = "single_tool"
    creative = "creative"
    vague = "vague"
    plain_question = "plain_question"
    simple_ask = "simple_ask"
    broken_order = "broken_order"
    other_language = "other_language"
    nothing_said = "nothing_said"
    input_missing = "input_missing"


Kind = EvidenceKind


@dataclass(frozen=True, slots=True)
class ModeEvidence:
    """One thing that was found, with what made it so."""

    kind: Annotated[EvidenceKind, "What was found."]
    words: Annotated[str | None, "The words of the request that say it."] = None
    why: Annotated[str | None, "What else makes it so: a match, a directive, feedback, a fact."] = None
    record_id: Annotated[Id | None, "Id of the record that makes it so."] = None
    record: ClassVar = Linked("record_id", "The record that makes it so.")


EXPLICIT = frozenset({
    Kind.run_command, Kind.run_again, Kind.run_it, Kind.design_command, Kind.adapt_command, Kind.review_command,
    Kind.prompt_command, Kind.inspect_question, Kind.inspect_it, Kind.output_request, Kind.output_it, Kind.fit_question,
})  # fmt: skip
"""What asks for a task, a template, a run or an output outright."""

SIGNALS: dict[EvidenceKind, Signal] = {
    **dict.fromkeys(EXPLICIT, Signal.explicit_task_request),
    Kind.design_command: Signal.user_asked_to_set_up_process,
    Kind.adapt_command: Signal.user_asked_to_set_up_process,
    Kind.going_forward: Signal.user_asked_to_set_up_process,
    Kind.inspect_question: Signal.task_output_or_run_question,
    Kind.inspect_it: Signal.task_output_or_run_question,
    Kind.output_request: Signal.task_output_or_run_question,
    Kind.output_it: Signal.task_output_or_run_question,
    Kind.named_task: Signal.existing_task_name_referenced,
    Kind.named_run: Signal.existing_task_name_referenced,
    Kind.named_output: Signal.task_output_or_run_question,
    Kind.named_template: Signal.existing_template_name_referenced,
    Kind.named_preset: Signal.existing_template_name_referenced,
    Kind.template_match: Signal.matching_template_high_confidence,
    Kind.long_running: Signal.long_running,
    Kind.recurrence: Signal.recurring_or_monitoring,
    Kind.watch_stream: Signal.recurring_or_monitoring,
    Kind.trigger: Signal.requires_scheduled_or_triggered_execution,
    Kind.multi_step: Signal.multi_step_workflow,
    Kind.many_outputs: Signal.multiple_independent_artifacts,
    Kind.gates: Signal.requires_human_gates,
    Kind.audit: Signal.requires_audit_trail,
    Kind.background: Signal.requires_background_progress,
    Kind.output_alone: Signal.requires_background_progress,
    Kind.directive: Signal.existing_invocation_directive_match,
    Kind.accepted_before: Signal.known_user_preference_for_task_in_context,
}
"""Which signal of §3C.6 a kind is. `high_stakes_repeatable_process` needs two: stakes, and that it comes again."""

RECURS = frozenset({Kind.recurrence, Kind.going_forward, Kind.trigger, Kind.watch_stream})
FORMAL = frozenset(
    {
        Kind.gates,
        Kind.audit,
        Kind.many_outputs,
        Kind.output_alone,
        Kind.long_running,
        Kind.depth,
        Kind.sources,
        Kind.red_team,
    }
)
"""What makes a process with its state, gates and outputs worth it. That a request is complex is not among it."""
