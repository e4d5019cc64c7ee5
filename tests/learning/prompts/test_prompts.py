"""From a prompt to its promotion and back: candidates, a test, a proposal; and what of it is kept."""

from typing import Any

import orjson
import pytest

from graph_schema.knowledge.prompt_words import CandidateMethod, ExperimentMode, PromptFeedbackKind
from graph_schema.learning.dataset_words import DatasetSource
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.memory.words import PromptCapture
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.errors import TaskloreError
from service.knowledge.errors import PromptDiffers, PromptMethodClosed, PromptPlanInvalid
from service.knowledge.prompts.inputs import PromptCandidateInput
from service.knowledge.prompts.keep import KeptPrompts
from service.knowledge.prompts.load import PromptRequest
from service.knowledge.prompts.text import hash_of
from service.learning.datasets.commands import Datasets
from service.learning.datasets.inputs import EvalDatasetInput, EvalExampleInput
from service.learning.errors import DatasetNotFrozen, PromptNotTested, PromptTextNotKept
from service.learning.prompts.errors import EvaluationCompleted, NotToBePromoted
from service.learning.prompts.inputs import PromptEditInput, PromptFeedbackInput, PromptGenerationInput
from service.learning.prompts.telling import PromptTelling
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from tests.learning.prompts_desk import BETTER, TEXT, PromptDesk

WORDS = ("zeppelin", "Ignore the schedules", "Summarise the attached lease")


async def test_a_winner_is_promoted_by_a_proposal_and_taken_back(desk: PromptDesk) -> None:
    template = await desk.new("Template", task_type="review")
    prompt = await desk.prompt(template, prompt_text_ref="p://1")
    bundle = await desk.bundle(prompt, generate=(CandidateMethod.template_based_variant,))
    assert len(bundle["candidates"]) == 2
    assert (await desk.kept(prompt))["owner_surface"] == "doc23_task_template"
    seen = await desk.services[KeptPrompts].assess(
        await desk.viewer(), RecordRef(id=prompt), PromptRequest(text=TEXT), ()
    )
    cases = EvalDatasetInput(
        name="Leases",
        dataset_source=DatasetSource.manual,
        examples=(EvalExampleInput(example_key="a", input_hash="sha256:a"),),
    )
    datasets = desk.services[Datasets]
    data = RecordRef(id=(await datasets.create(await desk.viewer(), cases)).result["id"])
    tried = {"eval_dataset_ref": None, "eval_dataset": data}
    with pytest.raises(DatasetNotFrozen):
        await desk.test(prompt, bundle, **tried)
    await datasets.freeze(await desk.viewer(), data)
    test = await desk.test(prompt, bundle, **tried)
    with pytest.raises(NotToBePromoted):
        await desk.propose(test)
    before = await desk.kept(prompt)
    await desk.tell(test, bundle["candidates"][0], parser_failures=1)
    assert (await desk.kept(prompt))["prompt_text_hash"] == before["prompt_text_hash"]  # a result changes no prompt
    kept = await desk.kept(test)
    assert (kept["recommendation"], kept["winner_id"]) == ("propose_template_update", bundle["candidates"][0])
    with pytest.raises(EvaluationCompleted):
        await desk.tell(test, bundle["candidates"][0])
    proposal = await desk.propose(test)
    kept = await desk.kept(proposal)
    assert (kept["eval_suite_ref"], kept["validation_dataset_id"]) == (data.id, data.id)
    emitted = await desk.database.read(
        "MATCH (e:Event) WHERE e.kind STARTS WITH 'task.prompt.' RETURN DISTINCT e.kind AS kind ORDER BY kind"
    )
    assert [row["kind"] for row in emitted] == [
        "task.prompt.candidates_generated", "task.prompt.evaluation_completed", "task.prompt.evaluation_started",
        "task.prompt.quality_assessed",
    ]  # fmt: skip
    assert seen.result["id"]
    assert (await desk.kept(prompt))["prompt_text_hash"] == before["prompt_text_hash"]
    await desk.approve(proposal)
    await desk.services[Proposals].apply(await desk.viewer(), proposal)
    after = await desk.kept(prompt)
    assert (after["prompt_text_hash"], after["prompt_text_ref"]) == (hash_of(BETTER), "p://2")
    assert (after["promotion_state"], after["tested_status"]) == ("promoted", "promoted")
    assert (await desk.kept(bundle["candidates"][0]))["promotion_state"] == "promoted"
    await desk.services[Proposals].roll_back(await desk.viewer(), proposal, "It was worse.")
    back = await desk.kept(prompt)
    told = ("prompt_text_hash", "prompt_text_ref", "promotion_state", "tested_status")
    assert [back[one] for one in told] == [before[one] for one in told]
    assert (await desk.kept(bundle["candidates"][0]))["promotion_state"] == "rolled_back"
    assert await desk.signals() == [
        "downstream_parser_failed",
        "experiment_variant_won",
        "judge_found_prompt_weak",
        "prompt_promoted",
        "prompt_rolled_back",
    ]
    kinds = await desk.database.read("MATCH (e:Event) WHERE e.kind STARTS WITH 'task.prompt' RETURN e.kind AS kind")
    assert {row["kind"] for row in kinds} >= {
        "task.prompt.candidates_generated",
        "task.prompt.evaluation_started",
        "task.prompt.evaluation_completed",
    }
    # Nobody's words are anywhere in the graph.
    everything = await desk.everything()
    assert not [one for one in WORDS if one in everything]


