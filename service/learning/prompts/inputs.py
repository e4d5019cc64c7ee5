"""What callers say of tests of prompts, of edits, and of what became of help with them."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    ExperimentMode,
    PromptFeedbackKind,
    PromptKind,
    VariantSource,
)
from service.commands import RecordRef
from service.views import OrNull


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptVariantInput:
    """A variant of an experiment, and where its instruction comes from."""

    variant: Annotated[str, "What the experiment calls it."]
    source: Annotated[VariantSource, "Where its instruction comes from."]
    candidate: Annotated[RecordRef | None, "The candidate that it is; none of the prompt as it is."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptGenerationInput:
    """How an experiment makes its candidates, where it makes them itself."""

    methods: Annotated[tuple[CandidateMethod, ...], "The ways in which they are made; reserved ones are refused."]
    candidate_count: Annotated[int, "How many."] = 3
    enabled: Annotated[bool, "Whether they are made; else what is there is tried."] = True
    preserve_constraints: Annotated[bool, "Whether constraints are kept."] = True
    preserve_output_contract: Annotated[bool, "Whether the form of the result is kept."] = True
    preserve_tool_policy: Annotated[bool, "Whether what is said of tools is kept."] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptEvaluationInput:
    """A test of candidates for a prompt, to be carried out elsewhere."""

    prompt: Annotated[RecordRef, "The prompt as it is: the baseline."]
    prompt_kind: Annotated[PromptKind, "What kind of prompt it is."]
    evaluation_goal: Annotated[str, "What the test is to show."]
    variants: Annotated[tuple[PromptVariantInput, ...], "What is compared."]
    experiment_mode: Annotated[ExperimentMode, "Where the candidates come from."]
    bundle: Annotated[RecordRef | None, "The bundle that they are of."] = None
    generation_config: Annotated[
        PromptGenerationInput | None, "How candidates are made; only where the experiment makes them."
    ] = None
    eval_dataset: Annotated[RecordRef | None, "The frozen dataset that it is tried on."] = None
    eval_dataset_ref: Annotated[str | None, "The data that it is tried on, where it is kept elsewhere."] = None
    eval_dataset_hash: Annotated[str | None, "Hash of that data."] = None
    judge_rubric_refs: Annotated[OrNull[tuple[str, ...]], "The rubrics that judge it."] = ()
    experiment_run_refs: Annotated[OrNull[tuple[str, ...]], "Runs of the experiment."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptResultInput:
    """What came out for one variant."""

    candidate: Annotated[RecordRef | None, "The candidate; none for the prompt as it is."] = None
    examples: Annotated[int, "Examples that it was tried on."]
    mean_score: Annotated[float, "What the judge gave, from 0 to 1."]
    parser_failures: Annotated[int, "Results that what stands behind it could not read."] = 0
    evidence_ref: Annotated[str | None, "Where the single scores are kept."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptResultsInput:
    """What came out of a test."""

    evaluation: Annotated[RecordRef, "The test."]
    results: Annotated[tuple[PromptResultInput, ...], "A result for each variant."]
    result_summary_ref: Annotated[str | None, "Where they are summed up."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptEditInput:
    """A prompt before and after somebody changed it. The texts are compared, and not kept."""

    about: Annotated[RecordRef, "The prompt, or what it belongs to."]
    before: Annotated[str, "The text before."]
    after: Annotated[str, "The text after."]
    design_session: Annotated[RecordRef | None, "The design session in which it was changed."] = None
    evidence_ref: Annotated[str | None, "Where evidence is kept."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFeedbackInput:
    """What became of help with a prompt, or of a prompt. It changes nothing by itself."""

    about: Annotated[RecordRef, "The prompt or candidate, or what it belongs to."]
    feedback: Annotated[PromptFeedbackKind, "What became of it."]
    before_hash: Annotated[str | None, "Hash of the text before."] = None
    after_hash: Annotated[str | None, "Hash of the text after."] = None
    note: Annotated[str | None, "Why, in a sentence; not the text itself."] = None
    evidence_ref: Annotated[str | None, "Where evidence is kept."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPromotionInput:
    """A winner that is to take the place of its prompt."""

    evaluation: Annotated[RecordRef, "The test that it won."]
    rationale: Annotated[str, "Why."]
