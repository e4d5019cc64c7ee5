"""What is said beside an answer and refuses nothing: a code of the specification, and what it means."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a reader of the answer should know. Nothing was refused because of it."""

    code: Annotated[str, "Which notice it is."]
    message: Annotated[str, "What it means, in a sentence."]
    remedy: Annotated[str | None, "What to do about it, where something can be done at once."] = None


MESSAGES = {
    "broad_scope_cut": "As many records as are looked at lie within the broad scope, the latest: there may be more. "
    "Declare fewer things, kinds or a shorter span of time.",
    "earlier_runs_cut": "The latest earlier runs were considered, as many as are looked at: there may be more. Name "
    "one that is needed as an input.",
    "full_text_trimmed": "The text of a document did not fit: it came as its reference. "
    "Ask with a larger `max_tokens`, or supply fewer pages.",
    "item_text_cut": "The text of an item is its beginning, which ends with …: its record has the rest.",
    "library_documents_cut": "Of the libraries in scope the nearest documents were considered, as many as are looked "
    "at: there may be more. Name one that is needed as an input, or bind a source set.",
    "source_set_cut": "A source set has as many parts as are listed: there may be more.",
    "target_model_unknown": "Nothing is known of how the target model makes tokens: they "
    "were estimated as for the known model that makes the most of them. Put its tokenizer file beside the others, or "
    "name a model of a known family.",
    "tokens_counted_by_bytes": "Text in a script that estimates do not cover was counted "
    "by its bytes, which is too much: put the target model's tokenizer file beside the others.",
    "warning.audit_export_redaction_required": "The profile tells more than outsiders may read: redact it before "
    "it is passed on.",
    "warning.blueprint_goal_unlinked": "The blueprint states no goal, so nothing can be told of what it is for.",
    "warning.boundary_axis_unknown": "no such axis is known; it is counted as it was said.",
    "warning.capability_historically_unreliable": "A tool that provides a capability here has failed or given little "
    "repeatedly: see toolHealth.",
    "warning.capability_historically_unused": "A tool that provides a capability here has not been called for long: "
    "see toolHealth.",
    "warning.context_compared_by_words": "What was saved just now is compared by its words alone until its vector is "
    "there, moments later: the next packet compares it by meaning.",
    "warning.final_output_not_saved_as_work_product": "A final document stays with its run: no work product is made "
    "of it.",
    "validation.task_knowledge_pack_stale_blocking": "Modules or ports have changed since the knowledge pack was "
    "compiled: it is good for looking things up, and for no design. Compile it anew.",
    "warning.knowledge_pack_missing": "No knowledge pack is in use: only what is live is told. Compile one "
    "and activate it (compileKnowledge).",
    "warning.knowledge_pack_stale_nonblocking": "Something has changed since the knowledge pack was compiled.",
    "warning.intermediate_output_likely_high_value": "An intermediate output was opened, bookmarked or cited, and "
    "stays with its run alone.",
    "warning.prompt_candidate_keeps_nothing": "A candidate keeps no sentence of the prompt that it could replace: look "
    "whether it still asks for the same.",
    "warning.shared_task_feature_deferred_doc50": "Something that is granted here is kept as asked for, and not "
    "possible yet: running, editing, sending, saving, memories, capabilities and the Task Agent of a share.",
    "warning.task_agent_panel_unscoped_thread": "The thread is confined to nothing: name a task, a run, a module or "
    "an artifact.",
    "warning.task_design_case_candidate": "Steps, modules or cables were changed by a person, and no case was learned "
    "from it yet.",
    "warning.task_module_context_broad_scope_declared": "The run looks across matters and libraries, because its task "
    "says so.",
    "warning.task_module_context_library_candidate_excluded": "A library was kept out: it is not bound to the run.",
    "warning.task_module_context_prior_task_candidate_excluded": "An earlier run or task was kept out.",
    "warning.task_module_context_relevant_memory_trimmed": "Memories, rules or earlier runs that are relevant did not "
    "fit the budget.",
    "warning.task_module_context_surface_context_excluded": "A surface was open, and nothing of it was taken.",
    "warning.task_module_context_trigger_scope_low_confidence": "What the trigger names is doubtful, or nothing that "
    "is known: confirm the scope.",
    "warning.task_segment_possible_duplicate": "There is a segment of the same shape: look whether one is enough.",
    "warning.template_match_available_but_new_graph_requested": "A blank task was asked for, though something that "
    "exists fits.",
    "validation.blueprint_graph_mismatch": "Steps of the blueprint name modules that the graph does not have.",
}


def notices_of(codes: Iterable[str]) -> tuple[Notice, ...]:
    """The notices that these codes stand for."""
    return tuple(Notice(code, MESSAGES[code]) for code in codes)
