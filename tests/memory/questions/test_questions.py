"""The seven questions, by run and by task: data, a sentence, its evidence, what is missing, and nothing hidden."""

from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.memory.questions import QuestionQuery
from resolvers.schema import build_schema
from service.access.viewer import KeyScope, PrincipalKind
from service.commands import RecordRef
from service.commands.errors import InputInvalid
from service.memory.questions import Questions, RunQuestions
from service.memory.questions.contract import COMMAND_SURFACES, FORBIDDEN_COMMANDS, READ_SURFACES
from tests.api.specified import SURFACES
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, RUN, Story, step, whole_run
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow

RUN_REF = RecordRef(kind="Run", **RUN)
INSIDER: dict[str, Any] = {"clearance": DataClass.internal, "scopes": (KeyScope.read,), "principal_id": "p"}


async def _of_run(executor: Executor, **viewer: Any) -> RunQuestions:
    found = await Questions(executor.database).of_run(await viewer_of(executor.database, **viewer), RUN_REF)
    assert found
    return found


def _codes(answer: Any) -> list[str]:
    return [one.code for one in answer.missing]


async def test_a_finished_run_answers_all_seven(executor: Executor) -> None:
    await executor.report(whole_run())
    asked = await _of_run(executor)
    where = asked.where
    assert (where.status, where.steps_done, where.steps_known, where.running) == ("completed", 8, 10, ())
    assert where.sentence == "Draft complaint is completed; 8 of the 10 steps reported so far have ended."
    assert [one.message for one in where.missing] == ["Only named by others, and not reported themselves: judge, send."]
    assert asked.running_now.sentence == "Nothing is running: the run is completed."
    assert asked.why_waiting.sentence == "Nothing in this run waits."
    memo = asked.module_output("memo")
    assert ([one.display_name for one in memo.outputs], memo.status) == (["Damages memo"], "success")
    assert _codes(memo) == ["warning.module_output_link_missing"]
    assert asked.module_output("draft").activation_seq == 3
    assert asked.module_output("draft", 1).outputs == ()
    assert asked.module_output("nowhere").status == "not_run"
    final = asked.final_output
    assert final.sentence == "The final output is Complaint."
    assert {one.value for one in final.layers} == {"run_truth"}
    sections = {one.name: one.count for one in asked.inspector.sections}
    assert (sections["run_flow_steps"], sections["artifacts_deliveries"], asked.inspector.live) == (10, 4, False)
    assert len(asked.artifacts.outputs) == 3


async def test_a_waiting_run_says_what_for_and_what_nobody_said(executor: Executor) -> None:
    story = Story().tell("run_started", name="Motion").tell("activation_started", **step("draft"))
    story.tell("activation_waiting", **step("review"), waiting_reason="A partner reads it.", gate_key="g")
    story.tell("gate_opened", gate_key="g", gate_kind="human_review", question="Good?", **step("review"))
    story.tell("activation_waiting", **step("silent"))
    await executor.report(story.events)
    asked = await _of_run(executor)
    assert asked.where.sentence == (
        "Motion is running; 0 of the 3 steps reported so far have ended; running: draft; waiting: review, silent."
    )
    waiting = asked.why_waiting
    assert [(one.step.module_key, one.gate_kind, one.question) for one in waiting.waits] == [
        ("review", "human_review", "Good?"),
        ("silent", None, None),
    ]
    assert waiting.sentence.startswith("review waits at a gate (human_review) since")
    assert _codes(waiting) == ["wait_reason_not_reported"]
    assert asked.final_output.sentence == "There is no final output yet: the run is running."
    story.tell("gate_decided", gate_key="g", status="approved", **step("review"))
    await executor.report(story.events)
    decided = (await _of_run(executor)).why_waiting
    assert decided.waits[0].reason == "Its gate was approved; it has not been reported to go on."


async def test_what_is_missing_is_said(executor: Executor) -> None:
    await executor.report([Story().tell("run_completed").events[0]])
    asked = await _of_run(executor)
    assert _codes(asked.where) == ["run_start_not_reported", "no_steps_reported"]
    assert _codes(asked.final_output) == ["run_start_not_reported", "final_output_not_reported"]
    ephemeral = {**POLICY, "memory_mode": "full_ephemeral_test"}
    await executor.report(whole_run({"source": "exec", "key": "eph"}, ephemeral))
    viewer = await viewer_of(executor.database)
    found = await Questions(executor.database).of_run(viewer, RecordRef(kind="Run", source="exec", key="eph"))
    assert found
    assert _codes(found.where) == ["mode_keeps_receipts_only"]


