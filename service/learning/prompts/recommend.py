"""What a test of prompts recommends, by its results. Pure: the same results in any order recommend the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph_schema.knowledge.prompt_words import PromptRecommendation as Recommendation
from graph_schema.knowledge.prompt_words import PromptSurface
from service.learning.prompts.errors import ResultsInvalid

ENOUGH = 10
"""Examples that a variant is tried on at least."""
MARGIN = 0.05
"""By how much a candidate is better than the prompt as it is, at least."""
WEAK = 0.5
"""A mean below which the judge found the prompt weak."""


@dataclass(frozen=True, slots=True)
class VariantResult:
    """What came out for a variant. `candidate` is None for the prompt as it is."""

    candidate: str | None
    examples: int
    mean_score: float
    parser_failures: int = 0

    def check(self) -> None:
        if not 0 <= self.mean_score <= 1:
            raise ResultsInvalid("a mean score is from 0 to 1")
        if self.examples < 1 or not 0 <= self.parser_failures <= self.examples:
            raise ResultsInvalid("there is at least one example, and no more failures than examples")


@dataclass(frozen=True, slots=True)
class Recommended:
    """What is recommended, why, and for which candidate."""

    recommendation: Recommendation
    because: str
    winner: str | None = None


_ADOPT: Mapping[PromptSurface, Recommendation] = {
    PromptSurface.chat_composer: Recommendation.save_as_recipe,
    PromptSurface.prompt_recipe: Recommendation.save_as_recipe,
    PromptSurface.module_preset_prompt: Recommendation.save_as_module_preset,
    PromptSurface.task_template_prompt: Recommendation.propose_template_update,
}


def recommend(results: Sequence[VariantResult], surface: PromptSurface) -> Recommended:
    """By the means, where there are enough examples; the better one of two that are alike is the prompt as it is."""
    known = {one.candidate: one for one in results}
    base = known.get(None)
    others = [one for one in results if one.candidate is not None]
    if base is None or not others:
        return Recommended(
            Recommendation.manual_review, "There is nothing to compare: the prompt or its candidates lack."
        )
    few = min(one.examples for one in results)
    if few < ENOUGH:
        return Recommended(
            Recommendation.needs_more_examples, f"A variant was tried on {few} examples; {ENOUGH} tell more."
        )
    best = max(others, key=lambda one: (one.mean_score, -one.parser_failures, one.candidate or ""))
    ahead = best.mean_score - base.mean_score
    told = f"{best.mean_score:.2f} against {base.mean_score:.2f} on {best.examples} examples"
    if ahead < MARGIN:
        return Recommended(Recommendation.keep_original, f"No candidate is better by {MARGIN}: the best has {told}.")
    if best.parser_failures * base.examples > base.parser_failures * best.examples:
        failed = f"{best.parser_failures} of its results could not be read behind it"
        return Recommended(Recommendation.manual_review, f"The best has {told}, but {failed}.")
    return Recommended(
        _ADOPT.get(surface, Recommendation.adopt_candidate), f"It has {told}, and is read no worse.", best.candidate
    )
