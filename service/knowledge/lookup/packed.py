"""The cards that an agent's pack names: of the families that its work asks for, as far as the profile allows."""

from graph_schema.knowledge.words import CardFamily
from graph_schema.memory.continuation_words import Entrypoint
from service.access.viewer import Viewer
from service.context.agent_pack.knowledge import KnowledgeCards
from service.context.agent_pack.records import MOST_CARDS, Cards, CompactCard
from service.knowledge.lookup.read import Lookups
from service.knowledge.lookup.turn import Turn

_E, _F = Entrypoint, CardFamily
_RULES = (_F.doctrine_card, _F.decision_card, _F.hint_card)
_MODULES = (_F.module_card, _F.config_card, _F.validation_card, _F.rationale_card, _F.config_rationale_card)
_DESIGN = (*_RULES, _F.model_selection_card, _F.pattern_card, _F.anti_pattern_card, _F.worked_example, _F.design_case)
_PROMPT = (_F.prompt_guide_card, _F.doctrine_card, _F.hint_card)
FAMILIES = {
    _E.consult_task_opportunity: (_F.invocation_card, _F.decision_card),
    _E.design_task: _DESIGN,
    _E.adapt_task_template: _DESIGN,
    _E.review_existing_task: (*_DESIGN, _F.validation_card),
    _E.inspect_task_run: (_F.module_card, _F.validation_card, _F.hint_card),
    _E.retrieve_task_output: (_F.module_card, _F.port_card),
    _E.explain_task_graph: (*_MODULES, _F.port_card, _F.pattern_card, _F.anti_pattern_card),
    _E.assess_task: _DESIGN,
    _E.assess_task_portfolio: _DESIGN,
    _E.answer_task_system_question: tuple(CardFamily),
    _E.improve_task_prompt: _PROMPT,
    _E.review_prompt_quality: _PROMPT,
    _E.generate_prompt_variants: _PROMPT,
    _E.test_prompt_variants: _PROMPT,
    _E.propose_prompt_update: _PROMPT,
}
"""Which cards help with which work."""


class PackedCards(KnowledgeCards):
    def __init__(self, lookups: Lookups) -> None:
        self._lookups = lookups

    async def fitting(self, viewer: Viewer, text: str, entrypoint: Entrypoint) -> Cards:
        """Named, and not told: their texts are for whoever looks one up."""
        found = await self._lookups.guidance(viewer, Turn(), text, FAMILIES[entrypoint], MOST_CARDS)
        return tuple(
            CompactCard(one.card_id, "KnowledgeCard", one.title, f"{one.family}: {one.subject}", one.score)
            for one in found.cards
            if one.card_id
        )
