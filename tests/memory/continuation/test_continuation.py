"""Follow-ups, interventions, threads and consults: recorded beside a run, never in it, and no phantom controls."""

from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.commands.errors import CommandReused, InputInvalid, RecordMissing, TextTooLong
from service.doctor import examine
from service.memory.continuation import ConsultInput, FollowUpArtifact, StepName, ThreadInput
from service.memory.continuation.errors import (
    ContinuationNotAvailable,
    FollowUpNotLinked,
    InterventionNotSupported,
    LayerDiffers,
    RunIsFinished,
    StepMissing,
)
from tests.memory.continuation.conftest import Person, step
from tests.memory.stories import POLICY, RUN, Story, whole_run
from tests.memory.stories import step as of_step
from tests.viewers import viewer_of

SECRET = {**POLICY, "data_class": "privileged"}
INCOGNITO = {**POLICY, "memory_mode": "memory_incognito"}
OUTSIDER: dict[str, Any] = {"clearance": DataClass.internal, "scopes": (KeyScope.curate, KeyScope.read)}
RUN_REF = RecordRef(kind="Run", **RUN)


async def test_a_follow_up_makes_artifacts_of_its_own_and_leaves_the_run_alone(person: Person) -> None:
    await person.executor.report(whole_run(policy=SECRET))
    parent = (await person.executor.one("Run"))["id"]
    before = await person.parts(parent)
    memo = FollowUpArtifact(values={"name": "Second memo", "artifact_kind": "document", "storage_ref": "ref://2"})
    chat = RecordRef(kind="Entity", source="chat", key="c-1")
    asked: dict[str, Any] = {"durable_effect": "module_followup_artifact", "mode": "new_session_from_module_context"}
    outcome = await person.follow(step("memo"), artifacts=(memo,), conversation=chat, command_id="x", **asked)
    follow_up, made = await person.executor.one("FollowUp"), await person.executor.one("Artifact", name="Second memo")
    assert (follow_up["source_run_id"], follow_up["source_module_key"]) == (parent, "memo")
    assert await person.heads(follow_up["id"], "PRODUCED") == [made["id"]] == outcome.result["artifacts"]
    assert "run_id" not in made
    assert {one["data_class"] for one in (follow_up, made, await person.executor.one("Entity", source="chat"))} == {
        "privileged"
    }
    assert await person.parts(parent) == before
    assert (await person.follow(step("memo"), artifacts=(memo,), conversation=chat, command_id="x", **asked)).replayed
    with pytest.raises(CommandReused):
        await person.follow(step("memo"), command_id="x")
    found = [str(one) for one in await examine(person.database, REGISTRY)]
    assert found == []


async def test_only_a_session_that_its_runtime_offers_is_continued(person: Person) -> None:
    story = Story()
    for seq, status in enumerate(("available", "archived", "blocked_by_policy"), start=1):
        story.tell("session", session_key=f"s{seq}", session_kind="resumable_openclaw_session",
                   continuation_status=status, **of_step("m", seq))  # fmt: skip
    story.tell("activation_completed", **of_step("silent"))
    await person.executor.report(story.events)
    mode = {"mode": "continue_original_session"}
    outcome = await person.follow(step("m", 1), **mode)
    [session] = await person.heads(outcome.result["id"], "CONTINUES")
    assert (await person.executor.one("Session", id=session))["session_key"] == "s1"
    assert (await person.executor.one("FollowUp"))["session_key"] == "s1"
    for named, reason in ((step("m", 2), "archived"), (step("m", 3), "blocked_by_policy"), (step("silent"), "unknown")):
        with pytest.raises(ContinuationNotAvailable) as caught:
            await person.follow(named, **mode)
        assert caught.value.code == "validation.module_session_continuation_phantom_control"
        assert caught.value.facts == {"continuation_status": reason}
    with pytest.raises(ContinuationNotAvailable):
        await person.follow(step("m", 1), session_key="another", **mode)


