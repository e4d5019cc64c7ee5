"""Preflight on a graph: what is read for whom, what is kept, and that it comes out the same."""

from typing import Any

import pytest

from graph_schema.knowledge.words import PreflightStatus
from graph_schema.library.words import CapabilityState
from graph_schema.memory.words import MemoryMode
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.knowledge.errors import PreflightSubject
from service.knowledge.preflight.keep import COMPLETED, KeptPreflights
from service.knowledge.preflight.report import EstimateBasis
from service.library.capabilities import StateReport
from service.library.commands import Library
from service.library.errors import GraphInvalid
from service.records import Records
from service.replay import ReplayOutcome
from tests.knowledge.desk import Desk

MAILED: dict[str, Any] = {
    "modules": {"file": "source.file", "write": "step.agent_task", "send": "output.email"},
    "cables": ["file.file > write.files_in", "write.data_out > send.content"],
}
GATED: dict[str, Any] = {
    "modules": {**MAILED["modules"], "ok": "step.agent_review_gate"},
    "cables": ["file.file > write.files_in", "write.data_out > ok.candidate_in", "ok.approved > send.content"],
}


def _codes(report: Any) -> list[str]:
    return [one.code for one in (*report.blocking_issues, *report.warnings)]


async def test_a_task_is_examined_with_its_graph_blueprint_capabilities_and_policies(desk: Desk) -> None:
    task = await desk.new("Task", source="here", source_key="t1")
    await desk.draw(task, MAILED)
    blueprint = await desk.explain(
        task,
        {"write": ["write"], "send": ["send"]},
        contracts=[{"side": "output", "kind": "letter", "name": "letter"}],
        side_effects=[{"side_effect_class": "external_send"}],
    )
    pages = await desk.new("Capability", name="Pages", capability_kind="tool")
    viewer = await desk.viewer()
    await desk.services[Library].report_capability_state(
        viewer, RecordRef(id=pages), StateReport(CapabilityState.down, "2026-01-01T00:00:00.000Z")
    )
    [row] = await desk.database.read("MATCH (m:Module {module_key: 'write'}) RETURN m.id AS id")
    await desk.link(row["id"], "REQUIRES", pages)
    await desk.new("Policy", name="Cost", policy_kind="cost", task_key="t1", max_cost_usd=3)
    report = await desk.examine(task)
    assert report.status is PreflightStatus.blocked
    assert sorted(_codes(report)) == [
        "validation.blueprint_graph_mismatch",
        "validation.blueprint_missing_required_output",
        "validation.capability_required_unavailable",
        "warning.blueprint_goal_unlinked",
        "warning.human_gate_recommended_before_side_effect",
    ]
    assert report.blueprint_id == blueprint
    assert [one.name for one in report.capability_readiness] == ["Pages"]
    assert report.cost_estimate.basis is EstimateBasis.unknown
    assert report.cost_estimate.limit == 3
    assert [one.module_key for one in report.policy_and_side_effects] == ["send"]
    assert [one.module_key for one in report.context_preview] == ["send", "write"]
    write = report.context_preview[1]
    assert {(one.name, one.reason) for one in write.kept_out} == {("Pages", "policy_blocked")}
    assert {one.name for one in write.items} >= {"Blueprint"}
    assert sum(one.count for one in write.injected) == len(write.items)
    assert "Preflight result: blocked" in report.text
    # A graph that is not saved is examined in the place of the saved one.
    proposed = await desk.examine(task, graph=GATED)
    assert "validation.blueprint_graph_mismatch" not in _codes(proposed)
    assert proposed.graph_hash != report.graph_hash
    # What one may not see is not examined for them.
    secret = await desk.new("Entity", kind="matter", name="Secret")
    await desk.services[Records].save(await desk.viewer(), "Task", {"matter_ids": [secret]}, record_id=task)
    with pytest.raises(RecordMissing):
        await desk.examine(task, await desk.viewer(matters=(), scopes=viewer.scopes - {"admin"}))


async def test_a_preflight_is_kept_replayed_and_compared_with_today(desk: Desk) -> None:
    task = await desk.new("Task", source="here", source_key="t2")
    await desk.draw(task, MAILED)
    kept = await desk.keep(task, memory_mode=MemoryMode.summary_reference)
    service, viewer = desk.services[KeptPreflights], await desk.viewer()
    replayed = await service.replay(viewer, kept)
    assert replayed.outcome is ReplayOutcome.identical
    assert replayed.same_rules
    assert replayed.now.memory_mode is MemoryMode.summary_reference
    assert replayed.kept_status is PreflightStatus.warning
    await desk.draw(task, GATED)
    compared = await service.compare(viewer, kept)
    assert compared.outcome is ReplayOutcome.different
    assert compared.mended == ("warning.human_gate_recommended_before_side_effect (send)",)
    assert compared.added == ()
    # Whatever else is otherwise is told, section by section; of two that were kept, too.
    assert ("policy_and_side_effects", "send external_send", "reviewed", "False", "True") in [
        (one.section, one.of, one.what, one.then, one.now) for one in compared.changes
    ]
    later = await desk.keep(task, memory_mode=MemoryMode.summary_reference)
    beside = await service.compare(viewer, kept, later)
    assert (beside.mended, beside.changes) == (compared.mended, compared.changes)
    assert (await service.compare(viewer, later)).changes == ()
    assert (await service.replay(viewer, kept)).outcome is ReplayOutcome.identical
    events = await desk.database.read("MATCH (e:Event {kind: $kind}) RETURN e.about AS about", kind=COMPLETED)
    assert {one["about"] for one in events} == {kept, later}
    # A graph that is not saved has nothing to be held against: it is examined as it was.
    loose = await desk.keep(None, graph=MAILED)
    assert (await service.compare(viewer, loose)).outcome is ReplayOutcome.identical
    # What it might cost is asked again; what was proposed is examined, and not what is saved.
    capped = await desk.keep(task, graph=MAILED, max_cost_usd=7.5)
    again = await service.compare(viewer, capped)
    assert (again.now.cost_estimate.limit, again.outcome) == (7.5, ReplayOutcome.identical)
    assert again.now.graph_hash == replayed.now.graph_hash
    dearer = await desk.keep(task, graph=MAILED, max_cost_usd=9.0)
    assert [(one.section, one.then, one.now) for one in (await service.compare(viewer, capped, dearer)).changes] == [
        ("cost_estimate", "7.5", "9.0")
    ]
    with pytest.raises(RecordMissing):
        await service.replay(viewer, "pfl_none")


async def test_an_agent_may_keep_its_examination(desk: Desk) -> None:
    kept = await desk.keep(None, await desk.agent(), graph=GATED)
    assert kept.startswith("pfl_")


async def test_what_cannot_be_examined_is_refused_with_what_to_do(desk: Desk) -> None:
    with pytest.raises(PreflightSubject) as nothing:
        await desk.examine(None)
    assert (nothing.value.code, nothing.value.field) == ("preflight_subject_invalid", "of")
    bare = await desk.new("Task")
    with pytest.raises(PreflightSubject):
        await desk.examine(bare)
    with pytest.raises(GraphInvalid) as none:
        await desk.examine(None, graph={"modules": {"a": "step.agent_task"}, "cables": ["a > b"]})
    assert none.value.field == "graph.cables"
