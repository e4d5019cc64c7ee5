"""A past of four runs, each different in every respect that the history can ask for."""

from dataclasses import dataclass
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.reporting.answers import ReportOutcome
from service.memory.reporting.commands import Reporting
from tests.memory.stories import Event
from tests.viewers import viewer_of

MATTER = "ent_matter"
OPEN: dict[str, Any] = {"memory_mode": "standard", "data_class": "internal", "matter_ids": []}
CLOSED: dict[str, Any] = {"memory_mode": "standard", "data_class": "privileged", "matter_ids": [MATTER]}


@dataclass(frozen=True)
class Past:
    database: Database
    ids: dict[str, str]
    everybody: Viewer
    outsider: Viewer

    def names(self, found: list[str]) -> list[str]:
        told = {value: name for name, value in self.ids.items()}
        return [told[one] for one in found]


def run_of(key: str, day: int, policy: dict[str, Any], *events: Event, **started: Any) -> list[Event]:
    """Events of a run that starts on this day of January; each is a minute after the one before."""
    all_events: list[Event] = [{"kind": "run_started", **started}, *events]
    shared = {"run": {"source": "exec", "key": key}, "policy": policy}
    return [
        {**shared, "event_id": f"{key}-{place}", "occurred_at": f"2026-01-{day:02d}T10:{place:02d}:00.000Z", **event}
        for place, event in enumerate(all_events)
    ]


def made(key: str, kind: str, **values: Any) -> Event:
    step = {"module_key": "work", "activation_seq": 1}
    return {"kind": "artifact_produced", "artifact_key": key, "artifact_kind": kind, "name": key, **step, **values}


def worked(cost: float, **values: Any) -> Event:
    step = {"module_key": "work", "activation_seq": 1}
    return {"kind": "activation_completed", "cost_usd": cost, **step, **values}


def priced(cost: float, **values: Any) -> Event:
    """A call that tells what it cost: what it is part of does not."""
    return {"kind": "span", "span_key": "call", "span_kind": "llm_call", "status": "success", "cost_usd": cost} | values


def past_events() -> list[Event]:
    tool = {"kind": "Capability", "source": "exec", "key": "search-tool"}
    final = {"output_class": "final_output", "summary": "All of it."}
    step = {"module_key": "work", "activation_seq": 1}
    return [
        *run_of("a", 1, OPEN, made("a-doc", "document", **final), worked(1.0, capabilities=[tool]),
                {"kind": "run_completed"}, task_key="report", task_name="Report", template_key="weekly",
                trigger_kind="schedule", about=[{"kind": "Entity", "source": "exec", "key": "sales"}]),
        *run_of("b", 2, OPEN, made("b-mail", "email"), {"kind": "activation_failed", "error_code": "e", **step},
                {"kind": "run_failed", "failure_code": "timeout"}, task_key="report", template_key="weekly",
                trigger_kind="schedule"),
        *run_of("c", 3, OPEN, made("c-table", "tool_result"), priced(5.0, **step),
                {"kind": "evaluation_evidence", "artifact_key": "c-verdict", "evidence_kind": "judge", "score": 0.4,
                 **step}, task_key="other", trigger_kind="manual"),
        *run_of("d", 4, CLOSED, made("d-doc", "document"), priced(3.0),
                {"kind": "artifact_promoted", "artifact_key": "d-doc", "promoted_by": "me",
                 "promoted_level": "doc25_work_product_ingestion"}, {"kind": "run_completed"}, task_key="report",
                trigger_kind="manual"),
    ]  # fmt: skip


@pytest.fixture(scope="module")
async def past(migrated: Database) -> Past:
    await migrated.run_alone("MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n")
    await migrated.run_alone("CREATE (:Matter:Entity:Record {id: $id, audience: 'privileged|ent_matter'})", id=MATTER)
    reporting = Reporting(migrated, REGISTRY, lambda _new: None)
    answers = await reporting.report(await viewer_of(migrated), past_events())
    assert {one.outcome for one in answers} == {ReportOutcome.accepted}
    rows = await migrated.read("MATCH (r:Run) RETURN r.source_key AS key, r.id AS id")
    return Past(
        migrated,
        {row["key"]: row["id"] for row in rows},
        await viewer_of(migrated),
        await viewer_of(migrated, "prin_out", matters=[], scopes=()),
    )
