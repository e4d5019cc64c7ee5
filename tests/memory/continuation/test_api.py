"""What comes after a run, through GraphQL."""

from typing import Any

import pytest

from resolvers.capability import Fields
from resolvers.engine.context import Context
from resolvers.engine.execution import ReadSchema
from resolvers.memory.continuation import ContinuationMutation
from resolvers.schema import build_schema
from service.memory.continuation import Continuation
from tests.memory.continuation.conftest import Person
from tests.memory.stories import RUN, whole_run
from tests.viewers import viewer_of

RUN_REF = {"kind": "Run", **RUN}

FORK = """
mutation ($run: RecordRefInput!, $seq: Int, $input: ForkInput!, $id: String) {
  requestFork(run: $run, moduleKey: "draft", activationSeq: $seq, input: $input, commandId: $id) {
    replayed record { id createdBy sideEffectReplayPolicy forkFrom { nodes { moduleKey activationSeq } } }
  }
}
"""
FOLLOW_UP = """
mutation ($run: RecordRefInput!) {
  recordFollowUp(run: $run, moduleKey: "memo", activationSeq: 1,
      input: {mode: ask_task_agent_about_module, userQuestion: "Why?", durableEffect: module_followup_artifact},
      artifacts: [{name: "Answer", artifactKind: document, storageRef: "ref://a"}]) {
    artifacts { name
      producedInFollowUp { nodes { userQuestion follows { nodes { ... on Activation { name } } } } } }
  }
}
"""
REST = """
mutation ($run: RecordRefInput!) {
  openThread(input: {scope: task_run_inspection}, run: $run) {
    warnings { code } record { scope confinedTo { totalCount } } }
  recordConsult(input: {entrypoint: inspect_task_run, userRequestRef: "chat://1", responseKind: status_answer},
    run: $run) { record { responseKind askedAbout { totalCount } } }
}
"""
INTERVENE = """
mutation ($run: RecordRefInput!) {
  recordIntervention(run: $run, moduleKey: "draft", activationSeq: 3, input: {interventionKind: pause_after_module}) {
    interventionKey
  }
}
"""


@pytest.fixture(scope="module")
def schema() -> ReadSchema:
    return build_schema(fields=[Fields(mutations=(ContinuationMutation,))])


async def _ask(person: Person, schema: ReadSchema, document: str, **variables: Any) -> Any:
    context = Context(await viewer_of(person.database), person.database, "req_1", {Continuation: person.after})
    return await schema.execute(document, variable_values={"run": RUN_REF, **variables}, context_value=context)


@pytest.mark.slow
async def test_what_is_asked_is_recorded_and_can_be_read(person: Person, schema: ReadSchema) -> None:
    await person.executor.report(whole_run())
    given = {"rerunScope": "downstream_only", "sideEffectReplayPolicy": None}
    told: list[Any] = []
    for _ in range(2):
        answer = await _ask(person, schema, FORK, seq=3, input=given, id="f")
        assert not answer.errors
        told.append(answer.data["requestFork"])
    assert [one["replayed"] for one in told] == [False, True]
    assert told[0]["record"] == told[1]["record"]
    assert told[0]["record"]["sideEffectReplayPolicy"] == "block_all_external_side_effects"
    assert told[0]["record"]["forkFrom"]["nodes"] == [{"moduleKey": "draft", "activationSeq": 3}]
    answer = await _ask(person, schema, FOLLOW_UP)
    assert not answer.errors
    [artifact] = answer.data["recordFollowUp"]["artifacts"]
    [follow_up] = artifact["producedInFollowUp"]["nodes"]
    assert follow_up == {"userQuestion": "Why?", "follows": {"nodes": [{"name": "memo #1"}]}}
    answer = await _ask(person, schema, REST)
    assert not answer.errors
    assert answer.data["openThread"] == {
        "warnings": [],
        "record": {"scope": "task_run_inspection", "confinedTo": {"totalCount": 1}},
    }
    assert answer.data["recordConsult"]["record"]["askedAbout"] == {"totalCount": 1}


async def test_refusals_have_the_codes_of_the_specification(person: Person, schema: ReadSchema) -> None:
    await person.executor.report(whole_run())
    answer = await _ask(person, schema, FORK, input={"rerunScope": "downstream_only"})
    assert answer.errors[0].original_error.code == "validation.task_run_fork_requires_activation_seq"
    given = {"rerunScope": "downstream_only", "sideEffectReplayPolicy": "allow_with_confirmation"}
    answer = await _ask(person, schema, FORK, seq=3, input=given)
    assert answer.errors[0].original_error.code == "validation.task_run_fork_side_effect_replay_policy_required"
    answer = await _ask(person, schema, INTERVENE)
    assert answer.errors[0].original_error.code == "run_is_finished"
