"""What a run may leave behind, proved by what is in the graph before and after."""

from typing import Any

import pytest

from graph_schema.memory.words import MemoryMode
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step, whole_run

SECRETS = ("Marex", "Supply agreement", "Damages are high.", "ref://p", "w@example.com", "Damages memo", "Complaint")


def in_mode(mode: str, **more: Any) -> list[Event]:
    return whole_run(policy={**POLICY, "memory_mode": mode, **more})


async def _texts(executor: Executor) -> str:
    rows = await executor.database.read("MATCH (n) RETURN properties(n) AS p")
    return repr([row["p"] for row in rows])


@pytest.mark.parametrize("mode", list(MemoryMode))
async def test_each_mode_has_its_defaults_on_the_run(executor: Executor, mode: MemoryMode) -> None:
    assert set(await executor.told(in_mode(mode))) == {"accepted"}
    run = await executor.one("Run")
    wanted = {
        "standard": ("redacted", "redacted_summary", "task_run_plus_linked_artifacts", "run_only"),
        "reference_only": ("never", "reference_only", "task_run_plus_final_artifacts", "doc72_reference"),
        "summary_reference": (
            "redacted", "redacted_summary", "task_run_plus_linked_artifacts", "doc72_summary_reference",
        ),
        "summary_plus_learning": (
            "redacted", "redacted_summary", "task_run_plus_learning_signals", "doc72_summary_reference",
        ),
        "memory_incognito": ("never", "reference_only", "none", "run_only"),
        "full_ephemeral_test": ("never", "reference_only", "none", "no_capture"),
    }  # fmt: skip
    found = [
        run[name] for name in ("capture_prompts", "capture_outputs", "memory_write_scope", "artifact_default_level")
    ]
    assert tuple(found) == wanted[mode]


async def test_incognito_writes_run_truth_only(executor: Executor) -> None:
    await executor.report(in_mode("memory_incognito"))
    assert await executor.layers() == {"run_truth"}
    assert (await executor.count("Entity"), await executor.count("Activation")) == (0, 10)
    text = await _texts(executor)
    assert [one for one in ("Marex", "Supply agreement", "Damages are high.", "ref://p") if one in text] == []
    draft = await executor.one("Artifact", source_key="run-1-draft")
    assert (draft["intake_level"], draft["intake_rule"]) == ("run_only", "incognito")


async def test_ephemeral_leaves_receipts_only(executor: Executor) -> None:
    await executor.report(in_mode("full_ephemeral_test"))
    rows = await executor.database.read("MATCH (n:Record) RETURN labels(n) AS labels")
    assert sorted(sorted(row["labels"]) for row in rows) == [["Delivery", "Record"], ["Record", "Run"]]
    text = await _texts(executor)
    assert [one for one in SECRETS if one in text] == []
    run, delivery = await executor.one("Run"), await executor.one("Delivery")
    assert (run["status"], run["retention_class"], delivery["status"]) == ("completed", "ephemeral", "delivered")


async def test_nothing_given_beside_a_private_mode_takes_it_back(executor: Executor) -> None:
    await executor.report(
        in_mode("memory_incognito", memory_write_scope="task_run_plus_learning_signals", entity_linking_enabled=True)
    )
    assert await executor.layers() == {"run_truth"}


async def test_an_ephemeral_artifact_is_never_promoted_an_incognito_one_may_be(executor: Executor) -> None:
    promotion = {"artifact_key": "run-1-draft", "promoted_by": "will", "work_product_key": "wp"}
    for mode, told in (("full_ephemeral_test", "validation.incognito_blocks_requested_memory"),
                       ("memory_incognito", "accepted")):  # fmt: skip
        policy = {**POLICY, "memory_mode": mode}
        events = Story({"source": "x", "key": mode}, policy)
        events.tell("artifact_produced", artifact_key="run-1-draft", artifact_kind="document", **step("m"))
        events.tell("artifact_promoted", **promotion)
        assert await executor.told(events.events) == ["accepted", told]
    assert await executor.count("WorkProduct") == 1


async def test_prompts_are_kept_as_the_policy_says(executor: Executor) -> None:
    prompt = {"snapshot_kind": "prompt", "prompt_hash": "h", "prompt_text_ref": "ref://text", **step("m")}
    for capture, given, kept, data_class in (
        ("never", "redacted", ("hash_only", None), "internal"),
        ("redacted", "redacted", ("redacted", "ref://text"), "internal"),
        ("redacted", "none", ("hash_only", None), "internal"),
        ("full_local_only", "none", ("none", "ref://text"), "local_only"),
    ):
        key = f"{capture}-{given}"
        story = Story({"source": "x", "key": key}, {**POLICY, "capture_prompts": capture})
        story.tell("snapshot", snapshot_key=key, redaction_mode=given, **prompt)
        assert await executor.told(story.events) == ["accepted"]
        found = await executor.one("Snapshot", snapshot_key=key)
        assert (found["redaction_mode"], found.get("prompt_text_ref")) == kept
        assert (found["prompt_hash"], found["data_class"]) == ("h", data_class)


async def test_only_final_artifacts_are_tied_to_memory_where_the_scope_says_so(executor: Executor) -> None:
    story = Story(policy={**POLICY, "memory_mode": "reference_only"})
    for key, part in (("draft", "intermediate_output"), ("brief", "final_output")):
        story.tell("artifact_produced", artifact_key=key, artifact_kind="document", output_class=part, summary="Text",
                   derived_from=[{"kind": "Entity", "source": "dms", "key": "doc"}], **step(key))  # fmt: skip
    assert await executor.told(story.events) == ["accepted", "accepted"]
    rows = await executor.database.read(
        "MATCH (a)-[:DERIVED_FROM]->(:Entity) RETURN a.source_key AS key, a.summary AS s"
    )
    assert [tuple(row.values()) for row in rows] == [("brief", None)]
