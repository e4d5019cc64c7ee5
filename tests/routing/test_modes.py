"""The decision on a graph: what facts, the Task Agent's profile and its state change, and what is refused."""

from typing import Any

import pytest

from graph_schema.context.words import SurfaceKind
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from graph_schema.routing.decision_words import TaskVeto
from service.commands import RecordRef
from service.errors import TaskloreError
from service.graph.database import Database
from service.routing.agent.read import AgentProfiles
from service.routing.decision.answer import TaskModeDecision
from service.routing.decision.keep import KeptModes
from service.routing.decision.read import TaskModes
from service.routing.decision.request import RequestAttachment, TaskModeRequest
from service.routing.opportunity.ambient import LEAST_TOKENS, MOST_TOKENS
from service.routing.opportunity.read import Opportunities
from service.runtime.compose import services_alone
from tests.routing.office import CLASS, Office

DESIGN = "Set up a process for vetting suppliers going forward"
DEEP = "Do a deep review of this complaint against the exhibits with a report and an issue matrix"


async def decided(office: Office, text: str, **facts: Any) -> TaskModeDecision:
    return await office.services[TaskModes].decide(await office.viewer(), TaskModeRequest(text=text, **facts))


async def review(office: Office) -> str:
    found = await office.new("Template", name="Complaint Evaluation", trigger_phrases=["review of this complaint"])
    await office.embed()
    return found


async def test_what_is_open_on_the_surface_is_what_it_means(office: Office) -> None:
    for surface in (SurfaceKind.run_inspector, SurfaceKind.task_editor):
        found = await decided(office, "is it done yet", surface=surface)
        assert (found.selected_mode, found.task_opportunity_level) == (Mode.inspect_saved_task_run, Level.explicit)
    for surface in (SurfaceKind.chat, None):
        assert (await decided(office, "is it done yet", surface=surface)).selected_mode is Mode.ask_clarifying_question


async def test_a_long_conversation_stays_where_it_is_unless_a_task_is_asked_for(office: Office) -> None:
    long = await decided(office, "compare the two drafts", conversation_turns=30)
    assert TaskVeto.primary_conversation_should_remain_direct in {one.veto for one in long.task_veto_signals}
    short = await decided(office, "compare the two drafts", conversation_turns=2)
    assert short.task_veto_signals != long.task_veto_signals
    assert short.task_fit_score >= long.task_fit_score
    asked = await decided(office, DESIGN, conversation_turns=30)
    assert asked.selected_mode is Mode.invoke_task_agent_for_design


async def test_the_class_of_context_comes_from_the_kind_or_the_name_of_what_is_attached(office: Office) -> None:
    named = (RequestAttachment(name="lease-2026.pdf"),)
    told = (RequestAttachment(name="lease-2026.pdf", kind="contract"),)
    assert (await decided(office, "review it", attachments=named)).context_class.startswith("lease/")
    assert (await decided(office, "review it", attachments=told)).context_class.startswith("contract/")
    assert (await decided(office, "review it", attachments=told, context_class=CLASS)).context_class == CLASS


async def test_an_agent_that_cannot_be_asked_is_neither_promised_nor_offered(office: Office) -> None:
    able = await decided(office, DESIGN)
    assert able.entrypoint is Entrypoint.design_task
    assert Entrypoint.design_task in {chip.entrypoint for chip in able.chips}
    await office.new("SystemAgent", name="Task Agent", agent_state="disabled")
    closed = await decided(office, DESIGN)
    assert (closed.selected_mode, closed.task_opportunity_level) == (able.selected_mode, able.task_opportunity_level)
    assert "cannot be asked" in (closed.say or "")
    assert [chip for chip in closed.chips if chip.entrypoint] == []
    assert "task_agent_unavailable" in {one.code for one in closed.missing}


async def test_the_profile_is_obeyed_in_chips_consults_and_receipts(office: Office) -> None:
    await review(office)
    before = await decided(office, DEEP)
    assert (before.selected_mode, before.leaves_receipt) == (Mode.suggest_existing_saved_task, True)
    assert before.chips
    assert before.task_agent_consult_policy == "recommended"
    quiet: dict[str, Any] = {"show_task_suggestion_chips": False, "auto_consult_policy": "never"}
    await office.new("AgentProfile", **quiet, create_visible_receipts="when_it_saves_or_runs")
    after = await decided(office, DEEP)
    assert (after.selected_mode, after.chips, after.leaves_receipt) == (before.selected_mode, (), False)
    assert after.task_agent_consult_policy == "allowed_if_user_accepts"
    asked = await decided(office, DESIGN)
    assert asked.chips
    assert asked.leaves_receipt


