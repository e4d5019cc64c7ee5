"""What tests recommend and what edits show, by rules over facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.knowledge.prompt_words import (
    CandidateMethod,
    ExperimentMode,
    OperativeStatus,
    PromptEditKind,
    PromptRecommendation,
    PromptSurface,
    VariantSource,
)
from graph_schema.memory.words import MemoryMode, PromptCapture
from service.knowledge.errors import PromptMethodClosed, PromptPlanInvalid
from service.knowledge.prompts.holding import capture, capture_of, keeps_text
from service.knowledge.prompts.methods import METHODS, check_plan
from service.learning.prompts.edits import KINDS, edits
from service.learning.prompts.recommend import VariantResult, recommend
from tests.laws import law

BASE = "Review the attached lease for risks, so that the client can sign."
RUBRIC = "Judge the memo overall. Quote what you refer to."
EDITS: dict[PromptEditKind, tuple[str, str]] = {
    PromptEditKind.added_output_contract: (BASE, f"{BASE} Return a table of clause and risk."),
    PromptEditKind.added_source_scope: (
        "Find the owners of the ship.",
        "Find the owners of the ship. Use only the register.",
    ),
    PromptEditKind.added_deeper_analysis_instruction: (BASE, f"{BASE} Then look deeper at the weakest three."),
    PromptEditKind.added_tool_policy: (
        f"{BASE} You may use web_search.",
        f"{BASE} You may use web_search, but only if the register is silent.",
    ),
    PromptEditKind.added_red_team_instruction: (BASE, f"{BASE} Poke holes in your own result."),
    PromptEditKind.tightened_rubric: (RUBRIC, f"{RUBRIC} Scale 1 to 5. 5 means every page is cited, 1 means none is."),
    PromptEditKind.changed_tone: (BASE, f"{BASE} Keep a friendly tone."),
    PromptEditKind.changed_format: (f"{BASE} Return a table.", f"{BASE} Return JSON."),
    PromptEditKind.removed_overconstraint: (
        f"{BASE} At most 50 words. Cover every clause in full detail.",
        f"{BASE} At most 50 words.",
    ),
    PromptEditKind.removed_unwanted_question: (f"{BASE} Ask me about the rent first.", BASE),
}
results = st.lists(
    st.builds(
        VariantResult,
        candidate=st.sampled_from([None, "a", "b", "c"]),
        examples=st.integers(1, 40),
        mean_score=st.sampled_from([0.2, 0.5, 0.52, 0.8]),
        parser_failures=st.integers(0, 1),
    ),
    unique_by=lambda one: one.candidate,
    max_size=4,
)


@pytest.mark.parametrize("kind", PromptEditKind)
def test_each_kind_of_edit_is_seen_in_the_texts(kind: PromptEditKind) -> None:
    surface = PromptSurface.doc23_judge_rubric if "rubric" in kind else PromptSurface.doc23_module_instruction
    before, after = EDITS[kind]
    assert kind in {one.kind for one in edits(before, after, surface)}
    assert edits(before, before, surface) == ()
    assert {*KINDS} == {*PromptEditKind}


@law()
@given(results, st.randoms())
def test_results_in_any_order_recommend_the_same(found: list[VariantResult], random: object) -> None:
    told = recommend(found, PromptSurface.doc23_module_instruction)
    shuffled = sorted(found, key=lambda _: random.random())  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownLambdaType]
    assert recommend(shuffled, PromptSurface.doc23_module_instruction) == told
    assert told.winner is None or told.recommendation is PromptRecommendation.adopt_candidate


def test_all_seven_recommendations_come_out() -> None:
    def told(surface: PromptSurface, **given: float) -> PromptRecommendation:
        base = VariantResult(None, int(given.get("examples", 20)), 0.4)
        best = VariantResult("a", 20, given.get("best", 0.8), int(given.get("failed", 0)))
        return recommend([base, best], surface).recommendation

    module = PromptSurface.doc23_module_instruction
    assert {
        told(module, best=0.42),
        told(module),
        told(PromptSurface.chat_composer),
        told(PromptSurface.module_preset_prompt),
        told(PromptSurface.task_template_prompt),
        told(module, examples=3),
        told(module, failed=2),
    } == {*PromptRecommendation}


def test_what_is_reserved_or_not_plugged_in_is_refused_as_that() -> None:
    status = {method: one.operative_status for method, one in METHODS.items()}
    assert status[CandidateMethod.dspy_gepa] is OperativeStatus.reserved_r5
    assert status[CandidateMethod.promptolution] is OperativeStatus.unavailable
    assert {*METHODS} == {*CandidateMethod}
    for source in (VariantSource.dspy_candidate, VariantSource.promptolution_candidate):
        with pytest.raises(PromptMethodClosed) as closed:
            check_plan(ExperimentMode.consume_existing_candidate_bundle, [source])
        assert closed.value.code == "prompt_method_unavailable"
    with pytest.raises(PromptPlanInvalid):
        check_plan(ExperimentMode.manual_variants_only, [VariantSource.task_agent_candidate])
    check_plan(ExperimentMode.manual_variants_only, [VariantSource.manual, VariantSource.same_as_baseline])


@law()
@given(st.sampled_from(PromptCapture), st.lists(st.sampled_from(PromptCapture)), st.sampled_from(MemoryMode))
def test_a_text_is_kept_only_where_everybody_says_so(
    asked: PromptCapture, others: list[PromptCapture], mode: MemoryMode
) -> None:
    held = capture(asked, [*others, capture_of(mode)])
    private = capture_of(mode) is PromptCapture.never
    assert keeps_text(held) is (all(keeps_text(one) for one in (asked, *others)) and not private)
