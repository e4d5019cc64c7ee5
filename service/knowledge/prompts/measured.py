"""How often the rules are right, as measured on prompts that were labelled before the rules were written.

Counted on `tests/knowledge/prompts/unseen.yaml`; `tests/knowledge/test_prompt_gaps.py` fails where this differs. Of the
findings of a kind, those that the label has too, with one more of either sort so that few are no certainty.
"""

from collections.abc import Mapping

from graph_schema.knowledge.prompt_words import PromptGap

TRUE: Mapping[PromptGap, float] = {
    PromptGap.missing_goal: 0.5,
    PromptGap.missing_source_scope: 0.8,
    PromptGap.missing_output_contract: 0.83,
    PromptGap.missing_tool_policy: 0.86,
    PromptGap.missing_evidence_policy: 0.88,
    PromptGap.missing_uncertainty_policy: 0.8,
    PromptGap.ambiguous_success_criteria: 0.8,
    PromptGap.downstream_incompatibility: 0.8,
    PromptGap.overconstrained: 0.8,
    PromptGap.underconstrained: 0.86,
    PromptGap.unsafe_side_effect_instruction: 0.8,
    PromptGap.judge_unscorable: 0.8,
}
SOUND = 0.8