MEDIUM = "What do you make of this grievance letter?"
WEEKLY = "Every Friday collect the complaints, write a report and a table and send them for my approval"


async def test_the_profile_is_obeyed_in_what_a_model_is_told_and_in_what_is_confirmed(office: Office) -> None:
    """Each setting is tried on and off: what it is about changes, and nothing else does."""
    template = await review(office)
    viewer, opportunities = await office.viewer(), office.services[Opportunities]

    async def told(text: str) -> str:
        return (await opportunities.packet(viewer, TaskModeRequest(text=text), None, 600)).text or ""

    chip = await office.new(
        "InvocationDirective",
        invocation_policy="answer_direct_but_offer_task_chip",
        trigger_phrases=["what do you make of this grievance letter"],
    )
    await office.link(chip, "TARGETS", template)
    await office.embed()  # a phrase of more than six words is found by its vector
    profile = await office.new("AgentProfile", require_user_confirmation_before_run=False)
    run = "Run the Complaint Evaluation task"
    assert (await decided(office, run)).confirmation_policy == "auto_run_if_user_explicit"
    assert "Shall I" not in ((await decided(office, run)).say or "")
    assert "I'll have Complaint Evaluation run" in await told(run)
    deep = await decided(office, DEEP, task_agent_active=True)
    assert (deep.task_agent_consult_policy, deep.should_inject_knowledge_cards) == ("recommended", True)
    assert "consult_task_opportunity" in await told(DEEP)
    assert (await decided(office, WEEKLY)).confirmation_policy == "confirm_before_run"
    quiet: dict[str, Any] = {
        "require_user_confirmation_before_run": True,
        "require_user_confirmation_before_save": False,
        "allow_invisible_consult": False,
        "allow_knowledge_pack_retrieval": False,
        "show_task_suggestion_chips": False,
        "allow_prompt_evaluation_tasks": False,
        "allow_learning_overlay": False,
    }
    medium = await decided(office, MEDIUM)
    assert (medium.task_opportunity_level, bool(medium.chips), bool(medium.say)) == (Level.medium, True, True)
    await office.save("AgentProfile", profile, **quiet)
    assert (await decided(office, run)).confirmation_policy == "confirm_before_run"
    assert "Shall I start it?" in await told(run)
    deep = await decided(office, DEEP, task_agent_active=True)
    assert (deep.task_agent_consult_policy, deep.should_inject_knowledge_cards) == ("allowed_if_user_accepts", False)
    assert deep.should_inject_task_packet
    assert "consult_task_opportunity" not in await told(DEEP)
    assert "It is saved when it is ready" in ((await decided(office, DESIGN)).say or "")
    chipless = await decided(office, MEDIUM)
    assert (chipless.task_opportunity_level, chipless.chips, chipless.say) == (Level.medium, (), None)
    assert (chipless.should_inject_task_packet, chipless.visible_to_user, await told(MEDIUM)) == (False, False, "")
    prompts = await decided(office, "Improve the prompt in the Complaint Evaluation task")
    assert Entrypoint.test_prompt_variants not in {chip.entrypoint for chip in prompts.chips}
    assert "tested" not in (prompts.say or "")
    now = await office.services[AgentProfiles].now(viewer)
    assert {"learning_switched_off", "evaluation_switched_off"} <= {one.code for one in now.degraded}


async def test_the_card_that_always_stands_names_no_agent_that_cannot_be_asked(office: Office) -> None:
    viewer, opportunities = await office.viewer(), office.services[Opportunities]
    assert "Task Agent" in (await opportunities.ambient(viewer, None)).text
    await office.new("SystemAgent", name="Task Agent", agent_state="disabled")
    alone = await opportunities.ambient(await office.viewer(), None)
    assert "Task Agent" not in alone.text
    assert LEAST_TOKENS <= alone.tokens <= MOST_TOKENS


TYPED_VERBS = (
    ("Explain the steps of the Complaint Evaluation task", Entrypoint.explain_task_graph),
    ("Assess the Complaint Evaluation task", Entrypoint.assess_task),
    ("Review the Complaint Evaluation task", Entrypoint.review_existing_task),
    ("Review my tasks", Entrypoint.assess_task_portfolio),
    ("Improve the prompt in the Complaint Evaluation task", Entrypoint.improve_task_prompt),
    ("Test three variants of the judge prompt", Entrypoint.test_prompt_variants),
    ("Generate variants of the judge prompt", Entrypoint.generate_prompt_variants),
    ("Adapt the Complaint Evaluation template", Entrypoint.adapt_task_template),
    (DESIGN, Entrypoint.design_task),
)


async def test_each_typed_verb_has_its_entrypoint(office: Office) -> None:
    await office.new("Template", name="Complaint Evaluation")
    for text, entrypoint in TYPED_VERBS:
        found = await decided(office, text)
        assert found.entrypoint is entrypoint, (text, found.because)


