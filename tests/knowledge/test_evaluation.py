"""The evaluation suite: each scorer sees what it is for, a run is kept and scored again, and getting worse is told."""

from dataclasses import replace
from typing import Any

import pytest

from graph_schema.knowledge.words import ActivationDecision, PackReadiness, PackState, PackUse, PreflightStatus
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.memory.words import IntakeLevel
from graph_schema.routing.decision_words import ExecutionMode
from service.commands import RecordRef
from service.commands.approval import PersonNeeded
from service.commands.errors import InputInvalid
from service.knowledge.errors import (
    EvalRunTooLarge,
    EvalSuiteInvalid,
    EvalSuiteTaken,
    ExampleUnknown,
    PackChangedMeanwhile,
    PackRegressed,
)
from service.knowledge.evaluation.commands import Evaluations
from service.knowledge.evaluation.evaluate import evaluate
from service.knowledge.evaluation.proposals import EvalProposal
from service.knowledge.evaluation.scorers import Scorer
from service.knowledge.evaluation.suite import read_suite, sample_suite
from service.knowledge.evaluation.suites import EvalSuiteInput
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.pack.compiling import Against, compiled
from service.knowledge.pack.drift import DriftKind
from service.knowledge.pack.read import KnowledgePacks
from service.knowledge.pack.readiness import AGENT_RUN
from service.library.graphs import canonical, graph_hash
from service.replay import ReplayOutcome
from tests.knowledge.answers import answers, without
from tests.knowledge.desk import Desk, graph
from tests.knowledge.graphs.reading import TYPES
from tests.knowledge.test_pack import WHOLE

UNGATED = {
    "modules": {"mail": "trigger.email", "write": "step.agent_task", "send": "output.email"},
    "cables": ["mail.body > write.data_in", "write.data_out > send.content"],
}
BROKEN = {"modules": {"sum": "step.agent_task", "x": "step.none"}, "cables": ["sum.nothing > x"]}


def test_good_answers_meet_every_check_and_each_of_the_scorers_is_asked() -> None:
    report = evaluate(sample_suite(), answers(), TYPES)
    assert report.failures == ()
    assert report.passed
    assert {*report.scores()} == {one.value for one in Scorer}


def test_a_request_that_was_not_answered_meets_nothing() -> None:
    report = evaluate(sample_suite(), answers()[1:], TYPES)
    assert not report.passed
    assert {one.example for one in report.checks if not one.met} == {answers()[0].example}


@pytest.mark.parametrize(
    ("key", "values", "scorer"),
    [
        ("complaint_from_file", {"template": None}, Scorer.template_reuse),
        ("watched_folder", {"graph": graph(UNGATED)}, Scorer.module_choice),
        ("watched_folder", {"graph": graph(BROKEN)}, Scorer.port_routing),
        ("mailed_attachments", {"graph": graph(UNGATED)}, Scorer.context_routing),
        ("watched_docket", {"capabilities": ()}, Scorer.capability_binding),
        ("into_the_library", {"artifact_level": IntakeLevel.run_only}, Scorer.artifact_policy),
        ("designed_graph_is_valid", {"graph": graph(UNGATED)}, Scorer.side_effect_safety),
        ("watched_folder", {"graph": graph(BROKEN)}, Scorer.graph_validity),
        ("complaint_from_file", {"preflight_graph_hash": "another"}, Scorer.preflight_quality),
        ("attack_this_draft", {"questions": ("Why?", "How long?")}, Scorer.question_quality),
        ("watched_docket", {"questions": ("Which court?",)}, Scorer.question_quality),
        ("complaint_from_file", {"graph": graph(UNGATED)}, Scorer.preference_alignment),
        ("which_prompt", {"explanation": "words " * 60}, Scorer.explanation_clarity),
        # What an agent does with a request at all.
        ("plain_question", {"mode": ExecutionMode.invoke_task_agent_for_design}, Scorer.behaviour),
        ("named_saved_task", {"mode": ExecutionMode.direct_chat}, Scorer.behaviour),
        ("duplicate_of_template", {"template": None}, Scorer.template_reuse),
        ("question_about_a_run", {"entrypoint": Entrypoint.design_task}, Scorer.behaviour),
        ("designed_graph_is_valid", {"graph": None}, Scorer.behaviour),
        ("sources_are_context", {"graph": graph(UNGATED)}, Scorer.context_routing),
        ("prompt_of_a_module", {"explanation": ""}, Scorer.explanation_clarity),
        ("one_sentence_prompt", {"explanation": "Ask the Prompt Advisor."}, Scorer.behaviour),
        ("plain_product_words", {"explanation": "Open the Prompt Lab."}, Scorer.behaviour),
        ("prompt_test_for_reuse", {"graph": None}, Scorer.behaviour),
        ("within_its_packet", {"context_tokens": 9_000}, Scorer.behaviour),
        ("without_its_parts", {"degraded_reasons": ("The memory is missing.",)}, Scorer.behaviour),
    ],
)
def test_each_scorer_sees_what_it_is_for(key: str, values: dict[str, Any], scorer: Scorer) -> None:
    report = evaluate(sample_suite(), without(key, **values), TYPES)
    wrong = [one for one in report.checks if not one.met]
    assert (key, scorer) in [(one.example, one.scorer) for one in wrong]
    assert {one.example for one in wrong} == {key}
    assert all(one.why for one in wrong)


