"""What is said of a prompt: its gaps, a rewrite, what to do next. Pure: the same in the same place gives the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from graph_schema.knowledge.prompt_words import (
    GapSeverity,
    PromptGap,
    PromptImprovementMode,
    PromptNextStep,
    PromptOrchestrator,
    PromptSurface,
)
from service.knowledge.prompts.gaps.finding import PromptFinding
from service.knowledge.prompts.gaps.rules import VERSION, findings
from service.knowledge.prompts.measured import SOUND, TRUE
from service.knowledge.prompts.place import Place, PromptConsumer, orchestrator
from service.knowledge.prompts.rewrite import PromptRewrite, rewrite
from service.knowledge.prompts.text import checked, hash_of, language_of, sentences
from service.views import Id, Linked

JUDGED = "English"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPlace:
    """Where the prompt was taken to live: what was known when it was looked at."""

    surface: Annotated[PromptSurface, "Where it lives."]
    record_id: Annotated[Id | None, "The task, template, preset or graph; null when none was named."]
    module_key: Annotated[str | None, "The module of it."]
    module_type: Annotated[str | None, "Its type."]
    downstream_consumers: Annotated[tuple[PromptConsumer, ...], "What stands behind it."]
    expected_output_contract: Annotated[str | None, "What it is to make."]
    named_outputs: Annotated[tuple[str, ...], "Outputs that what stands behind it takes apart."]
    capabilities: Annotated[tuple[str, ...], "What it may use."]
    record: ClassVar = Linked("record_id", "What it belongs to, as it is now.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCheck:
    """What a prompt lacks, by rules; none of it is kept."""

    prompt_hash: Annotated[str, "Hash of the text."]
    language: Annotated[str | None, "The language that it seems to be in; null when nothing tells."]
    judged: Annotated[bool, "Whether the rules read it. They read English."]
    place: Annotated[PromptPlace, "Where it lives, as far as that is known."]
    quality_findings: Annotated[
        tuple[PromptFinding, ...], "Its gaps: first what breaks something, then what is missing."
    ]
    confidence: Annotated[
        float,
        "How often the rules are right where they say this, on prompts that were labelled before: of findings, the "
        "least sure; without any, how often such a prompt is sound.",
    ]
    recommended_next_step: Annotated[PromptNextStep, "What to do next."]
    orchestrator: Annotated[PromptOrchestrator, "Who leads further help."]
    rewrite: Annotated[PromptRewrite | None, "The prompt with what it lacks; null where nothing is missing."]
    rules: Annotated[str, "Name and version of the rules."]
    sentences: Annotated[int, "Sentences that were read."]

    @property
    def text(self) -> Annotated[str, "The answer in plain words."]:
        if not self.judged:
            seen = self.language or "no language that is known here"
            return f"It seems to be in {seen}; the rules read English, so nothing is judged."
        if not self.quality_findings:
            return "Nothing is missing by these rules."
        return "\n".join(_told(one) for one in self.quality_findings)


def _told(one: PromptFinding) -> str:
    shown = f" (“{one.shown_by[0].text}”)" if one.shown_by else ""
    return f"- {one.finding_kind}, {one.severity}: {one.explanation}{shown} {one.suggested_fix}"


def check(text: str, place: Place, told: PromptPlace, mode: PromptImprovementMode) -> PromptCheck:
    checked(text)
    language = language_of(text)
    judged = language == JUDGED
    found = findings(text, place) if judged else ()
    return PromptCheck(
        prompt_hash=hash_of(text),
        language=language,
        judged=judged,
        place=told,
        quality_findings=found,
        confidence=confidence(found) if judged else 0.0,
        recommended_next_step=next_step(found, place, judged=judged),
        orchestrator=orchestrator(place.surface, mode),
        rewrite=rewrite(text, place, found) if mode is not PromptImprovementMode.quick_check else None,
        rules=VERSION,
        sentences=len(sentences(text)),
    )


def confidence(found: Sequence[PromptFinding]) -> float:
    return min((TRUE[one.finding_kind] for one in found), default=SOUND)


_BREAKS = frozenset(
    {PromptGap.unsafe_side_effect_instruction, PromptGap.overconstrained, PromptGap.downstream_incompatibility}
)
_MANY = 3


def next_step(found: Sequence[PromptFinding], place: Place, *, judged: bool) -> PromptNextStep:
    """What breaks something, or lacks much, a person looks at first; what is nearly there is worth a test."""
    if not judged:
        return PromptNextStep.defer
    if not found:
        return PromptNextStep.accept
    if any(one.finding_kind in _BREAKS for one in found) or len(found) >= _MANY:
        return PromptNextStep.manual_review
    if place.is_rubric:
        return PromptNextStep.run_judge_eval
    tested = place.surface.value.startswith("doc23") and all(one.severity is not GapSeverity.high for one in found)
    return PromptNextStep.run_experiment if tested else PromptNextStep.manual_review