async def test_no_word_of_a_prompt_is_kept_where_that_is_forbidden(desk: PromptDesk) -> None:
    template = await desk.new("Template", task_type="review")
    prompt = await desk.prompt(template)
    kept, told = desk.services[KeptPrompts], desk.services[PromptTelling]
    viewer, about = await desk.viewer(), RecordRef(id=prompt)
    asked = PromptRequest(text=TEXT)
    await kept.assess(viewer, about, asked, (), command_id="look")
    await kept.assess(viewer, RecordRef(id=template), asked, ())
    assert await desk.database.read("MATCH (e:Event {kind: $kind}) RETURN e", kind="task.prompt.quality_assessed")
    with pytest.raises(PromptDiffers):
        await kept.assess(viewer, about, PromptRequest(text=BETTER), ())
    await told.edited(viewer, PromptEditInput(about=about, before=TEXT, after=BETTER))
    for one in PromptFeedbackKind:
        await told.feedback(viewer, PromptFeedbackInput(about=about, feedback=one, before_hash=hash_of(TEXT)))
    everything = await desk.everything()
    assert not [one for one in WORDS if one in everything]
    assert {*PromptFeedbackKind} | {"added_output_contract"} <= {*await desk.signals()}
    # What would replace it is not kept either, by whatever way it comes.
    step = ProposalStep(operation=Operation.set_value, field="text", value=BETTER)
    change = ProposalInput(
        proposal_kind=ProposalKind.prompt_update_proposal, target=about, steps=(step,), rationale="Why."
    )
    with pytest.raises(PromptTextNotKept):
        await desk.services[Proposals].propose(viewer, change)
    # A change of the hash alone is no promotion: it needs a test that was won.
    step = ProposalStep(operation=Operation.set_value, field="prompt_text_hash", value=hash_of(BETTER))
    change = ProposalInput(
        proposal_kind=ProposalKind.prompt_update_proposal, target=about, steps=(step,), rationale="Why."
    )
    proposed = await desk.services[Proposals].propose(await desk.viewer(principal_id="prin_author"), change)
    with pytest.raises(PromptNotTested):
        await desk.approve(proposed.result["id"])