def test_a_graph_that_is_told_to_be_ready_and_cannot_be_run_is_seen() -> None:
    broken = graph(BROKEN)
    digest = graph_hash(canonical(broken))
    told = {"graph": broken, "preflight_graph_hash": digest, "preflight_status": PreflightStatus.ready}
    report = evaluate(sample_suite(), without("complaint_from_file", **told), TYPES)
    assert any(one.scorer is Scorer.preflight_quality and not one.met for one in report.checks)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "examples: [{key: a, request: b}]",
        "examples: [{key: a, request: b, expect: {colour: red}}]",
        "examples: [{key: a, request: b, expect: {gated: often}}]",
        "examples: [{key: a, request: b, expect: {modules: step.judge}}]",
        "examples: [{key: a, request: b, expect: {questions: {most: few}}}]",
        "examples: [a, b]",
        "examples: [{",
        "examples: [{key: a, request: b, expect: {gated: true}}, {key: a, request: b, expect: {gated: true}}]",
    ],
)
def test_a_suite_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(EvalSuiteInvalid) as refused:
        read_suite(text)
    assert (refused.value.field or "").startswith("suite")


def test_a_pack_whose_examples_teach_worse_than_the_one_in_use_is_blocked() -> None:
    examples = [
        {**one, "cables": [each for each in one["cables"] if "context_in" not in each]}
        if one["about"] == "email_attachment_summarizer"
        else one
        for one in WHOLE.authored["examples"]
    ]
    worse = compiled(replace(WHOLE, authored={**WHOLE.authored, "examples": examples}))
    assert worse.decision(activate=True)[0] is ActivationDecision.activated
    decision, state, reason = worse.decision(activate=True, against=Against(frozenset()))
    assert (decision, state) == (ActivationDecision.blocked_eval_regression, PackState.rejected)
    assert "mailed_attachments context_routing" in reason
    # What the one in use does not meet either is no step back.
    known = Against(frozenset({"mailed_attachments context_routing"}))
    assert worse.decision(activate=True, against=known)[1] is PackState.active
    assert worse.ready().state is PackReadiness.prompt_design_cards_loaded


async def test_a_run_is_kept_scored_again_and_makes_a_pack_ready_for_production(desk: Desk) -> None:
    evaluations, compiler = desk.services[Evaluations], desk.services[KnowledgeCompiler]
    await desk.new("Template", name="Review", description="Reviews.")
    await desk.new("Preset", name="Matrix", module_type="step.agent_task", description="A table.")
    pack = (await compiler.compile(await desk.viewer(), activate=True)).result
    viewer, agent = await desk.viewer(), await desk.agent()
    packs = desk.services[KnowledgePacks]
    status = await packs.status(viewer)
    assert status.readiness_state is PackReadiness.eval_suite_passing
    assert status.missing_required_cards == (AGENT_RUN,)
    kept = (await evaluations.submit(agent, "designer 1", answers())).result["id"]
    again = await evaluations.replay(viewer, kept)
    assert (again.outcome, again.now.passed) == (ReplayOutcome.identical, True)
    # An agent's run changes nothing by itself: a person compiles again, and then it counts.
    assert (await packs.status(viewer)).readiness_state is PackReadiness.eval_suite_passing
    assert (await compiler.compile(viewer, activate=True)).result["id"] == pack["id"]
    status = await packs.status(viewer)
    assert status.readiness_state is PackReadiness.production_task_agent_ready
    assert PackUse.task_design_production in status.activated_for
    # A worse run on the pack in use is drift; a worse run on a staged pack keeps that from being activated.
    await evaluations.submit(agent, "designer 2", without("watched_docket", capabilities=()))
    found = [one for one in (await packs.status(viewer)).drift if one.kind is DriftKind.eval_regression]
    assert len(found) == 1
    await evaluations.submit(agent, "designer 3", answers())
    assert (await packs.status(viewer)).drift == ()
    await desk.new("Template", name="Letter", description="Writes.")
    staged = (await compiler.compile(await desk.viewer())).result["id"]
    await evaluations.submit(agent, "designer 3", without("plain_question", mode=None), RecordRef(id=staged))
    with pytest.raises(PackRegressed) as refused:
        await compiler.activate(viewer, RecordRef(id=staged))
    assert (refused.value.code, refused.value.field) == ("knowledge_pack_regressed", "pack")
    with pytest.raises(ExampleUnknown) as unknown:
        await evaluations.score(viewer, [EvalProposal(example="none")])
    assert (unknown.value.code, unknown.value.field) == ("eval_example_unknown", "proposals")
    with pytest.raises(InputInvalid):
        await evaluations.score(viewer, [*answers(), answers()[0]])
    with pytest.raises(EvalRunTooLarge):
        await evaluations.submit(viewer, "designer 4", without("plain_question", explanation="a" * 200_000))