async def test_a_decision_asks_few_statements_and_next_to_none_where_there_is_no_work(office: Office) -> None:
    """What depends on nothing else is asked at once: each statement costs more than what it finds."""
    await review(office)
    asked: list[str] = []
    watched = Database(office.database.driver, office.database.name, observe=lambda kind, _seconds: asked.append(kind))
    modes = services_alone(watched, office.services.ground.embeddings)[TaskModes]
    viewer = await office.viewer()
    for text, most in (("What is the capital of Norway?", 2), ("Review this complaint", 4), (DEEP, 7)):
        asked.clear()
        await modes.decide(viewer, TaskModeRequest(text=text))
        assert 2 <= len(asked) <= most, (text, asked)


async def test_a_query_stores_nothing_and_starts_nothing(office: Office) -> None:
    await review(office)
    count = "MATCH (n) RETURN count(n) AS nodes, count { MATCH ()-[r]->() RETURN r } AS links, max(n.updated_at) AS at"
    before = await office.database.read(count)
    for text in (DEEP, DESIGN, "Run the Complaint Evaluation task", "run it again", ""):
        await decided(office, text)
        request = TaskModeRequest(text=text)
        await office.services[Opportunities].packet(await office.viewer(), request, None, 600)
    assert await office.database.read(count) == before


async def test_a_kept_decision_is_replayed_from_what_it_weighed_whatever_becomes_of_the_graph(office: Office) -> None:
    template = await review(office)
    kept = office.services[KeptModes]
    viewer = await office.viewer()
    decision = (await kept.keep(viewer, TaskModeRequest(text="run the Complaint Evaluation"))).result["id"]
    same = await kept.compare(viewer, decision)
    assert (same.same, same.replayed_mode, same.weighed_otherwise) == (True, same.kept_mode, ())
    await office.become(template, "archived")
    other = await kept.compare(viewer, decision)
    assert (other.now.selected_mode == other.kept_mode, other.same) == (False, False)
    assert (other.replayed_mode, other.replayed_level) == (other.kept_mode, other.kept_level)
    assert "targets" in other.weighed_otherwise


async def test_a_directive_of_another_matter_changes_nothing_for_who_cannot_see_it(office: Office) -> None:
    await review(office)
    matter = await office.matter()
    outside = await office.viewer(principal_id="prin_outside", matters=())
    request = TaskModeRequest(text=DEEP)
    before = await office.services[TaskModes].decide(outside, request)
    await office.new(
        "InvocationDirective",
        invocation_policy="do_not_suggest_task",
        trigger_phrases=["deep review of this complaint"],
        matter_ids=[matter],
    )
    await office.embed()
    assert (await office.services[TaskModes].decide(outside, request)).decision_id == before.decision_id
    inside = await decided(office, DEEP)
    assert (before.task_opportunity_level, inside.task_opportunity_level) == (Level.high, Level.low)


async def test_refusals_mute_what_nobody_asked_for_and_nothing_else(office: Office) -> None:
    await review(office)
    free = await decided(office, DEEP)
    run = await decided(office, "Run the Complaint Evaluation task")
    for number in range(3):
        await office.say(context_class_key=free.context_class, user_request_ref=f"chat://{number}", days=2)
    muted = await decided(office, DEEP)
    assert muted.task_opportunity_level in (Level.none, Level.low)
    assert TaskVeto.user_recently_rejected_task_suggestion in {one.veto for one in muted.task_veto_signals}
    assert not muted.should_inject_task_packet
    again = await decided(office, "Run the Complaint Evaluation task")
    assert (again.selected_mode, again.task_opportunity_level) == (run.selected_mode, run.task_opportunity_level)


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"text": "a " * 25_000}, "text_too_long", "request.text"),
        ({"text": "a\x00b"}, "invalid_input", "request.text"),
        ({"text": "a", "conversation_turns": -1}, "invalid_input", "request.conversation_turns"),
        ({"text": "a", "capabilities": ("",)}, "invalid_input", "request.capabilities"),
        ({"text": "a", "attachments": (RequestAttachment(name="x"),) * 51}, "invalid_input", "request.attachments"),
        ({"text": "a", "open_task": RecordRef(id="task_missing")}, "not_found", "request.open_task"),
        ({"text": "a", "context_class": "x" * 300}, "invalid_input", "request.context_class"),
    ],
)
async def test_what_cannot_be_decided_is_refused(office: Office, given: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(TaskloreError) as refused:
        await office.services[TaskModes].decide(await office.viewer(), TaskModeRequest(**given))
    assert (refused.value.code, refused.value.field) == (code, field)
    assert refused.value.remedy
