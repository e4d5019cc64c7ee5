"""Assessments: of a run of five hundred spans against its bare statements, and of a portfolio of a thousand tasks, with
few runs each and with many."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any, LiteralString

from graph_schema.learning.assessment_words import PortfolioScope
from graph_schema.registry import REGISTRY
from service.access.audience import audience_of
from service.access.viewer import Viewer
from service.capability import Services
from service.graph.database import Transaction
from service.ids import new_id
from service.learning.assessments import cypher
from service.learning.assessments.facts import MOST_BESIDE, USUAL
from service.learning.assessments.portfolio import PortfolioAssessments
from service.learning.assessments.portfolio_facts import RECENT
from service.learning.assessments.runs import RunAssessments
from service.memory.reporting.commands import MOST_EVENTS, Reporting
from service.memory.views import load
from service.memory.views.facts import Part
from service.memory.views.load import MOST, asked_of
from service.runtime.compose import services_alone
from tests.bench.report import Report
from tests.bench.runs import NODES, POLICY, values_of
from tests.bench.setting import Setting
from tests.bench.world import batches

SPANS = 500
STEPS = 25
ROUNDS = 8
TASKS = 1_000
FEW, MANY = RECENT, 10 * RECENT
"""As many runs of a task as are looked at, and ten times as many: what is not looked at must cost nothing."""

OPEN: dict[str, Any] = {"matter_ids": [], "own_matter_ids": [], "audience": audience_of("internal", [])}
FORGET: LiteralString = """
MATCH (a:Assessment {run_id: $id})
OPTIONAL MATCH (a)-[:FOUND]->(f)
DETACH DELETE f, a
"""
# What was kept, as a bare driver would write it.
KEPT: LiteralString = """
MATCH (a:Assessment {run_id: $id})-[:FOUND]->(f:AssessmentFinding)
RETURN properties(a) AS assessment, collect({properties: properties(f),
  shown: COLLECT { MATCH (f)-[:EVIDENCED_BY]->(n) RETURN n.id }}) AS findings
