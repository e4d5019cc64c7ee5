"""Prompts by reference and hash, what was found in them, candidates for them, and tests of these."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    EvaluationState,
    ExperimentMode,
    PromptBundleMaker,
    PromptGap,
    PromptKind,
    PromptNextStep,
    PromptOwner,
    PromptPromotionState,
    PromptRecommendation,
    PromptRole,
    PromptSurface,
    PromptTestedState,
)
from graph_schema.memory.words import PromptCapture
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Text, Texts, Timestamp, field
from graph_schema.model.record import Record

Gaps = Annotated[list[PromptGap], PydanticField(max_length=len(PromptGap))]
Methods = Annotated[list[CandidateMethod], PydanticField(max_length=len(CandidateMethod))]


class Prompt(Record):
    """A prompt that belongs to something: held by reference and hash; by its text where policy allows."""

    label = "Prompt"
    plural = "prompts"
    prefix = "prmt"
    layer = EvidenceLayer.memory
    colour = "#d9a5b3"

    surface: PromptSurface = field("Where it lives.", filtered=True, authored=False)
    owner_surface: PromptOwner | None = field(
        "Who it belongs to; by where it lives, where nobody said.", default=None, filtered=True, authored=False
    )
    prompt_role: PromptRole = field("What part it plays there.", authored=False)
    prompt_text_ref: Key | None = field("Where its owner keeps the text.", default=None)
    prompt_text_hash: Key = field("Hash of the text.", indexed=True)
    text: LongText | None = field("The text, where the memory policy allows it.", default=None)
    capture_prompts: PromptCapture = field("What may be kept of it.", authored=False)
    module_key: Key | None = field("The module that it instructs, of a graph.", default=None, authored=False)
    prompt_recipe_id: Key | None = field("The recipe that it was made from.", default=None, authored=False)
    runtime_truth_ref: Key | None = field("Where the executor keeps what it ran with.", default=None, authored=False)
    evaluation_refs: Keys = field("Where evaluations of it are kept.", make=list)
    tested_status: PromptTestedState = field("Whether it was tested.", default=PromptTestedState.untested)
    promotion_state: PromptPromotionState = field(
        "Where it stands in its life.", default=PromptPromotionState.draft, filtered=True
    )


class PromptAssessment(Record):
    """What the rules found in a prompt, without its words where these may not be kept."""

    label = "PromptAssessment"
    plural = "prompt_assessments"
    prefix = "prass"
    layer = EvidenceLayer.learning
    colour = "#c98ba0"

    surface: PromptSurface = field("Where the prompt lives.", filtered=True, authored=False)
    prompt_hash: Key = field("Hash of the text that was looked at.", indexed=True, authored=False)
    module_key: Key | None = field("The module that it instructs.", default=None, authored=False)
    finding_kinds: Gaps = field("Its gaps, each kind once.", make=list, authored=False)
    findings: LongText = field(
        "The findings as JSON; with words of the prompt only where these are kept.", authored=False
    )
    confidence: float = field("How often the rules are right where they say this.", authored=False, ge=0, le=1)
    recommended_next_step: PromptNextStep = field("What to do next.", filtered=True, authored=False)
    suggested_prompt_ref: Key | None = field("Where a better one is kept.", default=None, authored=False)
    evidence_refs: Keys = field("Where evidence is kept.", make=list, authored=False)
    rules: Key = field("Name and version of the rules.", authored=False)
    assessed_at: Timestamp = field("When.", ordered=True, authored=False)
    assessed_by: Key = field("Id of the principal who asked.", authored=False)


class PromptBundle(Record):
    """Candidates for one prompt, and how they were made."""

    label = "PromptBundle"
    plural = "prompt_bundles"
    prefix = "prbun"
    layer = EvidenceLayer.learning
    colour = "#b78aa9"

    surface: PromptSurface = field("Where the prompt lives.", filtered=True, authored=False)
    source_prompt_hash: Key = field("Hash of the prompt that they vary.", authored=False)
    generation_methods_used: Methods = field("How they were made.", make=list, authored=False)
    generation_context_ref: Key | None = field("Where what they were made from is kept.", default=None, authored=False)
    made_by: PromptBundleMaker = field("Who made them.", authored=False)
    preserve_constraints: bool = field("Whether constraints were to be kept.", default=True, authored=False)
    preserve_output_contract: bool = field(
        "Whether the form of the result was to be kept.", default=True, authored=False
    )
    preserve_tool_policy: bool = field("Whether what is said of tools was to be kept.", default=True, authored=False)
    recorded_by: Key = field("Principal that recorded it.", authored=False)


class PromptCandidate(Record):
    """A prompt that could take the place of another."""

    label = "PromptCandidate"
    plural = "prompt_candidates"
    prefix = "prcan"
    layer = EvidenceLayer.learning
    colour = "#e3bfd0"

    prompt_hash: Key = field("Hash of its text.", indexed=True, authored=False)
    prompt_text_ref: Key | None = field("Where its text is kept.", default=None, authored=False)
    text: LongText | None = field("Its text, where the memory policy allows it.", default=None, authored=False)
    generation_method: CandidateMethod = field("How it was made.", filtered=True, authored=False)
    method_metadata: LongText = field("What is known of the method, as JSON.", authored=False)
    rationale: Text | None = field("Why it may do better.", default=None, authored=False)
    preserved_constraints: Texts = field(
        "What of the prompt it keeps, in words where these are kept.", make=list, authored=False
    )
    preserved_count: int | None = field(
        "How many sentences of the prompt it keeps.", default=None, authored=False, ge=0
    )
    changed_elements_summary: Texts = field("What it changes.", make=list, authored=False)
    tested_status: PromptTestedState = field(
        "Whether it was tested.", default=PromptTestedState.untested, authored=False
    )
    promotion_state: PromptPromotionState = field(
        "Where it stands.", default=PromptPromotionState.candidate, filtered=True, authored=False
    )


class PromptEvaluation(Record):
    """A test of candidates as a task that is tracked. Its results come from outside."""

    label = "PromptEvaluation"
    plural = "prompt_evaluations"
    prefix = "preva"
    layer = EvidenceLayer.learning
    colour = "#9a6f95"

    prompt_kind: PromptKind = field("What kind of prompt is tested.", filtered=True, authored=False)
    evaluation_goal: Text = field("What the test is to show.", authored=False)
    evaluation_state: EvaluationState = field("Where it stands.", filtered=True, authored=False)
    source_prompt_hash: Key = field("Hash of the prompt as it was.", authored=False)
    candidate_generation_methods: Methods = field("How its candidates were made.", make=list, authored=False)
    eval_dataset_ref: Key | None = field("The data that it is tried on.", default=None, authored=False)
    eval_dataset_hash: Key | None = field("Hash of that data.", default=None, authored=False)
    eval_dataset_id: Key | None = field("The frozen dataset that it is tried on.", default=None, authored=False)
    judge_rubric_refs: Keys = field("The rubrics that judge it.", make=list, authored=False)
    experiment_mode: ExperimentMode = field("Where the candidates come from.", authored=False)
    source_plan: LongText = field("The plan of the experiment, as JSON: where each variant comes from.", authored=False)
    experiment_run_refs: Keys = field("Runs of the experiment.", make=list, authored=False)
    result_summary_ref: Key | None = field("Where the results are summed up.", default=None, authored=False)
    results: LongText | None = field("What came out for each variant, as JSON.", default=None, authored=False)
    winner_id: Key | None = field("The candidate that won.", default=None, authored=False)
    recommendation: PromptRecommendation | None = field(
        "What is recommended.", default=None, filtered=True, authored=False
    )
    because: Text | None = field("Why.", default=None, authored=False)
    completed_at: Timestamp | None = field("When the results came.", default=None, authored=False)
    recorded_by: Key = field("Principal that began it.", authored=False)
