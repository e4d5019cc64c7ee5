"""What callers say of how a request was met."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.fields import DataClass
from graph_schema.routing.decision_words import ExecutionMode, OpportunityLevel
from graph_schema.routing.words import UserResponse
from service.commands import RecordRef
from service.views import Id, OrNull, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class InvocationInput:
    """How a request was met: what was decided, what the user did, and what came of it."""

    trace: Annotated[
        RecordRef | None, "A trace to complete: then only what the user did and what came of it is told."
    ] = None
    decision: Annotated[RecordRef | None, "The decision that was kept. What it says need not be told again."] = None
    user_request_ref: Annotated[str | None, "Where the request is kept, as the caller calls it."] = None
    initial_user_text_summary: Annotated[str | None, "What the user said, in short. Traces teach by these words."] = (
        None
    )
    resolved_intent_summary: Annotated[str | None, "What it was taken to mean."] = None
    selected_mode: Annotated[ExecutionMode | None, "What was decided."] = None
    task_opportunity_level: Annotated[OpportunityLevel | None, "How much spoke for a task."] = None
    context_class: Annotated[str | None, "The class of context that it belongs to."] = None
    matched_directives: Annotated[OrNull[tuple[RecordRef, ...]], "Invocation directives that had matched."] = ()
    matched_task_templates: Annotated[OrNull[tuple[RecordRef, ...]], "Templates that had matched, best first."] = ()
    matched_module_presets: Annotated[OrNull[tuple[RecordRef, ...]], "Presets that had matched."] = ()
    task_agent_invoked: Annotated[bool, "Whether the Task Agent was asked."] = False
    task_agent_entrypoint: Annotated[Entrypoint | None, "What it was asked to do."] = None
    task_agent_consult: Annotated[RecordRef | None, "The consult that was recorded of it."] = None
    user_asked_whether_task_fits: Annotated[bool, "Whether the user asked if a saved task fits."] = False
    user_visible_task_suggestion_shown: Annotated[bool, "Whether the user saw a suggestion."] = False
    user_response: Annotated[UserResponse | None, "What the user did."] = None
    edit_count_after_acceptance: Annotated[int, "How often the user edited what they had accepted."] = 0
    resulting_task: Annotated[RecordRef | None, "The task that came of it."] = None
    resulting_run: Annotated[RecordRef | None, "The run that came of it."] = None
    resulting_task_receipt_ref: Annotated[str | None, "Where the receipt of the task is kept."] = None
    decided_at: Annotated[Time | None, "When it was decided; now, when left out."] = None
    responded_at: Annotated[Time | None, "When the user responded; now, when left out."] = None
    data_class: Annotated[DataClass | None, "How sensitive it is, beside what it inherits."] = None
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "Matters that it belongs to, beside those that it inherits."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()

    def refs(self) -> list[tuple[str, str, RecordRef]]:
        """All that is named: by which field, as what, and how."""
        single = (
            ("trace", "InvocationTrace", self.trace),
            ("decision", "ModeDecision", self.decision),
            ("task_agent_consult", "Consult", self.task_agent_consult),
            ("resulting_task", "Task", self.resulting_task),
            ("resulting_run", "Run", self.resulting_run),
        )
        return [*((field, label, ref) for field, label, ref in single if ref is not None), *self.matched()]

    def matched(self) -> list[tuple[str, str, RecordRef]]:
        return [
            *(("matched_task_templates", "Template", one) for one in self.matched_task_templates),
            *(("matched_module_presets", "Preset", one) for one in self.matched_module_presets),
            *(("matched_directives", "InvocationDirective", one) for one in self.matched_directives),
        ]
