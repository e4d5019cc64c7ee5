"""How far a pack has come, and what it may be used for: each state needs all that stand before it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph_schema.knowledge.words import CardFamily, PackReadiness, PackUse

EVALUATED = ("step.agent_task", "step.judge", "step.red_team", "step.revisor", "step.experiment",
             "step.claim_extractor", "step.agent_review_gate", "utility.loop_controller")  # fmt: skip
DECISIONS = ("context_routing", "control_flow", "iteration", "triggering", "artifact_intake", "capability_binding",
             "model_selection", "output_delivery", "memory_policy", "evaluation")  # fmt: skip
EXAMPLES = ("draft_complaint", "evaluate_complaint", "red_team_document", "email_attachment_summarizer",
            "docket_monitor", "recurring_research_monitor", "file_watcher", "human_review_loop", "judge_experiment",
            "coding_task", "task_handoff", "library_ingestion")  # fmt: skip
SURFACES = ("agent_task_instruction", "judge_rubric", "red_team_prompt", "claim_extractor_instruction",
            "experiment_variant_instruction", "task_agent_design_question", "output_contract", "tool_use_instruction",
            "document_review_instruction")  # fmt: skip
_F, _R = CardFamily, PackReadiness
NEEDED: tuple[tuple[PackReadiness, CardFamily, tuple[str, ...]], ...] = (
    (_R.core_rationale_cards_authored, _F.rationale_card, EVALUATED),
    (_R.core_patterns_authored, _F.decision_card, DECISIONS),
    (_R.worked_examples_loaded, _F.worked_example, EXAMPLES),
    (_R.task_invocation_cards_loaded, _F.invocation_card, ("direct_first",)),
    (_R.prompt_design_cards_loaded, _F.prompt_guide_card, SURFACES),
)
USES = {
    PackUse.inspection_only: _R.schema_only,
    PackUse.task_review: _R.core_rationale_cards_authored,
    PackUse.task_design_draft_only: _R.worked_examples_loaded,
    PackUse.prompt_review: _R.prompt_design_cards_loaded,
    PackUse.task_design_production: _R.production_task_agent_ready,
}
_ORDER = tuple(PackReadiness)
AGENT_RUN = "a run of the evaluation suite, by an agent that was taught this pack, that passes (submitEvalRun)"


@dataclass(frozen=True, slots=True)
class Ready:
    state: PackReadiness
    activated_for: tuple[PackUse, ...]
    missing: tuple[str, ...]
    by_state: Mapping[str, list[str]]
    """What each state lacks of its own, where it lacks something."""


def readiness(
    cards: Iterable[tuple[str, str]], types: Iterable[str], failures: Sequence[str], *, agent_passed: bool
) -> Ready:
    """`cards`: family and subject of each; `types`: module types that there are; `failures`: checks of the suite that
    its worked examples do not meet; `agent_passed`: an agent that was taught it meets all of them."""
    held = {*cards}
    wanted: dict[PackReadiness, list[str]] = {_R.canonical_cards_generated: []}
    known = [*types]
    wanted[_R.canonical_cards_generated] += [
        f"{_F.module_card} {one}" for one in known if (_F.module_card.value, one) not in held
    ] or ([] if known else ["module_card of any module type"])
    for state, family, subjects in NEEDED:
        wanted[state] = [f"{family} {one}" for one in subjects if (family.value, one) not in held]
    wanted[_R.eval_suite_passing] = [f"worked example that meets {one}" for one in failures]
    wanted[_R.production_task_agent_ready] = [
        f"{one} of anything" for one in ("template_card", "preset_card") if not any(has == one for has, _ in held)
    ]
    wanted[_R.production_task_agent_ready] += [] if agent_passed else [AGENT_RUN]
    return _reached(wanted)


def _reached(wanted: Mapping[PackReadiness, list[str]]) -> Ready:
    state = _R.schema_only
    for one in _ORDER[1:]:
        if wanted.get(one):
            break
        state = one
    missing = tuple(each for one in _ORDER for each in wanted.get(one, ()))
    uses = tuple(use for use, least in USES.items() if _ORDER.index(least) <= _ORDER.index(state))
    return Ready(state, uses, missing, {one.value: some for one, some in wanted.items() if some})
