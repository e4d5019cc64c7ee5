"""What each kind of proposal changes, and as what it stands in the ledger. One table."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph_schema.learning.proposal_words import PromotedKind, ProposalKind


@dataclass(frozen=True, slots=True)
class Aim:
    """The kinds of record that a proposal may change, and what is promoted by it."""

    kinds: tuple[str, ...]
    promotes: PromotedKind


AIMS: Mapping[ProposalKind, Aim] = {
    ProposalKind.template_semantic_card_update: Aim(("Template",), PromotedKind.semantic_card),
    ProposalKind.module_preset_semantic_card_update: Aim(("Preset",), PromotedKind.semantic_card),
    ProposalKind.task_template_update: Aim(
        ("Template", "Task", "TemplateGroup", "Blueprint"), PromotedKind.task_template
    ),
    ProposalKind.module_preset_update: Aim(("Preset",), PromotedKind.module_preset),
    ProposalKind.design_pattern_card_update: Aim(("Pattern",), PromotedKind.pattern_card),
    ProposalKind.anti_pattern_card_update: Aim(("Pattern",), PromotedKind.pattern_card),
    ProposalKind.output_archetype_default_update: Aim(("Template", "Preset"), PromotedKind.task_template),
    ProposalKind.artifact_policy_default_update: Aim(("Policy",), PromotedKind.procedure_binding),
    ProposalKind.question_policy_update: Aim(("Preference", "Procedure"), PromotedKind.task_agent_instruction),
    ProposalKind.task_agent_instruction_candidate: Aim(
        ("Procedure", "Preference", "Memory", "CoreContract", "EducationProfile"), PromotedKind.task_agent_instruction
    ),
    ProposalKind.task_invocation_directive_update: Aim(
        ("InvocationDirective", "Directive"), PromotedKind.procedure_binding
    ),
    ProposalKind.task_mode_policy_update: Aim(("AgentProfile",), PromotedKind.task_agent_instruction),
    ProposalKind.task_design_hint_card_update: Aim(("WrittenCard",), PromotedKind.semantic_card),
    ProposalKind.prompt_design_guide_card_update: Aim(("WrittenCard",), PromotedKind.semantic_card),
    ProposalKind.prompt_update_proposal: Aim(("Prompt",), PromotedKind.module_instruction),
}


def promoted(kind: ProposalKind, label: str) -> PromotedKind:
    """As what a change stands in the ledger."""
    return PromotedKind.task_blueprint if label == "Blueprint" else AIMS[kind].promotes