BAKERY = """
name: bakery
version: 1
examples:
  - {key: order, request: Order the flour., expect: {gated: true, modules: [output.email]}}
  - {key: ask, request: "Is there flour?", expect: {behaviour: {graph: false}}}
"""
ORDERED = {
    "modules": {"plan": "step.agent_task", "look": "step.human_review", "mail": "output.email"},
    "cables": ["plan.data_out > look.data_in", "look.data_out > mail.content"],
}


async def test_a_suite_of_ones_own_is_kept_scored_and_counts_for_packs(desk: Desk) -> None:
    evaluations, compiler = desk.services[Evaluations], desk.services[KnowledgeCompiler]
    viewer = await desk.viewer()
    suites = evaluations.suites
    suite = (await suites.save(viewer, EvalSuiteInput(text=BAKERY))).result["id"]
    assert (await suites.save(viewer, EvalSuiteInput(text=BAKERY))).result["id"] == suite
    with pytest.raises(EvalSuiteTaken) as taken:
        await suites.save(viewer, EvalSuiteInput(text=BAKERY.replace("gated: true, ", "")))
    assert (taken.value.code, taken.value.field) == ("eval_suite_taken", "suite.version")
    with pytest.raises(PersonNeeded):
        await suites.save(await desk.agent(), EvalSuiteInput(text=BAKERY))
    await compiler.compile(viewer, activate=True)
    viewer, agent = await desk.viewer(), await desk.agent()
    assert [one.key for one in (await suites.of(viewer, suite)).examples] == ["order", "ask"]
    good = [EvalProposal(example="order", graph=graph(ORDERED)), EvalProposal(example="ask")]
    first = (await evaluations.submit(agent, "baker 1", good, suite_id=suite)).result["id"]
    again = await evaluations.replay(viewer, first)
    assert (again.outcome, again.now.passed, again.now.suite) == (ReplayOutcome.identical, True, "bakery 1")
    await desk.new("Template", name="Letter", description="Writes.")
    staged = (await compiler.compile(await desk.viewer())).result["id"]
    await evaluations.submit(agent, "baker 1", good[:1], RecordRef(id=staged), suite_id=suite)
    await evaluations.submit(agent, "designer 1", answers(), RecordRef(id=staged))  # another suite takes nothing back
    with pytest.raises(PackRegressed) as worse:
        await compiler.activate(viewer, RecordRef(id=staged))
    assert "ask behaviour" in worse.value.message


async def test_a_pack_that_came_into_use_meanwhile_is_not_put_aside_unseen(desk: Desk) -> None:
    compiler, viewer = desk.services[KnowledgeCompiler], await desk.viewer()
    first = (await compiler.compile(viewer, activate=True)).result["id"]
    await desk.new("Template", name="Review", description="Reviews.")
    second = (await compiler.compile(await desk.viewer())).result["id"]

    class Overtaken(KnowledgeCompiler):
        async def _contract(self, viewer: Any) -> str | None:
            await compiler.activate(viewer, RecordRef(id=second))
            return await super()._contract(viewer)

    await desk.new("Template", name="Letter", description="Writes.")
    viewer = await desk.viewer()
    slow = Overtaken(desk.services.ground.commands, desk.database, desk.services[KnowledgePacks])
    with pytest.raises(PackChangedMeanwhile) as refused:
        await slow.compile(viewer, activate=True)
    assert (refused.value.code, refused.value.field) == ("knowledge_pack_changed", "activate")
    assert (await desk.services[KnowledgePacks].status(viewer)).pack_id == second != first
