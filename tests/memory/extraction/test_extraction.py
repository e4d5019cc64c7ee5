"""The queue of the second lane: what fills it, who works on it, and what never gets in."""

from typing import Any

import pytest

from graph_schema.memory.extraction import ExtractionReason as Reason
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import Commands, RecordRef
from service.commands.errors import InputInvalid, NotAllowed, RecordMissing
from service.doctor import examine
from service.memory.extraction import commands as lane_commands
from service.memory.extraction.commands import Extractions
from service.memory.extraction.errors import ExtractionBlocked, ExtractionDone, ExtractionNotYours, ExtractionTaken
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step, whole_run
from tests.viewers import viewer_of

QUEUE = """
MATCH (x:Extraction)-[:EXTRACTS_FROM]->(n) WHERE x.about_id = n.id AND x.audience = n.audience
RETURN x.about_kind AS kind, coalesce(n.source_key, '') AS key, x.reason AS reason ORDER BY kind, key, reason
"""
ARTIFACT = {"artifact_key": "a", "artifact_kind": "document"}


async def queue(executor: Executor) -> list[tuple[str, str, str]]:
    return [tuple(row.values()) for row in await executor.database.read(QUEUE)]


BY_REPORT: list[tuple[Reason, str, str, dict[str, Any]]] = [
    (Reason.artifact_policy_requests_memory, "a", "artifact_produced", {**ARTIFACT, "task_level": "doc72_reference"}),
    (Reason.output_exceeds_summary_threshold, "a", "artifact_produced", {**ARTIFACT, "size_bytes": 20_001}),
    (Reason.output_used, "a", "artifact_opened", {"artifact_key": "a"}),
    (Reason.output_used, "a", "artifact_bookmarked", {"artifact_key": "a"}),
    (Reason.output_used, "a", "artifact_cited", {"artifact_key": "a"}),
    (Reason.output_used, "a", "artifact_consumed", {"item": {"key": "a"}}),
    (Reason.user_asked_to_keep, "a", "artifact_promoted", {"artifact_key": "a", "promoted_by": "will"}),
    (Reason.flagged_high_value, "a", "artifact_produced", {**ARTIFACT, "high_value_candidate": True}),
    (Reason.final_work_product, "run-1", "artifact_produced",
     {"artifact_key": "w", "artifact_kind": "work_product", "output_class": "final_output", "task_level": "run_only"}),
    (Reason.failure_or_learning_signal, "run-1", "run_failed", {"failure_code": "x"}),
]  # fmt: skip
_WITHOUT_STEP = {"artifact_opened", "artifact_bookmarked", "artifact_cited", "artifact_promoted", "run_failed"}


def _told(mode: str, kind: str, values: dict[str, Any]) -> list[Event]:
    story = Story(policy={**POLICY, "memory_mode": mode})
    return story.tell(kind, **values, **({} if kind in _WITHOUT_STEP else step("m"))).events


@pytest.mark.parametrize("condition", BY_REPORT, ids=[f"{one[0]}-{one[2]}" for one in BY_REPORT])
async def test_each_condition_queues_with_its_reason_once(
    executor: Executor, condition: tuple[Reason, str, str, dict[str, Any]]
) -> None:
    reason, key, kind, values = condition
    events = _told("standard", kind, values)
    about = "Run" if key == "run-1" else "Artifact"
    for _ in range(2):
        await executor.report(events)
        assert await queue(executor) == [(about, key, reason.value)]


@pytest.mark.parametrize("mode", ["memory_incognito", "full_ephemeral_test"])
async def test_nothing_of_a_private_run_is_queued(executor: Executor, mode: str) -> None:
    events = [_told(mode, kind, values)[0] for _, _, kind, values in BY_REPORT]
    await executor.report([{**event, "event_id": f"e{place}"} for place, event in enumerate(events)])
    assert await executor.count("Extraction") == 0


async def test_an_ordinary_output_is_not_queued(executor: Executor) -> None:
    story = Story().tell("run_started").tell("artifact_produced", **ARTIFACT, size_bytes=20_000, **step("m"))
    await executor.report(story.tell("run_completed").events)
    assert await queue(executor) == []


@pytest.mark.parametrize("used_first", [True, False])
async def test_what_a_private_run_made_is_not_queued_whoever_used_it(executor: Executor, used_first: bool) -> None:
    private = Story({"source": "exec", "key": "secret"}, {**POLICY, "memory_mode": "memory_incognito"})
    private.tell("artifact_produced", **ARTIFACT, **step("m"))
    user = Story().tell("artifact_consumed", item={"key": "a"}, **step("m"))
    for story in (user, private) if used_first else (private, user):
        assert await executor.told(story.events) == ["accepted"]
    assert await queue(executor) == []