async def test_a_follow_up_says_what_it_leaves_behind(person: Person) -> None:
    await person.executor.report(whole_run())
    own = FollowUpArtifact(RecordRef(kind="Artifact", source="exec", key="run-1-draft"))
    new = FollowUpArtifact(values={"name": "x"})
    for error, values in (
        (InputInvalid, {"artifacts": (new,)}),
        (InputInvalid, {"durable_effect": "module_followup_artifact"}),
        (InputInvalid, {"durable_effect": "module_followup_artifact", "artifacts": (own,)}),
        (InputInvalid, {"mode": "shout"}),
        (TextTooLong, {"user_question": "x" * 10_000}),
        (RecordMissing, {"thread": RecordRef(id="thr_nowhere")}),
    ):
        with pytest.raises(error):
            await person.follow(step("memo"), **values)
    with pytest.raises(StepMissing):
        await person.follow(step("memo", 7))
    assert await person.executor.count("FollowUp") == 0
    fork = (await person.fork(step("draft", 3))).result["id"]
    outcome = await person.follow(step("draft", 3), durable_effect="proposed_run_fork", fork=RecordRef(id=fork))
    assert await person.heads(outcome.result["id"], "PROPOSED") == [fork]


async def test_what_is_not_to_be_remembered_is_not_followed_up(person: Person) -> None:
    await person.executor.report(whole_run(policy=INCOGNITO))
    before = await person.executor.graph()
    with pytest.raises(FollowUpNotLinked):
        await person.follow(step("memo"))
    viewer = await viewer_of(person.database)
    with pytest.raises(FollowUpNotLinked):
        await person.after.open_thread(viewer, ThreadInput({"scope": "task_run_inspection"}, step=StepName(RUN_REF)))
    assert await person.executor.graph() == before
    await person.fork(step("draft", 3))
    assert await person.executor.layers() == {"run_truth"}


def _running(supported: list[str]) -> list[dict[str, Any]]:
    story = Story().tell("run_started").tell("activation_started", **of_step("draft"))
    story.tell("activation_completed", **of_step("intake"))
    told: dict[str, Any] = {"session_kind": "resumable_openclaw_session", "continuation_status": "unknown"}
    return story.tell("session", session_key="s", supported_interventions=supported, **told, **of_step("draft")).events


async def test_a_person_asks_of_a_running_module_what_its_runtime_takes(person: Person) -> None:
    await person.executor.report(_running(["pause_after_module"]))
    outcome = await person.intervene(step("draft"), "pause_after_module", note="Wait for me.", command_id="i")
    made = await person.executor.one("Intervention")
    assert (made["supported_by_runtime"], made["applied"], made["requested_by"]) == (True, False, "prin_admin")
    assert (await person.intervene(step("draft"), "pause_after_module", note="Wait for me.", command_id="i")).replayed
    await person.intervene(step("intake"), "user_note_for_downstream", note="Mind the dates.")
    for named, kind in (("draft", "inject_instruction_if_supported"), ("intake", "pause_after_module")):
        with pytest.raises(InterventionNotSupported):
            await person.intervene(step(named), kind)
    told = {"intervention_kind": "pause_after_module", "supported_by_runtime": True, "applied": True}
    done = Story().tell("intervention", intervention_key=outcome.result["intervention_key"], **told, **of_step("draft"))
    assert await person.executor.told([done.events[0] | {"event_id": "done"}]) == ["accepted"]
    made = await person.executor.one("Intervention", intervention_kind="pause_after_module")
    assert (made["applied"], made["requested_by"], made["note"]) == (True, "prin_admin", "Wait for me.")
    assert await examine(person.database, REGISTRY) == []


async def test_no_control_is_left_on_a_finished_run(person: Person) -> None:
    await person.executor.report(_running(["pause_after_module"]))
    end = Story().tell("run_completed").events[0] | {"event_id": "end"}
    await person.executor.report([end])
    parent = (await person.executor.one("Run"))["id"]
    before = await person.parts(parent)
    for kind in ("pause_after_module", "user_note_for_downstream"):
        with pytest.raises(RunIsFinished) as caught:
            await person.intervene(step("draft"), kind)
        assert caught.value.code == "run_is_finished"
    assert await person.parts(parent) == before