async def test_nothing_hidden_is_told(executor: Executor) -> None:
    await executor.report(whole_run(policy={**POLICY, "capture_outputs": "full_local_only"}))
    asked = await _of_run(executor, **INSIDER)
    assert (asked.artifacts.outputs, asked.final_output.outputs) == ((), ())
    told = repr([asked.where, asked.module_output("memo"), asked.final_output, asked.artifacts, asked.inspector])
    assert "Complaint" not in told.replace("draft-complaint", "")
    assert "Damages" not in told
    await executor.report(whole_run({"source": "exec", "key": "secret"}, {**POLICY, "data_class": "privileged"}))
    questions, viewer = Questions(executor.database), await viewer_of(executor.database, **INSIDER)
    for key in ("secret", "missing"):
        ref = RecordRef(kind="Run", source="exec", key=key)
        assert await questions.of_run(viewer, ref) is None
        assert await questions.contract(viewer, ref) is None
        assert await questions.quick_access(viewer, ref, "memo", None) is None
    secret = (await executor.one("Run", source_key="secret"))["id"]
    assert await questions.of_run(viewer, RecordRef(id=secret)) is None
    assert await questions.quick_access(viewer, RecordRef(id=secret), "memo", None) is None


async def test_a_task_answers_about_the_run_that_goes_on(executor: Executor) -> None:
    questions = Questions(executor.database)
    nothing = await questions.of_task(await viewer_of(executor.database), "exec", "draft-complaint", 10)
    assert (nothing.run_count, nothing.current, nothing.runs) == (0, None, ())
    assert nothing.sentence == "No run of this task that you can see was reported."
    await executor.report(whole_run())
    secret = {**POLICY, "data_class": "privileged"}
    for key, policy in (("going", POLICY), ("hidden", secret)):
        story = Story({"source": "exec", "key": key}, policy).tell("run_started", task_key="draft-complaint", name=key)
        await executor.report([story.events[0] | {"occurred_at": "2026-02-01T00:00:00.000Z"}])
    seen = await questions.of_task(await viewer_of(executor.database, **INSIDER), "exec", "draft-complaint", 10)
    assert (seen.run_count, [one.name for one in seen.runs]) == (2, ["going", "run-1"])
    assert seen.current
    assert seen.last_completed
    assert seen.current.where.status == "running"
    assert seen.last_completed.final_output.sentence == "The final output is Complaint."
    assert (await questions.of_task(await viewer_of(executor.database), "exec", "draft-complaint", 1)).run_count == 3
    with pytest.raises(InputInvalid):
        await questions.of_task(await viewer_of(executor.database), "exec", "draft-complaint", 0)


async def test_quick_access_to_a_module(executor: Executor) -> None:
    await executor.report(whole_run())
    questions, viewer = Questions(executor.database), await viewer_of(executor.database)
    with pytest.raises(InputInvalid, match="the first activation of a module is 1"):
        await questions.quick_access(viewer, RUN_REF, "draft", 0)
    draft = await questions.quick_access(viewer, RUN_REF, "draft", None)
    assert draft
    assert (draft.activation_seq, draft.status, draft.cost_usd) == (3, "success", 0.7)
    assert [one.display_name for one in draft.primary_outputs] == ["Complaint"]
    assert _codes(draft) == ["warning.module_output_link_missing"]
    never = await questions.quick_access(viewer, RUN_REF, "nowhere", None)
    assert never
    assert (never.status, _codes(never)) == ("not_run", ["validation.module_run_quick_access_missing"])
    failed = await questions.quick_access(viewer, RUN_REF, "extra", 1)
    assert failed
    assert (failed.status, failed.live_inspector_available, _codes(failed)) == ("error", False, [])


async def test_the_contract_offers_only_what_is_reported_and_allowed(executor: Executor) -> None:
    story = Story().tell("run_started").tell("activation_started", **step("draft"))
    story.tell("session", session_key="s", session_kind="resumable_openclaw_session", continuation_status="archived",
               supported_interventions=["pause_after_module"], **step("draft"))  # fmt: skip
    await executor.report(story.events)
    questions = Questions(executor.database)

    async def offered(**viewer: Any) -> dict[str, str | None]:
        contract = await questions.contract(await viewer_of(executor.database, **viewer), RUN_REF)
        assert contract
        return {one.control: one.reason for one in contract.controls}

    assert await offered() == {
        "continue_original_session": "archived",
        "user_note_for_downstream": None,
        "cancel_current_call": "not_reported_by_runtime",
        "pause_after_module": None,
        "inject_instruction_if_supported": "not_reported_by_runtime",
        "request_status_if_supported": "not_reported_by_runtime",
    }
    task = RecordRef(kind="Task", source="exec", key="t")
    assert await questions.contract(await viewer_of(executor.database), None, task) is None
    await executor.report([Story(task_key="t").tell("run_started").events[0] | {"event_id": "task"}])
    of_task = await questions.contract(await viewer_of(executor.database), None, task)
    assert of_task
    assert of_task.run_id == (await executor.one("Run"))["id"]
    assert (await offered(**INSIDER))["pause_after_module"] == "scope_missing: curate"
    await executor.report([Story().tell("run_completed").events[0] | {"event_id": "end"}])
    assert {one for name, one in (await offered()).items() if name != "continue_original_session"} == {
        "run_is_finished"
    }
    agent = await questions.contract(await viewer_of(executor.database, kind=PrincipalKind.agent), None)
    assert agent
    assert (agent.may_authorise_side_effects, agent.controls) == (False, ())