async def test_a_task_that_only_remembers_its_run_queues_no_artifact(executor: Executor) -> None:
    await executor.report(whole_run(policy={**POLICY, "memory_write_scope": "task_run_only"}))
    assert {kind for kind, _, _ in await queue(executor)} == {"Run"}


def lane(executor: Executor) -> Extractions:
    return Extractions(Commands(executor.database, REGISTRY, lambda _new: None))


async def _entry(executor: Executor) -> str:
    await executor.report(Story().tell("run_failed", failure_code="x").events)
    return (await executor.one("Extraction"))["id"]


async def test_one_worker_takes_an_entry_and_settles_it(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, work = await _entry(executor), lane(executor)
    one, other = await viewer_of(executor.database, "one"), await viewer_of(executor.database, "other")
    with pytest.raises(ExtractionNotYours):
        await work.settle(one, entry, done=True, note=None)
    first = await work.take(one, entry, command_id="c1")
    assert (await work.take(one, entry, command_id="c1")).replayed
    assert (await executor.one("Extraction"))["taken_by"] == "one"
    with pytest.raises(ExtractionTaken):
        await work.take(other, entry)
    with pytest.raises(ExtractionNotYours):
        await work.settle(other, entry, done=True, note=None)
    await work.settle(one, entry, done=False, note="Too large.")
    assert (await executor.one("Extraction"))["state"] == "queued"
    await work.take(other, entry)
    monkeypatch.setattr(lane_commands, "LEASE", -lane_commands.LEASE)
    await work.take(one, entry)
    await work.settle(one, entry, done=True, note="Summarised.")
    stored = await executor.one("Extraction")
    assert (stored["state"], stored["result_note"], stored["version"] > first.result["version"]) == (
        "done", "Summarised.", True,
    )  # fmt: skip
    for again in (work.take(one, entry), work.settle(one, entry, done=True, note=None)):
        with pytest.raises(ExtractionDone):
            await again
    await executor.report(Story().tell("run_started").tell("run_failed", failure_code="y").events)
    assert (await executor.one("Extraction"))["state"] == "done"


async def test_somebody_may_ask_for_it(executor: Executor) -> None:
    await executor.report(Story().tell("run_started").events)
    run = RecordRef(kind="Run", source="exec", key="run-1")
    viewer, work = await viewer_of(executor.database), lane(executor)
    first = await work.request(viewer, run, "design_session_edited")
    assert (await work.request(viewer, run, "design_session_edited")).result == first.result
    assert await queue(executor) == [("Run", "run-1", "design_session_edited")]
    with pytest.raises(InputInvalid):
        await work.request(viewer, run, "final_work_product")
    with pytest.raises(NotAllowed):
        await work.request(await viewer_of(executor.database, scopes=(KeyScope.read,)), run, "flagged_high_value")
    with pytest.raises(RecordMissing):
        await work.request(viewer, RecordRef(kind="Run", source="exec", key="nowhere"), "flagged_high_value")
    with pytest.raises(RecordMissing):
        await work.take(await viewer_of(executor.database, matters=[], scopes=(KeyScope.curate,)), "extr_nowhere")


async def test_nobody_has_a_private_run_queued(executor: Executor) -> None:
    story = Story(policy={**POLICY, "memory_mode": "memory_incognito"})
    await executor.report(story.tell("artifact_produced", **ARTIFACT, **step("m")).events)
    viewer = await viewer_of(executor.database)
    for kind, key in (("Run", "run-1"), ("Artifact", "a")):
        with pytest.raises(ExtractionBlocked):
            await lane(executor).request(viewer, RecordRef(kind=kind, source="exec", key=key), "user_asked_to_keep")
    assert await executor.count("Extraction") == 0


@pytest.mark.slow
async def test_what_is_erased_no_longer_waits(executor: Executor) -> None:
    await _entry(executor)
    records = Records(Commands(executor.database, REGISTRY, lambda _new: None), hooks())
    run = RecordRef(kind="Run", source="exec", key="run-1")
    await records.erase(await viewer_of(executor.database), run, None)
    assert await executor.count("Extraction") == 0
    assert await examine(executor.database, REGISTRY) == []
