"""The Task Agent: its defaults, what works of it, and receipts of models that stood in, on the real server."""

from typing import Any

import pytest

from graph_schema.library.words import CapabilityState
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.words import AutoConsult, FallbackReason, HealthState, InvocationMode
from resolvers.generate import printed
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.errors import TaskloreError
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.memory.continuation import Continuation
from service.memory.continuation.inputs import ConsultInput, ThreadInput
from service.routing.agent.commands import ModelFallbackInput, ModelFallbacks
from service.routing.agent.entrypoints import ENTRYPOINTS
from service.routing.agent.entrypoints import AgentPart as Part
from service.routing.agent.parts import WITHOUT
from service.routing.agent.read import AgentProfiles, EntrypointNow, TaskAgentNow
from tests.routing.office import Office

READ = InvocationMode.read_model_only
FALLBACK: dict[str, Any] = {
    "task_agent_request_id": "req-1",
    "primary_model_ref": "large",
    "fallback_model_ref": "small",
    "fallback_reason": FallbackReason.timeout,
}


async def now(office: Office, viewer: Viewer | None = None) -> TaskAgentNow:
    return await office.services[AgentProfiles].now(viewer or await office.viewer())


async def report(office: Office, part: Part, state: CapabilityState) -> None:
    named: dict[str, Any] = {"source": "task_agent", "source_key": part.value}
    ref = RecordRef(id=await office.new("Capability", capability_kind="tool", **named))
    at = StateReport(state, "2026-01-01T00:00:00.000Z", 1)
    await office.services[Library].report_capability_state(await office.viewer(), ref, at)


def entry(agent: TaskAgentNow, entrypoint: Entrypoint) -> EntrypointNow:
    return next(one for one in agent.entrypoints if one.entrypoint is entrypoint)


def test_every_entrypoint_has_a_label_and_operations_that_are_there() -> None:
    schema = printed()
    assert [*ENTRYPOINTS] == [*Entrypoint]
    labels = [one.user_facing_label for one in ENTRYPOINTS.values()]
    assert len({*labels}) == len(labels)
    waited_for = {"taskMode"}
    for one in ENTRYPOINTS.values():
        assert one.operations, one.entrypoint
        for name in {*one.operations} - waited_for:
            assert f"\n  {name}(" in schema or f"\n  {name}:" in schema, name
        assert one.may_run_without_llm is (READ in one.invocation_modes)
    assert {*WITHOUT} == {*Part}


@pytest.mark.slow
async def test_without_any_record_the_defaults_of_the_specification_hold(office: Office) -> None:
    agent = await now(office)
    assert (agent.available, agent.health_state, agent.degraded) == (True, HealthState.unknown, ())
    assert all(one.usable for one in agent.entrypoints)
    profile = agent.profile
    assert (profile.max_repair_iterations, profile.max_design_cost_usd, profile.max_prompt_eval_cost_usd) == (3, 5, 15)
    assert (profile.auto_consult_policy, profile.show_task_suggestion_chips) == (AutoConsult.high_or_explicit, True)
    assert (agent.registration.agent_id, agent.capability.capability_id) == ("task_agent", "agent.task_agent")
    assert {*agent.capability.semantic_actions} == {*Entrypoint}
    assert not any(one.may_have_helpers for one in agent.entrypoints)
    assert agent.record_ids == ()


@pytest.mark.slow
async def test_what_is_saved_holds_for_those_who_see_it_and_the_newest_wins(office: Office) -> None:
    matter = await office.matter()
    first = await office.new("AgentProfile", show_task_suggestion_chips=False, max_design_cost_usd=1)
    await office.save("AgentProfile", first, max_design_cost_usd=None)
    await office.new("AgentProfile", matter_ids=[matter], auto_consult_policy="never")
    await office.new("SubagentPolicy", allow_subagent_spawn=True)
    inside, outside = await now(office), await now(office, await office.viewer(matters=[]))
    assert (inside.auto_consult_policy, inside.show_chips) == (AutoConsult.never, True)
    assert (outside.auto_consult_policy, outside.show_chips) == (AutoConsult.high_or_explicit, False)
    assert outside.profile.max_design_cost_usd is None
    helped = {one.entrypoint for one in inside.entrypoints if one.may_have_helpers}
    assert Entrypoint.assess_task_portfolio in helped
    assert Entrypoint.design_task not in helped


@pytest.mark.slow
async def test_each_missing_part_closes_what_needs_it_and_says_so(office: Office) -> None:
    await report(office, Part.session_spawn, CapabilityState.down)
    design = entry(await now(office), Entrypoint.design_task)
    assert (design.usable, design.modes) == (True, (InvocationMode.visible_design_session,))
    assert design.missing == ("session_spawn_down",)
    portfolio = entry(await now(office), Entrypoint.assess_task_portfolio)
    assert not portfolio.usable
    await report(office, Part.model, CapabilityState.authorisation_missing)
    agent = await now(office)
    assert agent.health_state is HealthState.degraded
    assert {one.code for one in agent.degraded} == {"session_spawn_down", "model_authorisation_missing"}
    assert all(one.effect for one in agent.degraded)
    usable = {one.entrypoint for one in agent.usable}
    assert usable == {one.entrypoint for one in ENTRYPOINTS.values() if one.may_run_without_llm}
    profile = await office.new("AgentProfile", fallback_model_refs=["small"])
    stands_in = await now(office)
    assert entry(stands_in, Entrypoint.answer_task_system_question).usable
    assert "validated" in str(next(one for one in stands_in.degraded if one.part is Part.model).effect)
    await office.save("AgentProfile", profile, allow_prompt_evaluation_tasks=False, allow_learning_overlay=False)
    agent = await now(office)
    assert {"evaluation_switched_off", "learning_switched_off"} <= {one.code for one in agent.degraded}
    assert not entry(agent, Entrypoint.test_prompt_variants).usable
    registered = await office.new("SystemAgent", agent_state="disabled")
    agent = await now(office)
    assert (agent.available, agent.health_state) == (False, HealthState.unavailable)
    assert entry(agent, Entrypoint.inspect_task_run).usable
    assert not entry(agent, Entrypoint.answer_task_system_question).usable
    await office.save("SystemAgent", registered, agent_state="active")
    capability = await office.new("AgentCapability", health_state="unavailable", semantic_actions=["inspect_task_run"])
    assert "task.agent.degraded" in await office.events(capability)
    agent = await now(office)
    assert [one.entrypoint for one in agent.usable] == [Entrypoint.inspect_task_run]
    assert not agent.available


