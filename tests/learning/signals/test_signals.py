"""Reporting signals on the real server: each once, in any order, behind the gate."""

from typing import Any

import pytest

from graph_schema.learning.words import DesignSignalKind, SignalType
from graph_schema.model.fields import DataClass
from service.commands import RecordRef
from service.learning.signals.commands import MOST
from service.learning.signals.gate import Held
from service.learning.signals.inputs import LearningSignal, TaskDesignSignature
from service.memory.reporting.answers import ReportOutcome
from service.records import Records
from tests.learning.signals.payloads import EXAMPLES
from tests.learning.world import acted, refused, report
from tests.routing.office import Office

pytestmark = pytest.mark.slow
OUTCOME = ReportOutcome


async def _run(office: Office, run_id: str, **values: Any) -> None:
    """A run as reports leave it, with no more than a signal asks of it."""
    await office.new("Template")  # so that there is somebody who sees what is open
    await office.database.run_alone(
        "CREATE (n:Run:Record) SET n = $properties",
        properties={
            "id": run_id,
            "name": run_id,
            "created_at": "2026-01-01T00:00:00.000Z",
            "version": 1,
            "updated_at": "2026-01-01T00:00:00.000Z",
            "schema_version": 1,
            "lifecycle_state": "active",
            "data_class": "internal",
            "matter_ids": [],
            "own_data_class": "internal",
            "own_matter_ids": [],
            "audience": "internal|",
            "memory_mode": "standard",
            "status": "completed",
            **values,
        },
    )


async def test_every_type_is_taken_once_in_any_order(office: Office) -> None:
    template = await office.new("Template")
    given = [
        LearningSignal(
            source="evaluator",
            signal_id=type_.value,
            signal_type=type_,
            payload=told,
            about=(RecordRef(id=template),),
            pattern_promotion_eligible=True,
        )
        for type_, told in EXAMPLES.items()
    ]
    first = await report(office, *given)
    assert (first.accepted, first.rejected, first.held_back) == (8, 0, 0)
    again = await report(office, *reversed(given), acted("new"))
    assert (again.accepted, again.duplicates, again.held_back) == (1, 8, 1)
    kept = {one.signal_id: await office.stored(str(one.record_id)) for one in first.answers}
    assert (kept["repair_cycle"]["result"], kept["outcome_evaluation"]["subject_key"]) == (
        "passed_after_repair",
        "outcome-template-1",
    )
    assert all(one["pattern_promotion_eligible"] for one in kept.values())
    assert await office.heads(str(first.answers[0].record_id), "SEEN_ON") == {template}


async def test_a_bad_signal_refuses_itself_alone(office: Office) -> None:
    template, matter = await office.new("Template"), await office.matter()
    outsider = await office.viewer(principal_id="prin_other", matters=[], clearance=DataClass.internal)
    gap = EXAMPLES[SignalType.task_process_gap_runtime]
    cases: list[tuple[str, str, LearningSignal]] = [
        ("invalid_payload", "payload", acted("a", payload=None)),
        ("invalid_payload", "payload.action", acted("b", payload=gap)),
        ("not_found", "run", acted("c", run=RecordRef(id="run_missing"))),
        ("wrong_kind", "run", acted("d", run=RecordRef(id=template))),
        ("not_found", "about", acted("e", about=(RecordRef(source="x", key="y", kind="Template"),))),
        ("matter_not_allowed", "matter_ids", acted("f", matter_ids=(matter,))),
        ("class_not_allowed", "data_class", acted("g", data_class=DataClass.privileged)),
        ("invalid_input", "emitted_at", acted("h", emitted_at="2999-01-01T00:00:00Z")),
        ("invalid_time", "emitted_at", acted("i", emitted_at="yesterday")),
        ("text_too_long", "summary", acted("j", summary="x" * 3000)),
        ("signal_reused", "signal_id", acted("good", "closed")),
    ]
    found = await report(office, acted("good"), *(one for _, _, one in cases), viewer=outsider)
    assert [(one.code, one.field) for one in found.answers[1:]] == [(code, field) for code, field, _ in cases]
    assert all(one.remedy for one in found.answers[1:])
    assert (found.accepted, found.rejected) == (1, len(cases))
    many = await refused(report(office, *[acted(str(one)) for one in range(10_000)]))
    assert (many.code, many.field, many.remedy is not None) == ("too_many_signals", "signals", True)
    assert MOST < 10_000


