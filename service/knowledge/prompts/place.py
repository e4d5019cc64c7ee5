"""Where a prompt lives: its surface, what stands behind it and reads what it makes, what it may use."""

import re
from dataclasses import dataclass
from typing import Annotated

from graph_schema.knowledge.prompt_words import OutputForm, PromptOrchestrator, PromptSurface
from graph_schema.knowledge.prompt_words import PromptImprovementMode as Mode

OF_TASKS = frozenset(
    {
        PromptSurface.doc23_module_instruction,
        PromptSurface.doc23_judge_rubric,
        PromptSurface.doc23_output_contract,
        PromptSurface.red_team_prompt,
        PromptSurface.task_template_prompt,
        PromptSurface.module_preset_prompt,
    }
)
"""Surfaces that the Task Agent answers for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptConsumer:
    """What stands behind a prompt and works on its result."""

    name: Annotated[str, "What people call it: a module, a parser, a system."]
    reads: Annotated[OutputForm | None, "The form that it can read; any, when left out."] = None


@dataclass(frozen=True, slots=True)
class Place:
    """All that is known of where a prompt lives. It says nothing of the prompt's own words."""

    surface: PromptSurface = PromptSurface.chat_composer
    module_type: str | None = None
    downstream: tuple[PromptConsumer, ...] = ()
    contract: str | None = None
    capabilities: tuple[str, ...] = ()
    named_outputs: tuple[str, ...] = ()

    @property
    def is_rubric(self) -> bool:
        return self.surface is PromptSurface.doc23_judge_rubric

    @property
    def is_contract(self) -> bool:
        return self.surface is PromptSurface.doc23_output_contract

    @property
    def needed(self) -> dict[OutputForm, str]:
        """The forms that the result must have, with who needs them."""
        found = {one.reads: one.name for one in self.downstream if one.reads}
        if self.contract and (form := _form(self.contract)):
            found.setdefault(form, "the output contract")
        return found


_FORM = re.compile(r"\b(json|csv|yaml|xml|html)\b", re.IGNORECASE)


def _form(contract: str) -> OutputForm | None:
    found = _FORM.search(contract)
    return OutputForm(found[1].lower()) if found else None


def orchestrator(surface: PromptSurface, mode: Mode) -> PromptOrchestrator:
    """Who leads: quick help stays quick, what belongs to a task is the Task Agent's, a test is a tracked task."""
    if mode not in (Mode.quick_check, Mode.rewrite):
        tested = mode is not Mode.generate_variants
        return PromptOrchestrator.doc23_prompt_evaluation_task if tested else PromptOrchestrator.task_agent
    return PromptOrchestrator.task_agent if surface in OF_TASKS else PromptOrchestrator.doc17_prompt_advisor_service
