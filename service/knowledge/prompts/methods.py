"""How candidates are made, what each way needs, and whether it can be used. One table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    CostClass,
    ExecutionClass,
    ExperimentMode,
    LatencyClass,
    OperativeStatus,
    PermittedRuntime,
    VariantSource,
)
from service.knowledge.errors import PromptMethodClosed, PromptPlanInvalid


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMethod:
    """A way in which candidates are made."""

    method: Annotated[CandidateMethod, "The way."]
    execution_class: Annotated[ExecutionClass, "What it needs to run."]
    requires_llm_call: Annotated[bool, "Whether a model is asked."]
    requires_eval_dataset: Annotated[bool, "Whether it needs data to try on."]
    requires_judge_or_scorer: Annotated[bool, "Whether it needs scores."]
    permitted_runtime: Annotated[PermittedRuntime, "Where it may be used."]
    expected_cost_class: Annotated[CostClass, "What it usually costs."]
    expected_latency_class: Annotated[LatencyClass, "How long it usually takes."]
    operative_status: Annotated[OperativeStatus, "Whether it can be used now."]
    made_here: Annotated[bool, "Whether it runs here; candidates of other ways are received from outside."]
    notes: Annotated[str, "What to know of it."]


_NONE: dict[str, Any] = {"requires_eval_dataset": False, "requires_judge_or_scorer": False}
_QUICK: dict[str, Any] = {
    "permitted_runtime": PermittedRuntime.quick_help,
    "operative_status": OperativeStatus.operative,
}
_FREE: dict[str, Any] = {"expected_cost_class": CostClass.none, "expected_latency_class": LatencyClass.instant}
_MODEL: dict[str, Any] = {
    "execution_class": ExecutionClass.llm_assisted,
    "requires_llm_call": True,
    "expected_cost_class": CostClass.low,
    "expected_latency_class": LatencyClass.short,
    "made_here": False,
}

METHODS: Mapping[CandidateMethod, PromptMethod] = {
    one.method: one
    for one in (
        PromptMethod(
            method=CandidateMethod.manual_variant,
            execution_class=ExecutionClass.manual,
            requires_llm_call=False,
            made_here=False,
            notes="Somebody writes it.",
            **_NONE,
            **_QUICK,
            **_FREE,
        ),
        PromptMethod(
            method=CandidateMethod.template_based_variant,
            execution_class=ExecutionClass.deterministic,
            requires_llm_call=False,
            made_here=True,
            notes="The rewrite by structure: every sentence kept, what is missing added and marked.",
            **_NONE,
            **_QUICK,
            **_FREE,
        ),
        PromptMethod(
            method=CandidateMethod.prior_winner,
            execution_class=ExecutionClass.deterministic,
            requires_llm_call=False,
            made_here=True,
            notes="Candidates for the same prompt that won an earlier test.",
            **_NONE,
            **_QUICK,
            **_FREE,
        ),
        PromptMethod(
            method=CandidateMethod.task_agent_structured_rewrite,
            notes="The Task Agent writes it; it is received from outside.",
            **_NONE,
            **_QUICK,
            **_MODEL,
        ),
        PromptMethod(
            method=CandidateMethod.doc17_prompt_advisor_rewrite,
            notes="The advisor writes it; it is received from outside. Its gap analysis is promptCheck.",
            **_NONE,
            **_QUICK,
            **_MODEL,
        ),
        PromptMethod(
            method=CandidateMethod.promptolution,
            execution_class=ExecutionClass.deterministic,
            requires_llm_call=False,
            requires_eval_dataset=True,
            requires_judge_or_scorer=True,
            permitted_runtime=PermittedRuntime.tracked_evaluation_only,
            expected_cost_class=CostClass.medium,
            expected_latency_class=LatencyClass.background,
            operative_status=OperativeStatus.unavailable,
            made_here=False,
            notes="Nobody has plugged it in.",
        ),
        PromptMethod(
            method=CandidateMethod.dspy_gepa,
            execution_class=ExecutionClass.optimizer,
            requires_llm_call=True,
            requires_eval_dataset=True,
            requires_judge_or_scorer=True,
            permitted_runtime=PermittedRuntime.r5_optimization_only,
            expected_cost_class=CostClass.high,
            expected_latency_class=LatencyClass.background,
            operative_status=OperativeStatus.reserved_r5,
            made_here=False,
            notes="Reserved until there is something that optimizes prompts safely.",
        ),
    )
}


def open_method(method: CandidateMethod, field: str) -> PromptMethod:
    """What is known of a method that can be used, or why it cannot."""
    found = METHODS[method]
    if found.operative_status is not OperativeStatus.operative:
        raise PromptMethodClosed(method, found.operative_status, field)
    return found


_CLOSED = {
    VariantSource.dspy_candidate: CandidateMethod.dspy_gepa,
    VariantSource.promptolution_candidate: CandidateMethod.promptolution,
}
_BY_HAND = frozenset({VariantSource.manual, VariantSource.same_as_baseline, VariantSource.prompt_recipe})


def check_plan(mode: ExperimentMode, sources: Sequence[VariantSource]) -> None:
    """Whether an experiment can have its variants from there."""
    for one in sources:
        if one in _CLOSED:
            open_method(_CLOSED[one], "variants")
        if mode is ExperimentMode.manual_variants_only and one not in _BY_HAND:
            raise PromptPlanInvalid(f"{mode} takes no {one}")