async def test_the_gate_keeps_nothing_of_private_runs_and_learns_nothing_of_sensitive_ones(office: Office) -> None:
    await office.matter()
    await _run(office, "run_open")
    await _run(office, "run_private", memory_mode="memory_incognito")
    refs = [RecordRef(id=one) for one in ("run_open", "run_private")]
    signals = [acted(str(ref.id), run=ref, pattern_promotion_eligible=True) for ref in refs]
    found = await report(
        office,
        *signals,
        acted("classed", data_class=DataClass.privileged, pattern_promotion_eligible=True),
        acted("unasked"),
    )
    answers = {one.signal_id: one for one in found.answers}
    assert answers["run_private"].code == "validation.incognito_blocks_requested_memory"
    assert (answers["run_open"].held_back, answers["classed"].held_back, answers["unasked"].held_back) == (
        None,
        Held.sensitive_class,
        Held.not_eligible,
    )
    kept = str(answers["run_open"].record_id)
    assert (await office.stored(kept))["run_id"] == "run_open"
    await office.services[Records].erase(await office.viewer(), RecordRef(id="run_open"), None)
    assert await office.database.read_one("MATCH (n:Signal {id: $id}) RETURN n", id=kept) is None


async def test_a_signature_is_computed_from_the_saved_graph(office: Office) -> None:
    task = await office.new("Task", name="Complaint review")
    await office.database.run_alone(
        """
        MATCH (t:Task {id: $task})
        UNWIND [['draft', 'agent'], ['judge', 'judge'], ['send', 'mail']] AS told
        CREATE (m:Module:Record {id: told[0], module_key: told[0], module_type: told[1], audience: t.audience})
        WITH t, collect(m) AS modules
        CREATE (g:GraphSnapshot:Record {id: 'graph_1', audience: t.audience}), (t)-[:HAS_GRAPH]->(g)
        FOREACH (m IN modules | CREATE (g)-[:HAS_MODULE]->(m))
        WITH modules
        FOREACH (i IN [0, 1] | FOREACH (a IN [modules[i]] | FOREACH (b IN [modules[i + 1]] | CREATE (a)-[:CABLE]->(b))))
        """,
        task=task,
    )
    told = TaskDesignSignature(graph_topology_hash="abc", segment_ids=("seg_1",))
    found = await report(
        office,
        acted("computed", task=RecordRef(id=task), source_module_id="send"),
        acted("given", task=RecordRef(id=task), task_design_signature=told),
        acted("kind", signal_kind=DesignSignalKind.template_selected, payload=None),
    )
    computed, given, kind = [await office.stored(str(one.record_id)) for one in found.answers]
    assert (computed["signature_computed"], computed["upstream_module_types"]) == (True, ["agent", "judge"])
    assert (given["graph_topology_hash"], given["signature_computed"], given["segment_ids"]) == (
        "abc",
        False,
        ["seg_1"],
    )
    assert (computed["task_id"], kind["recommended_update_kind"]) == (task, "semantic_card_update")
    assert len(computed["graph_topology_hash"]) == 64


async def test_a_signal_never_leaves_its_matter(office: Office) -> None:
    matter = await office.matter()
    template = await office.new("Template", matter_ids=[matter])
    found = await report(office, acted("inside", about=(RecordRef(id=template),)))
    kept = await office.stored(str(found.answers[0].record_id))
    assert kept["matter_ids"] == [matter]
    stranger = await office.viewer(principal_id="prin_other", matters=[])
    again = await report(office, acted("other", about=(RecordRef(id=template),)), viewer=stranger)
    assert again.answers[0].code == "not_found"
