"""Retention: what stays, what goes, what beats it, and that lineage does not change."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.memory.words import RetentionClass
from graph_schema.model.fields import DataClass
from graph_schema.model.parts import COMPACTED
from graph_schema.registry import REGISTRY
from service.cli.main import run as tasklore
from service.memory.retention import Ages, Retentions, RetentionStanding, due, retain
from service.memory.retention.rules import DROPPED, INSIDE
from service.memory.retention.settings import ages_of
from service.settings import load_settings
from tests.conftest import Server
from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.desk import desk_of
from tests.memory.stories import POLICY, Event, Story, step, whole_run
from tests.viewers import viewer_of

pytestmark = pytest.mark.slow

LATER = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=400)
AGES = Ages({**dict.fromkeys(RetentionClass, 365), RetentionClass.legal_work_product: 0})
LINEAGE = """
MATCH (n:Record)-[r:PRODUCED|CONSUMED|DERIVED_FROM|BECAME|DELIVERED_BY]->(m:Record)
RETURN n.id AS tail, type(r) AS type, m.id AS head
"""


class Interrupted(Exception):
    """Somebody stopped the work between two transactions."""


def _policy(kept: str = "standard", **more: Any) -> dict[str, Any]:
    return {**POLICY, "retention_class": kept, **more}


def _named(key: str) -> dict[str, str]:
    return {"source": "exec", "key": key}


def _user_of(key: str) -> list[Event]:
    """A run of another class that works from what a run made."""
    story = Story(_named(f"{key}-user"), _policy("legal_work_product"))
    item = {"kind": "Artifact", "key": f"{key}-memo"}
    story.tell("artifact_consumed", item=item, **step("m"))
    return story.tell("run_completed").events


async def _lineage(executor: Executor) -> list[tuple[str, ...]]:
    """Every step that lineage can take. While these are the same, so is whatever can be reached."""
    rows = await executor.database.read(LINEAGE)
    return sorted(tuple(row.values()) for row in rows)


async def _labels(executor: Executor) -> set[str]:
    rows = await executor.database.read("MATCH (n:Record) UNWIND labels(n) AS label RETURN DISTINCT label")
    return {row["label"] for row in rows} - {"Record"}


async def test_compaction_keeps_what_explains_the_run_and_drops_the_rest(executor: Executor) -> None:
    assert set(await executor.told(whole_run(policy=_policy()))) == {"accepted"}
    before = await executor.one("Run")
    links = "MATCH (:Run)-[r:RUN_OF|USED_TEMPLATE|ABOUT|ACTIVATED|RECEIVED]->() RETURN count(r) AS count"
    told = (await executor.database.read(links))[0]["count"]
    done = await retain(executor.database, AGES, now=LATER)
    assert done.counts[RetentionClass.standard]["Run compacted"] == 1
    assert await _labels(executor) & {*COMPACTED} == set()
    assert (await executor.database.read(links))[0]["count"] == told
    after = await executor.one("Run")
    gone = {name for name in before if name not in after}
    assert gone == {"due", "stamps"} | ({*DROPPED["Run"]} & {*before})
    assert after["compacted_at"]
    assert after["version"] == before["version"] + 1
    same = ("task_key", "template_key", "status", "cost_usd", "quality_summary", "workflow_summary", "error_count")
    assert [after.get(name) for name in same] == [before.get(name) for name in same]
    intake = await executor.one("Activation", module_key="intake")
    assert (intake["output_summary"], intake["cost_usd"]) == (["Two documents read"], 0.1)
    memo, final = await executor.one("Artifact", name="Damages memo"), await executor.one("Artifact", name="Complaint")
    assert (memo["artifact_state"], "summary" in memo) == ("compacted", False)
    assert (final["artifact_state"], final["summary"]) == ("active", "All.")
    assert (await executor.one("Delivery"))["delivered_to"] == ["w@example.com"]
    assert (await executor.one("Gate"))["decided_by"] == "will"
    assert await executor.count("Report") == 0
    events = await executor.database.read("MATCH (e:Event) WHERE e.kind IN $k RETURN e.kind AS kind, e.audience AS a",
                                          k=["run.compacted", "retention.batch"])  # fmt: skip
    assert sorted((row["kind"], row["a"]) for row in events) == [
        ("retention.batch", "administration"), ("run.compacted", "internal|"),
    ]  # fmt: skip
    assert (await retain(executor.database, AGES, now=LATER)).batches == 0


@law(3, derandomize=True)
@given(budget=st.integers(1, 30), kept=st.sampled_from(["standard", "high_value", "ephemeral"]))
async def test_compaction_changes_no_lineage_wherever_it_is_stopped(executor: Executor, budget: int, kept: str) -> None:
    await executor.database.run_alone("MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n")
    await executor.report([*whole_run(_named("r1"), _policy(kept)), *_user_of("r1")])
    before = await _lineage(executor)

    def stop(_line: str) -> None:
        raise Interrupted

    for _ in range(3):
        try:
            await retain(executor.database, AGES, now=LATER, budget=budget, progress=stop)
        except Interrupted:
            assert await _lineage(executor) == before
    await retain(executor.database, AGES, now=LATER, budget=budget)
    assert await _lineage(executor) == before
    run = await executor.one("Run", source_key="r1")
    assert "compacted_at" in run
    assert "compacting_since" not in run
    assert "due" not in run
    assert await _labels(executor) & {*COMPACTED} == set()


async def test_what_somebody_points_at_leaves_a_tombstone(executor: Executor) -> None:
    await executor.report(whole_run(policy=_policy()))
    desk = desk_of(executor.database)
    entity = await desk.library("other")
    await executor.database.run_alone(
        "MATCH (e:Entity {id: $id}) MATCH (s:Span {span_key: 's1'}) CREATE (e)-[:MENTIONS]->(s)", id=entity
    )
    span = await executor.one("Span", span_key="s1")
    await retain(executor.database, AGES, now=LATER)
    left = await executor.one("Tombstone")
    assert (left["id"], left["erased_kind"], left["audience"]) == (span["id"], "Span", span["audience"])
    assert left["reason"] == "retention of the class standard"
    rows = await executor.database.read("MATCH (t:Tombstone)-[r]-() RETURN type(r) AS type")
    assert [row["type"] for row in rows] == ["MENTIONS"]


async def test_a_legal_hold_beats_all(executor: Executor) -> None:
    matter = await desk_of(executor.database).library("matter")
    runs = {"run": [], "artifact": [], "matter": [matter], "free": []}
    for key, matters in runs.items():
        await executor.report(whole_run(_named(key), _policy("ephemeral", matter_ids=matters)))
    await executor.database.run_alone(
        "MATCH (n:Record) WHERE n.source_key IN ['run', 'artifact-memo'] OR n.id = $matter SET n.legal_hold = true",
        matter=matter,
    )
    [told] = await due(executor.database, AGES, LATER)
    assert (told.runs, told.samples, told.held, sorted(told.held_samples)) == (
        1, ["free"], 3, ["artifact", "matter", "run"],
    )  # fmt: skip
    await retain(executor.database, AGES, now=LATER)
    rows = await executor.database.read("MATCH (r:Run) RETURN r.source_key AS key, r.compacting_since AS since")
    assert sorted(tuple(row.values()) for row in rows) == [("artifact", None), ("matter", None), ("run", None)]


async def test_an_ephemeral_run_goes_whole_and_an_active_matter_keeps_its_own(executor: Executor) -> None:
    matter = await desk_of(executor.database).library("matter")
    await executor.report(whole_run(_named("test"), _policy(memory_mode="full_ephemeral_test")))
    await executor.report(whole_run(_named("case"), _policy("matter_active", matter_ids=[matter])))
    await executor.report(whole_run(_named("work"), _policy("legal_work_product")))
    await retain(executor.database, AGES, now=LATER)
    rows = await executor.database.read("MATCH (r:Run) WHERE r.compacted_at IS NULL RETURN r.source_key AS key")
    assert sorted(row["key"] for row in rows) == ["case", "work"]
    assert await executor.count("Delivery") == 2
    await executor.database.run_alone(
        "MATCH (m:Matter) SET m.lifecycle_state = 'archived', m.updated_at = '2026-01-01T00:00:00.000Z'"
    )
    await retain(executor.database, AGES, now=LATER)
    assert "compacted_at" in await executor.one("Run", source_key="case")


async def test_a_run_without_an_end_is_due_later(executor: Executor) -> None:
    await executor.report(Story(policy=_policy()).tell("run_started").events)
    short = Ages({**AGES.days, RetentionClass.standard: 10})
    began = datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert await due(executor.database, short, began + timedelta(days=80)) == []
    assert len(await due(executor.database, short, began + timedelta(days=91))) == 1


async def test_of_a_compacted_run_only_later_uses_are_taken(executor: Executor) -> None:
    events = whole_run(policy=_policy())
    await executor.report(events)
    await retain(executor.database, AGES, now=LATER)
    before = await executor.graph()
    assert set(await executor.told(events)) == {"run_compacted"}
    assert await executor.graph() == before
    now = (await executor.one("Run"))["compacted_at"].replace("Z", "")[:-3] + "999Z"
    use = {"event_id": "later", "kind": "artifact_opened", "occurred_at": now, "run": _named("run-1")}
    assert await executor.told([{**use, "artifact_key": "run-1-draft"}]) == ["accepted"]
    assert "due" not in await executor.one("Run")


async def test_class_reason_and_expiry_are_told_to_those_who_may_see_it(executor: Executor) -> None:
    await executor.report(whole_run(policy=_policy()))
    ids = [(await executor.one("Run"))["id"]]
    ids += [(await executor.one("Artifact", name=name))["id"] for name in ("Damages memo", "Complaint")]
    retentions = Retentions(executor.database, AGES)
    found = await retentions.of(await viewer_of(executor.database), [*ids, "run_none"])
    run, memo, final, none = found
    assert run
    assert memo
    assert final
    assert none is None
    ended = datetime.fromisoformat((await executor.one("Run"))["completed_at"])
    assert run.expires_at
    assert datetime.fromisoformat(run.expires_at) == ended + timedelta(days=365)
    assert (run.standing, memo.expires_at, final.expires_at) == (RetentionStanding.kept, run.expires_at, None)
    assert "365 days" in run.reason
    assert "outlives" in final.reason
    clerk = await viewer_of(executor.database, clearance=DataClass.public)
    assert await retentions.of(clerk, ids) == [None, None, None]


async def test_the_command_shows_what_would_go_and_takes_it(
    executor: Executor, neo4j_server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await executor.report(whole_run(policy=_policy()))
    for name in ("uri", "user", "password"):
        monkeypatch.setenv(f"TASKLORE_NEO4J_{name.upper()}", getattr(neo4j_server, name))
    monkeypatch.setenv("TASKLORE_RETAIN_STANDARD_DAYS", "30")
    before = await executor.graph()

    def call(*arguments: str) -> Any:
        with pytest.raises(SystemExit) as stop:
            tasklore(["retain", *arguments, "--json"])
        assert stop.value.code == 0
        return json.loads(capsys.readouterr().out)

    shown = {row["kind"]: row["count"] for row in await asyncio.to_thread(call, "--dry-run")}
    assert shown == {
        "runs": 1, "spans": 2, "snapshots": 1, "checkpoints": 1, "sessions": 1, "interventions": 1, "native_events": 1,
        "artifacts": 2,
    }  # fmt: skip
    assert await executor.graph() == before
    taken = {row["kind"]: row["count"] for row in await asyncio.to_thread(call)}
    assert (taken["Run compacted"], taken["Span"], taken["Artifact stripped"]) == (1, 2, 2)
    assert await asyncio.to_thread(call) == []


def test_every_class_has_an_age_and_every_dropped_field_is_one() -> None:
    assert {*ages_of(load_settings()).days} == {*RetentionClass}
    for label, names in DROPPED.items():
        assert {*names} <= {*REGISTRY.types[label].fields}
    assert {*INSIDE} <= {one.type for one in REGISTRY.relations}
