"""What the parts of a run refer to: blueprint and definition, what went in, artifacts of spans, what sessions hold."""

from typing import Any

from graph_schema.registry import REGISTRY
from resolvers.engine.execution import ReadSchema
from service.commands import Commands, RecordRef
from service.library.blueprints import BlueprintInput
from service.library.commands import Library
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step
from tests.memory.views.asking import ask, report
from tests.viewers import viewer_of

LENS = """{ lens { blueprintId definitionStatus inputSummary taskMemoryRef learningSignalRefs
  evidence { layers } } }"""
PARTS = """{ trace { spans { spanKey artifactIds } }
  aftermath { sessions { effectivePromptSnapshotRef contextPacketRef inputArtifactRefs outputArtifactRefs } }
  prompts { prompts { feedbackEnabled packetId promptLayers { layerKind tokenCount } } } }"""
RUN = "query ($id: ID!) { run(id: $id) %s }"


def story(**policy: Any) -> list[Event]:
    told = Story(policy={**POLICY, **policy}).tell("run_started", task_key="draft", blueprint_key="bp-1")
    told.tell("activation_started", **step("intake"), input_summary=["One complaint", "Two exhibits"])
    told.tell("artifact_consumed", item={"kind": "Artifact", "key": "filed"}, **step("intake"))
    told.tell("artifact_produced", artifact_key="memo", artifact_kind="document", storage_ref="ref://memo",
              **step("intake"))  # fmt: skip
    told.tell("snapshot", snapshot_key="p", snapshot_kind="prompt", prompt_text_ref="ref://prompt",
              redaction_mode="redacted", **step("intake"))  # fmt: skip
    told.tell("span", span_key="emit", span_kind="artifact_emission", status="success", artifact_keys=["memo"],
              **step("intake"))  # fmt: skip
    told.tell("session", session_key="s", session_kind="resumable_openclaw_session", continuation_status="available",
              **step("intake"))  # fmt: skip
    told.tell("activation_started", **step("write"), triggered_by=[step("intake")], input_summary=["The memo"])
    return told.events


async def _packet(executor: Executor, run: str) -> None:
    """A packet of the first step, and what somebody thought of it."""
    await executor.database.run_alone(
        """MATCH (r:Run {id: $run})
        CREATE (r)-[:HAS_PACKET]->(:ContextPacket:Record {id: 'pack_1', name: 'p', run_id: r.id, module_key: 'intake',
          activation_seq: 1, actual_tokens: 321, audience: r.audience})
        CREATE (:Feedback:Record {id: 'fb_1', name: 'f', run_id: r.id, audience: r.audience})
        CREATE (:Feedback:Record {id: 'fb_2', name: 'hidden', run_id: r.id, audience: 'local_only|ent_x'})""",
        run=run,
    )


async def test_the_lens_names_blueprint_definition_inputs_memory_and_what_is_to_be_learned(
    schema: ReadSchema, executor: Executor
) -> None:
    commands = Commands(executor.database, REGISTRY, lambda _new: None)
    saved = {"name": "Draft", "source": "exec", "source_key": "draft"}
    task = await Records(commands, hooks()).save(await viewer_of(executor.database), "Task", saved)
    viewer = await viewer_of(executor.database)
    values = {"name": "Own", "business_or_personal_goal": "g", "task_type": "t"}
    own = await Library(commands).save_blueprint(viewer, BlueprintInput(values, of=RecordRef(id=task.result["id"])))
    run = await report(executor, story())
    lens = (await ask(schema, executor, RUN % LENS, id=run))["run"]["lens"]
    assert lens == {
        "blueprintId": own.result["id"],
        "definitionStatus": "active",
        "inputSummary": ["intake: One complaint", "intake: Two exhibits"],
        "taskMemoryRef": run,
        "learningSignalRefs": [],
        "evidence": {"layers": ["run_truth"]},
    }
    named = {**values, "source": "exec", "source_key": "bp-1"}
    other = await Library(commands).save_blueprint(viewer, BlueprintInput(named))
    await _packet(executor, run)
    lens = (await ask(schema, executor, RUN % LENS, id=run))["run"]["lens"]
    assert (lens["blueprintId"], lens["learningSignalRefs"]) == (other.result["id"], ["fb_1"])
    assert lens["evidence"]["layers"] == ["run_truth", "learning"]


async def test_spans_sessions_and_prompts_lead_to_what_they_had_to_do_with(
    schema: ReadSchema, executor: Executor
) -> None:
    before = Story({"source": "exec", "key": "before"}).tell("run_started")
    before.tell("artifact_produced", artifact_key="filed", artifact_kind="document", storage_ref="ref://filed",
                **step("file"))  # fmt: skip
    await report(executor, before.events)
    run = await report(executor, story())
    await _packet(executor, run)
    found = (await ask(schema, executor, RUN % PARTS, id=run))["run"]
    memo = await executor.one("Artifact", source_key="memo")
    assert found["trace"]["spans"] == [{"spanKey": "emit", "artifactIds": [memo["id"]]}]
    assert found["aftermath"]["sessions"] == [
        {
            "effectivePromptSnapshotRef": "ref://prompt",
            "contextPacketRef": "pack_1",
            "inputArtifactRefs": ["ref://filed"],
            "outputArtifactRefs": ["ref://memo"],
        }
    ]
    [prompt] = found["prompts"]["prompts"]
    assert (prompt["packetId"], prompt["feedbackEnabled"]) == ("pack_1", True)
    assert prompt["promptLayers"] == [{"layerKind": "doc24_context_packet", "tokenCount": 321}]


async def test_a_private_run_is_no_memory_and_takes_no_feedback(schema: ReadSchema, executor: Executor) -> None:
    run = await report(executor, story(memory_mode="memory_incognito"))
    await _packet(executor, run)
    lens = (await ask(schema, executor, RUN % LENS, id=run))["run"]["lens"]
    assert lens["taskMemoryRef"] is None
    [prompt] = (await ask(schema, executor, RUN % PARTS, id=run))["run"]["prompts"]["prompts"]
    assert prompt["feedbackEnabled"] is False