@pytest.mark.slow
async def test_records_that_contradict_themselves_are_refused(office: Office) -> None:
    wrong: list[tuple[str, str, dict[str, Any]]] = [
        ("AgentProfile", "allow_cloud", {"allow_cloud": False, "allow_local": False}),
        ("AgentProfile", "allow_local", {"allow_local": False}),
        ("AgentProfile", "fallback_model_refs", {"default_model_ref": "a", "fallback_model_refs": ["a"]}),
        ("AgentProfile", "max_design_cost_usd", {"max_design_cost_usd": -1}),
        ("AgentProfile", "max_context_pack_tokens", {"max_context_pack_tokens": 1}),
        (
            "SubagentPolicy",
            "allowed_entrypoints_for_subagents",
            {"allow_subagent_spawn": True, "allowed_entrypoints_for_subagents": []},
        ),
        ("SubagentPolicy", "max_depth", {"max_depth": 0}),
        ("AgentCapability", "implemented_by_agent_id", {"implemented_by_agent_id": "other"}),
        ("AgentCapability", "semantic_actions", {"semantic_actions": []}),
        ("SystemAgent", "capability_registered", {"capability_registered": False}),
    ]
    for label, field, values in wrong:
        with pytest.raises(TaskloreError) as refused:
            await office.new(label, **values)
        assert (refused.value.code, refused.value.field) == ("invalid_input", field)
        assert refused.value.remedy
    for label in ("SystemAgent", "AgentCapability", "AgentProfile", "SubagentPolicy"):
        with pytest.raises(TaskloreError) as refused:
            await office.new(label, await office.agent())
        assert refused.value.code == "approval_required"


@pytest.mark.slow
async def test_what_an_agent_proposes_after_a_fallback_is_marked(office: Office) -> None:
    early = await office.new("Template", await office.agent(), name="Early")
    agent, fallbacks = await office.agent(), office.services[ModelFallbacks]
    given = ModelFallbackInput(
        **FALLBACK, task_agent_entrypoint=Entrypoint.design_task, proposals=(RecordRef(id=early),)
    )
    receipt = (await fallbacks.record(agent, given)).result["id"]
    stored = await office.stored(receipt)
    assert stored["output_requires_extra_validation"] is True
    assert "task.agent.fallback_model_used" in await office.events(receipt)
    late = await office.new("Template", agent, name="Draft")
    by_person = await office.new("Template", name="By a person")
    for one, marks in ((early, {receipt}), (late, {receipt}), (by_person, set[str]())):
        assert await office.heads(one, "MADE_AFTER_FALLBACK") == marks
    harmless = ModelFallbackInput(**FALLBACK, task_agent_entrypoint=Entrypoint.inspect_task_run)
    told = await office.stored((await fallbacks.record(agent, harmless)).result["id"])
    assert told["output_requires_extra_validation"] is False
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("fallback_model_ref", {"fallback_model_ref": "large"}),
        ("proposals", {"proposals": (RecordRef(id="tpl_missing"),)}),
    ]
    for field, more in wrong:
        with pytest.raises(TaskloreError) as refused:
            await fallbacks.record(agent, ModelFallbackInput(**{**FALLBACK, **more}))
        assert refused.value.field == field


@pytest.mark.slow
async def test_a_consult_about_whether_a_task_fits_needs_a_decision_that_leaves_room_for_one(office: Office) -> None:
    values = {
        "entrypoint": "consult_task_opportunity",
        "user_request_ref": "chat://1",
        "response_kind": "task_mode_advice",
    }
    low = RecordRef(id=await office.decision(task_opportunity_level="low"))
    medium = RecordRef(id=await office.decision(task_opportunity_level="medium"))
    continuation, viewer = office.services[Continuation], await office.viewer()
    for given in (ConsultInput(values), ConsultInput(values, decision=low)):
        with pytest.raises(TaskloreError) as refused:
            await continuation.record_consult(viewer, given)
        assert (refused.value.code, refused.value.field) == ("consult_not_allowed", "entrypoint")
    with pytest.raises(TaskloreError) as refused:
        await continuation.open_thread(
            viewer, ThreadInput({"scope": "general_task_agent", "task_agent_entrypoint": "consult_task_opportunity"})
        )
    assert refused.value.code == "consult_not_allowed"
    for given in (ConsultInput(values, user_asked=True), ConsultInput(values, decision=low, user_asked=True)):
        await continuation.record_consult(viewer, given)
    kept = (await continuation.record_consult(viewer, ConsultInput(values, decision=medium))).result["id"]
    assert await office.heads(kept, "ASKED_ABOUT") == {medium.id}
