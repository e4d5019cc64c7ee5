"""What callers say of prompts, candidates and their tests."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    PromptBundleMaker,
    PromptOwner,
    PromptPromotionState,
    PromptRole,
    PromptSurface,
)
from graph_schema.memory.words import PromptCapture
from service.commands import RecordRef
from service.views import OrNull


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptInput:
    """A prompt, as its owner has it."""

    name: Annotated[str, "What people call it."]
    lives_in: Annotated[RecordRef, "What it belongs to: its access is that one's."]
    surface: Annotated[PromptSurface, "Where it lives."]
    owner_surface: Annotated[PromptOwner | None, "Who it belongs to; by where it lives, when left out."] = None
    prompt_role: Annotated[PromptRole, "What part it plays there."] = PromptRole.instruction
    module_key: Annotated[str | None, "The module that it instructs, of a graph."] = None
    text: Annotated[str | None, "Its text; kept only where the policy allows it, else only its hash."] = None
    prompt_text_hash: Annotated[str | None, "SHA-256 of the text, where the text is not given."] = None
    prompt_text_ref: Annotated[str | None, "Where its owner keeps the text."] = None
    capture_prompts: Annotated[PromptCapture, "What may be kept. What it belongs to may say less."] = (
        PromptCapture.never
    )
    prompt_recipe_id: Annotated[str | None, "The recipe that it was made from."] = None
    runtime_truth_ref: Annotated[str | None, "Where the executor keeps what it ran with."] = None
    promotion_state: Annotated[PromptPromotionState, "Where it stands: draft, or active."] = PromptPromotionState.draft


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCandidateInput:
    """A candidate that was made elsewhere."""

    label: Annotated[str, "What people call it."]
    generation_method: Annotated[CandidateMethod, "How it was made."]
    text: Annotated[str | None, "Its text; kept only where the prompt's is."] = None
    prompt_hash: Annotated[str | None, "SHA-256 of its text, where the text is not given."] = None
    prompt_text_ref: Annotated[str | None, "Where its text is kept."] = None
    rationale: Annotated[str | None, "Why it may do better; not the text itself."] = None
    changed_elements_summary: Annotated[OrNull[tuple[str, ...]], "What it changes, an entry each."] = ()
    requires_llm_call: Annotated[bool | None, "Whether a model was asked, where the method leaves that open."] = None
    model_ref: Annotated[str | None, "The model that made it."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCandidatesInput:
    """Candidates for a prompt: received from outside, and made here."""

    prompt: Annotated[RecordRef, "The prompt."]
    candidates: Annotated[OrNull[tuple[PromptCandidateInput, ...]], "What was made elsewhere."] = ()
    generate: Annotated[
        OrNull[tuple[CandidateMethod, ...]], "What is made here: template_based_variant, prior_winner."
    ] = ()
    text: Annotated[str | None, "The prompt's text, for what is made here, where it is not kept."] = None
    made_by: Annotated[PromptBundleMaker, "Who made the candidates."] = PromptBundleMaker.user
    generation_context_ref: Annotated[str | None, "Where what they were made from is kept."] = None
    preserve_constraints: Annotated[bool, "Whether constraints were to be kept."] = True
    preserve_output_contract: Annotated[bool, "Whether the form of the result was to be kept."] = True
    preserve_tool_policy: Annotated[bool, "Whether what is said of tools was to be kept."] = True