async def test_a_thread_is_confined_to_what_it_is_about(person: Person) -> None:
    await person.executor.report(whole_run(policy=SECRET))
    other = Story({"source": "exec", "key": "other"}).tell("run_started", task_key="another")
    await person.executor.report(other.events)
    viewer = await viewer_of(person.database)
    draft = RecordRef(kind="Artifact", source="exec", key="run-1-draft")
    asked = ThreadInput({"scope": "module_followup"}, step=StepName(RUN_REF, "draft", 3), artifact=draft)
    outcome = await person.after.open_thread(viewer, asked)
    thread = await person.executor.one("Thread")
    assert (thread["data_class"], thread["module_key"], outcome.result["warnings"]) == ("privileged", "draft", [])
    assert (thread["task_source"], thread["task_key"]) == ("exec", "draft-complaint")
    assert len(await person.heads(thread["id"], "CONFINED_TO")) == 3
    loose = await person.after.open_thread(viewer, ThreadInput({"scope": "task_run_inspection"}))
    assert loose.result["warnings"] == ["warning.task_agent_panel_unscoped_thread"]
    mixed = StepName(RecordRef(kind="Run", source="exec", key="other"))
    for wrong in (
        ThreadInput({"scope": "artifact_followup"}, step=mixed, artifact=draft),
        ThreadInput(
            {"scope": "task_design"}, step=mixed, task=RecordRef(kind="Task", source="exec", key="draft-complaint")
        ),
    ):
        with pytest.raises(InputInvalid):
            await person.after.open_thread(viewer, wrong)
    with pytest.raises(RecordMissing):
        await person.after.open_thread(await viewer_of(person.database, **OUTSIDER), asked)


async def test_a_consult_keeps_kinds_of_evidence_apart(person: Person) -> None:
    await person.executor.report(whole_run(policy=SECRET))
    viewer = await viewer_of(person.database)
    draft = (await person.executor.one("Artifact", source_key="run-1-draft"))["id"]
    marex = (await person.executor.one("Entity", source_key="marex"))["id"]
    base = {"entrypoint": "inspect_task_run", "user_request_ref": "chat://1", "response_kind": "status_answer"}
    values = {**base, "consulted_operational_truth_refs": [draft, "ref://log"], "consulted_memory_refs": [marex]}
    asked = ConsultInput(values, step=StepName(RUN_REF, "draft", 3))
    outcome = await person.after.record_consult(viewer, asked, command_id="c")
    consult = await person.executor.one("Consult")
    assert sorted(await person.heads(consult["id"], "CONSULTED")) == sorted([draft, marex])
    kinds = await person.database.read("MATCH (e:Event {about: $id}) RETURN e.kind AS kind", id=consult["id"])
    assert {row["kind"] for row in kinds} >= {"task.agent.consult_started", "task.agent.consult_completed"}
    assert (consult["data_class"], consult["consulted_operational_truth_refs"]) == ("privileged", [draft, "ref://log"])
    assert (await person.after.record_consult(viewer, asked, command_id="c")).result == outcome.result
    confused = ConsultInput({**base, "consulted_memory_refs": [draft]})
    with pytest.raises(LayerDiffers):
        await person.after.record_consult(viewer, confused)
    with pytest.raises(RecordMissing):
        await person.after.record_consult(await viewer_of(person.database, **OUTSIDER), confused)
    assert await examine(person.database, REGISTRY) == []


async def test_a_consult_about_a_private_run_ties_nothing_to_the_memory(person: Person) -> None:
    await person.executor.report(whole_run(policy=INCOGNITO))
    viewer = await viewer_of(person.database)
    base = {"entrypoint": "inspect_task_run", "user_request_ref": "chat://1", "response_kind": "status_answer"}
    beyond = ConsultInput({**base, "consulted_memory_refs": ["ref://memory"]}, step=StepName(RUN_REF))
    with pytest.raises(FollowUpNotLinked):
        await person.after.record_consult(viewer, beyond)
    await person.after.record_consult(viewer, ConsultInput(base, step=StepName(RUN_REF)))
    assert await person.executor.layers() == {"run_truth"}