"""
BARE: LiteralString = """
CREATE (a:Bare:Record) SET a = $assessment
WITH a
UNWIND $findings AS one
CREATE (a)-[:FOUND]->(f:Bare:Record) SET f = one.properties
WITH f, one
UNWIND one.shown AS id
MATCH (n:Record {id: id})
CREATE (f)-[:EVIDENCED_BY]->(n)
"""


async def measure(setting: Setting, report: Report) -> None:
    services = services_alone(setting.database)
    viewer = await setting.viewer(setting.key)
    reporting, events = Reporting(setting.database, REGISTRY, lambda _new: None), [*_events()]
    for start in range(0, len(events), MOST_EVENTS):
        await reporting.report(viewer, events[start : start + MOST_EVENTS])
    viewer = await setting.viewer(setting.key)
    row_ = await setting.database.read_one("MATCH (r:Run {source_key: 'bench-assessed'}) RETURN r.id AS id")
    assert row_
    await _run(setting, services, viewer, row_["id"], report)
    await _portfolio(setting, services, report)


def _events() -> Iterator[dict[str, Any]]:
    """A run of many steps, each with operations, of which some failed or were tried again."""
    run = {"source": "bench", "key": "bench-assessed"}
    policy: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
    shared: dict[str, Any] = {"run": run, "policy": policy, "occurred_at": "2026-01-01T10:00:00.000Z"}
    yield {**shared, "event_id": "start", "kind": "run_started", "task_key": "bench-assessed", "name": "Assessed"}
    for number in range(STEPS):
        at = {"module_key": f"m{number}", "activation_seq": 1}
        before = [{"module_key": f"m{number - 1}", "activation_seq": 1}] if number else []
        yield {**shared, **at, "event_id": f"s{number}", "kind": "activation_completed", "triggered_by": before}
        made = {"artifact_key": f"a{number}", "artifact_kind": "document", "output_class": "intermediate_output"}
        yield {
            **shared,
            **at,
            **made,
            "event_id": f"m{number}",
            "kind": "artifact_produced",
            "name": f"Output {number}",
        }
        if number:
            item = {"kind": "Artifact", "key": f"a{max(0, number - 2)}"}
            yield {**shared, **at, "event_id": f"c{number}", "kind": "artifact_consumed", "item": item}
        for part in range(SPANS // STEPS):
            told = {"span_key": f"{number}-{part}", "span_kind": ("llm_call", "tool_call", "retry")[part % 3]}
            status = "error" if part == 7 else "success"
            yield {**shared, **at, **told, "event_id": f"p{number}-{part}", "kind": "span", "status": status}
    yield {**shared, "event_id": "end", "kind": "run_completed"}


async def _run(setting: Setting, services: Services, viewer: Viewer, run_id: str, report: Report) -> None:
    ours: list[float] = []
    bare: list[float] = []
    findings = 0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await services[RunAssessments].assess(viewer, run_id, proposing=False)
        ours.append(time.perf_counter() - began)
        kept = await setting.database.read_one(KEPT, id=run_id)
        assert kept
        findings = len(kept["findings"])
        began = time.perf_counter()
        await _bare(setting, viewer, run_id, dict(kept))
        bare.append(time.perf_counter() - began)
        await setting.database.run_alone("MATCH (n:Bare) DETACH DELETE n")
        await setting.database.run_alone(FORGET, id=run_id)
    note = f"{min(ours) * 1e3:.0f} ms against {min(bare) * 1e3:.0f} ms, {findings} findings"
    report.add(f"assessing a run of {SPANS} spans", min(ours) / min(bare), "of its bare statements", bar=3, note=note)


async def _bare(setting: Setting, viewer: Viewer, run_id: str, kept: dict[str, Any]) -> None:
    """The statements that are read, and one that writes what was kept."""
    values = {"run_id": run_id, "audiences": viewer.audiences, "most": MOST + 1, "receipts": MOST + 1}
    parts: list[LiteralString] = [one for part, one in load.STATEMENTS.items() if part is not Part.brief]
    await asyncio.gather(*(setting.database.read_one(one, **values, fields=asked_of(one)) for one in parts))
    beside = {"capabilities": list[str](), "presets": list[str](), "most": MOST_BESIDE, "usual": USUAL}
    await setting.database.read_one(cypher.BESIDE, run_id=run_id, audiences=viewer.audiences, **beside)
    for one in (kept["assessment"], *(each["properties"] for each in kept["findings"])):
        one["id"] = new_id("bare")

    async def work(transaction: Transaction) -> None:
        await transaction.run(BARE, assessment=kept["assessment"], findings=kept["findings"])

    await setting.database.write(work)


async def _portfolio(setting: Setting, services: Services, report: Report) -> None:
    tasks = (
        values_of("Task", f"task_p{number}", source="bench", source_key=f"p{number}", realm="", **OPEN)
        for number in range(TASKS)
    )
    for batch in batches(tasks):
        await setting.database.run_alone(NODES, rows=batch, labels=["Task", "Record"])
    few = await _looked(setting, services, 0, FEW)
    many = await _looked(setting, services, FEW, MANY)
    note = f"{TASKS:,} tasks: {few:.2f} s with {FEW} runs each, {many:.2f} s with {MANY}"
    report.add("assessing a portfolio", few, "seconds", bar=5, note=note)
    report.add(
        "the same with ten times the runs", many / few, "of that", bar=1.6, note=f"at most {RECENT} runs are looked at"
    )


async def _looked(setting: Setting, services: Services, former: int, runs: int) -> float:
    rows = (_of_task(task, number) for task in range(TASKS) for number in range(former, runs))
    for batch in batches(rows):
        await setting.database.run_alone(NODES, rows=batch, labels=["Run", "Record"])
    await setting.database.run_alone("CALL db.awaitIndexes(600)")
    viewer = await setting.viewer(setting.key)
    times: list[float] = []
    for _ in range(3):
        began = time.perf_counter()
        made = await services[PortfolioAssessments].assess(viewer, PortfolioScope.all_tasks)
        times.append(time.perf_counter() - began)
        await setting.database.run_alone(
            "MATCH (a:Record {id: $id}) OPTIONAL MATCH (a)-[:FOUND]->(f) DETACH DELETE f, a", id=made.result["id"]
        )
    return min(times)


def _of_task(task: int, number: int) -> dict[str, Any]:
    started = f"2026-01-{number % 28 + 1:02d}T10:00:00.000Z"
    told = {"task_key": f"p{task}", "source": "bench", "source_key": f"p{task}-{number}", "realm": ""}
    return values_of("Run", f"run_p{task}_{number}", status="completed", started_at=started, **OPEN, **POLICY, **told)