async def test_where_it_is_allowed_a_text_is_kept_and_never_leaves_the_machine(desk: PromptDesk) -> None:
    template = await desk.new("Template", task_type="review")
    prompt = await desk.prompt(template, capture_prompts=PromptCapture.full_local_only)
    kept = await desk.kept(prompt)
    assert (kept["text"], kept["data_class"]) == (TEXT, "local_only")
    bundle = await desk.bundle(prompt, text=None, generate=(CandidateMethod.template_based_variant,))
    found = [await desk.kept(one) for one in bundle["candidates"]]
    assert {one["data_class"] for one in found} == {"local_only"}
    assert all(TEXT in one["text"] and one["preserved_count"] == 3 for one in found)


async def test_a_candidate_that_is_about_something_else_is_taken_with_a_warning(desk: PromptDesk) -> None:
    prompt = await desk.prompt(await desk.new("Template", task_type="review"))
    other = PromptCandidateInput(
        label="Of a cake",
        generation_method=CandidateMethod.manual_variant,
        text="Bake it until it is brown.",
        prompt_text_ref="p://cake",
    )
    assert (await desk.bundle(prompt))["warnings"] == []
    assert (await desk.bundle(prompt, candidates=(other,)))["warnings"] == ["warning.prompt_candidate_keeps_nothing"]


async def test_a_prompt_is_as_closed_as_where_it_lives(desk: PromptDesk) -> None:
    matter = await desk.new("Entity", kind="matter")
    template = await desk.new("Template", task_type="review", matter_ids=[matter])
    prompt = await desk.prompt(template)
    bundle = await desk.bundle(prompt)
    test = await desk.test(prompt, bundle)
    for one in (prompt, bundle["id"], test, *bundle["candidates"]):
        assert (await desk.kept(one))["matter_ids"] == [matter]
    stranger = await desk.viewer(principal_id="prin_stranger", matters=[])
    with pytest.raises(RecordMissing):
        await desk.propose(test, stranger)


async def test_an_experiment_says_how_it_makes_its_candidates(desk: PromptDesk) -> None:
    prompt = await desk.prompt(await desk.new("Template", task_type="review"))
    bundle = await desk.bundle(prompt)
    making: dict[str, Any] = {"experiment_mode": ExperimentMode.generate_candidates_then_test}
    config = PromptGenerationInput(methods=(CandidateMethod.manual_variant,), candidate_count=2)
    plan = orjson.loads(
        (await desk.kept(await desk.test(prompt, bundle, **making, generation_config=config)))["source_plan"]
    )
    assert (plan["mode"], plan["generation_config"]["candidate_count"]) == ("generate_candidates_then_test", 2)
    assert [one["method"] for one in plan["method_metadata"]] == ["manual_variant"]
    closed = PromptGenerationInput(methods=(CandidateMethod.dspy_gepa,))
    with pytest.raises(PromptMethodClosed):
        await desk.test(prompt, bundle, **making, generation_config=closed)
    with pytest.raises(PromptPlanInvalid):
        await desk.test(prompt, bundle, generation_config=config)


async def test_methods_that_are_reserved_are_refused(desk: PromptDesk) -> None:
    prompt = await desk.prompt(await desk.new("Template", task_type="review"))
    for method in (CandidateMethod.dspy_gepa, CandidateMethod.promptolution):
        with pytest.raises(PromptMethodClosed):
            await desk.bundle(
                prompt, candidates=(PromptCandidateInput(label="x", generation_method=method, prompt_hash="a" * 64),)
            )
    with pytest.raises(TaskloreError) as alone:
        await desk.bundle(prompt, candidates=(), generate=(CandidateMethod.manual_variant,))
    assert alone.value.field == "generate"


async def test_a_hash_is_one_and_that_of_the_text_beside_it(desk: PromptDesk) -> None:
    home = await desk.new("Template", task_type="review")
    for told in ("not a hash", "sha256:123", "a" * 64):  # the last one is of another text
        with pytest.raises(TaskloreError) as refused:
            await desk.prompt(home, prompt_text_hash=told)
        assert (refused.value.code, refused.value.field) == ("invalid_input", "prompt_text_hash")
    assert await desk.prompt(home, prompt_text_hash=f"sha256:{hash_of(TEXT).upper()}")
