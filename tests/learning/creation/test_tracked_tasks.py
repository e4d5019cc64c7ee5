"""Tasks that agents make are seen: receipts, the gate in front of what has none, and what may run."""

from typing import Any

import pytest

from graph_schema.learning.design_words import CreationMode as Mode
from service.errors import TaskloreError
from tests.learning.studio import Studio, graph, ref

pytestmark = pytest.mark.slow


async def refused(awaited: Any) -> TaskloreError:
    with pytest.raises(TaskloreError) as error:
        await awaited
    assert error.value.remedy
    return error.value


async def test_an_agent_makes_no_task_that_nobody_sees(studio: Studio) -> None:
    await studio.new("EducationProfile", name="Free", require_preflight_before_save=False)
    agent = await studio.agent()
    hidden = await refused(studio.new("Task", agent, name="Hidden"))
    assert (hidden.code, hidden.field) == ("validation.task_receipt_required", "task")
    decision = await studio.decision(task_opportunity_level="high", user_request_ref="chat://9")
    agent = await studio.agent()
    made = await studio.track(agent, name="Watch", creation_mode=Mode.elnor_created_tracked, decision=ref(decision))
    task = made["task"]
    await studio.save_as(agent, task, description="Watches the feed.")
    match = await studio.kept_match(agent, "Watch the feed of the observatory")
    await studio.draw(task, graph(("watch", "step.agent_task")), await studio.agent(), searched=ref(match))
    await studio.become(task, "draft", await studio.agent())
    [receipt] = await studio.receipts(task)
    assert (receipt.creation_mode, receipt.visible_to_user) == (Mode.elnor_created_tracked, True)
    assert receipt.trace.originating_user_request_ref == "chat://9"
    assert receipt.trace.task_mode_decision_id == decision
    assert (receipt.runnable, receipt.not_runnable_because) == (False, "It waits for a person to accept it.")
    assert {one.label for one in receipt.controls} == {"View task", "Edit steps", "Accept", "Make reusable", "Disable"}
    bare = await studio.new("Task", name="Of a person")
    await studio.database.run_alone(
        "MATCH (t:Record {id: $id}) SET t.lifecycle_state = 'draft' "
        "WITH t MATCH (e:Event {about: t.id}) SET e.principal_id = 'prin_agent'",
        id=bare,
    )
    agent = await studio.agent()
    for call in (
        studio.save_as(agent, bare, description="Taken over."),
        studio.draw(bare, graph(("a", "step.agent_task")), agent),
        studio.become(bare, "draft", agent),
    ):
        assert (await refused(call)).code == "validation.task_receipt_required"
    assert await studio.receipts(bare) == ()
    await studio.become(task, "active")
    [receipt] = await studio.receipts(task)
    assert (receipt.runnable, receipt.reviewed_by) == (True, "prin_admin")
    assert "taskreceipt.reviewed" in await studio.events(receipt.receipt_id)


async def test_each_way_to_make_a_task_asks_for_what_it_stands_on(studio: Studio) -> None:
    low = ref(await studio.decision(task_opportunity_level="low", user_request_ref="chat://1"))
    nameless = ref(await studio.decision())
    agent = await studio.agent()
    usual: dict[str, Any] = {"name": "Made", "decision": low}

    async def why(**given: Any) -> tuple[str, str | None]:
        error = await refused(studio.track(agent, **{**usual, **given}))
        return error.code, error.field

    incomplete = "validation.task_semantic_trace_required"
    assert await why(creation_mode=Mode.scratch_draft_not_run, decision=None) == (incomplete, "decision")
    assert await why(creation_mode=Mode.scratch_draft_not_run, decision=nameless) == (incomplete, "request_ref")
    invalid = ("invalid_input", "creation_mode")
    assert await why(creation_mode=Mode.user_authored) == invalid
    assert await why(creation_mode=Mode.task_agent_proposed) == invalid
    assert await why(creation_mode=Mode.elnor_created_tracked) == invalid
    assert await why(creation_mode=Mode.template_instantiated) == invalid
    assert await why(creation_mode=Mode.scratch_draft_not_run, name=None) == ("invalid_input", "name")
    assert await why(creation_mode=Mode.scratch_draft_not_run, decision=ref("mode_missing")) == (
        "not_found",
        "decision",
    )
    blank = {"creation_mode": Mode.scratch_draft_not_run, "reason_for_task_mode": "  "}
    assert await why(**blank) == ("invalid_input", "reason_for_task_mode")
    scratch = await studio.track(agent, **usual, creation_mode=Mode.scratch_draft_not_run)
    [receipt] = await studio.receipts(scratch["task"])
    assert not receipt.runnable
    own = await studio.track(name="My own", creation_mode=Mode.user_authored)
    [receipt] = await studio.receipts(own["task"])
    assert receipt.runnable


async def test_what_could_not_be_undone_waits_for_a_person_even_where_a_policy_accepts(studio: Studio) -> None:
    await studio.new("EducationProfile", name="Free", require_preflight_before_save=False)
    await studio.type("output.email", "output", "external_send")
    await studio.type("output.file", "output", "file_write")
    await studio.new("AgentProfile", name="Trusting", require_user_confirmation_before_save=False)
    decision = ref(await studio.decision(task_opportunity_level="explicit", user_request_ref="chat://2"))
    made: dict[str, str] = {}
    for name, kind in (("Send", "output.email"), ("Write", "output.file")):
        template = await studio.new("Template", name=name)
        await studio.draw(template, graph(("read", "source.documents"), ("out", kind)))
        told = await studio.track(
            await studio.agent(),
            name=name,
            creation_mode=Mode.template_instantiated,
            template=ref(template),
            decision=decision,
        )
        made[name] = told["task"]
        assert await studio.heads(told["task"], "INSTANTIATES") == {template}
    [send], [write] = await studio.receipts(made["Send"]), await studio.receipts(made["Write"])
    assert (send.runnable, send.risky_side_effects) == (False, ("external_send",))
    assert "can do this: external_send" in str(send.not_runnable_because)
    assert (await studio.stored(made["Send"]))["lifecycle_state"] == "draft"
    assert write.runnable
    assert (await studio.stored(made["Write"]))["lifecycle_state"] == "active"
    await studio.become(made["Send"], "active")
    assert (await studio.receipts(made["Send"]))[0].runnable


async def test_a_receipt_is_as_closed_as_its_task_and_goes_with_it(studio: Studio) -> None:
    matter = await studio.matter("Comet")
    decision = ref(
        await studio.decision(task_opportunity_level="high", user_request_ref="chat://3", matter_ids=[matter])
    )
    made = await studio.track(
        await studio.agent(),
        name="Track the comet",
        creation_mode=Mode.elnor_created_tracked,
        decision=decision,
        about=(ref(matter),),
        matter_ids=(matter,),
    )
    assert (await studio.stored(made["id"]))["matter_ids"] == [matter]
    stranger = await studio.viewer(principal_id="prin_other", matters=())
    assert (await refused(studio.receipts(made["task"], stranger))).code == "not_found"
    [receipt] = await studio.receipts(made["task"])
    assert receipt.trace.linked_work_context_ids == (matter,)
    await studio.erase(made["task"])
    assert await studio.database.read("MATCH (r:TaskReceipt {id: $id}) RETURN r", id=made["id"]) == []