def test_every_operation_of_the_contract_is_there() -> None:
    schema: Any = build_schema()._schema  # pyright: ignore[reportPrivateUsage]
    queries, mutations = set(schema.query_type.fields), set(schema.mutation_type.fields)
    assert {one for one in READ_SURFACES.values() if one} <= queries
    for way in COMMAND_SURFACES.values():
        assert way.operation in (queries if way.is_question else mutations)


def test_the_contract_has_every_surface_of_the_specification() -> None:
    told = {
        "read_surfaces": {*READ_SURFACES},
        "command_surfaces": {*COMMAND_SURFACES},
        "forbidden_commands": {*FORBIDDEN_COMMANDS},
    }
    for field, words in SURFACES.items():
        assert {*words.split()} <= told[field]


async def test_all_surfaces_that_are_here_are_offered_and_to_an_agent_what_it_may(executor: Executor) -> None:
    """Design sessions, preflight, proposals and the knowledge pack, too."""
    questions = Questions(executor.database)

    async def offered(**viewer: Any) -> dict[str, tuple[bool, str | None, str | None]]:
        contract = await questions.contract(await viewer_of(executor.database, **viewer), None)
        assert contract
        told = (*contract.read_surfaces, *contract.command_surfaces)
        return {one.surface: (one.allowed, one.operation, one.reason) for one in told}

    person, agent = await offered(), await offered(kind=PrincipalKind.agent)
    not_here = {name for name, (_, _, reason) in person.items() if reason == "not_in_this_service"}
    assert not_here == {"environment_config", "doc25_ingestion_result"}
    assert all(allowed for name, (allowed, _, _) in person.items() if name not in not_here)
    assert (person["module_preset"], person["task_blueprint"]) == ((True, "presets", None), (True, "blueprints", None))
    assert person["doc73_library_binding"] == (True, "libraryIntents", None)
    assert agent["task.assessment.request"] == (True, "assessRun", None)
    assert agent["task.blueprint.propose"] == (True, "saveBlueprint", None)
    assert agent["task.preset.update.propose"] == (True, "proposeChange", None)
    assert agent["task.design_session.start"] == (True, "startDesignSession", None)
    refused = {name: reason for name, (allowed, _, reason) in agent.items() if not allowed and name not in not_here}
    assert refused == {"task.knowledge_pack.rebuild.request": "needs_a_person"}
    reader = await offered(scopes=[KeyScope.read])
    assert reader["task.preflight.run"] == (True, "preflight", None)
    assert reader["task.design_session.start"] == (False, "startDesignSession", "scope_missing: curate")


ALL = """
query ($run: RecordRefInput!) {
  runQuestions(run: $run) {
    where { question sentence layers missing { code message } status stepsDone running { name } waiting { name } }
    runningNow { sentence steps { name } }
    whyWaiting { sentence waits { reason question step { name waitingSince } } }
    moduleOutput(moduleKey: "draft") { sentence activationSeq outputs { displayName artifactKind } }
    first: moduleOutput(moduleKey: "draft", activationSeq: 1) { activationSeq }
    finalOutput { sentence outputs { artifactId artifactKind } }
    inspector { live sections { name count available reason } }
    artifacts { truncated outputs { displayName } }
  }
  taskQuestions(source: "exec", key: "draft-complaint") {
    sentence runCount runs { name status } current { where { status } } lastCompleted { finalOutput { sentence } }
  }
  permissionContract(run: $run) {
    principalKind readSurfaces { surface allowed operation reason reported } commandSurfaces { surface allowed }
    forbiddenCommands controls { control available reason }
  }
  moduleQuickAccess(run: $run, moduleKey: "draft") { status primaryOutputs { displayName openUrl } missing { code } }
}
"""


async def test_all_of_it_through_graphql(executor: Executor) -> None:
    await executor.report(whole_run())
    schema: ReadSchema = build_schema(fields=[Fields(queries=(QuestionQuery,))])
    services: dict[type, Any] = {Questions: Questions(executor.database)}
    context = Context(await viewer_of(executor.database), executor.database, "req_1", services)
    answer = await schema.execute(ALL, variable_values={"run": {"kind": "Run", **RUN}}, context_value=context)
    assert not answer.errors, answer.errors
    assert answer.data
    asked = answer.data["runQuestions"]
    assert (asked["where"]["question"], asked["where"]["layers"]) == ("where_is_this_run", ["run_truth"])
    assert (asked["moduleOutput"]["activationSeq"], asked["first"]["activationSeq"]) == (3, 1)
    assert asked["finalOutput"]["outputs"][0]["artifactKind"] == "work_product"
    assert answer.data["taskQuestions"]["lastCompleted"]["finalOutput"]["sentence"] == "The final output is Complaint."
    assert len(answer.data["permissionContract"]["readSurfaces"]) == 26
    assert answer.data["moduleQuickAccess"]["primaryOutputs"][0]["displayName"] == "Complaint"
