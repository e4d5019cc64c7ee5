"""Reporting a run: every event with its own answer, and a graph that tells what happened."""

import asyncio
from typing import Any

import pytest

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands.errors import NotAllowed
from service.doctor import examine
from service.graph.migrations import MIGRATIONS
from service.memory.reporting.errors import TooManyEvents
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, RUN, Story, step, whole_run


async def test_a_whole_run_is_taken_and_stands_in_the_graph(executor: Executor) -> None:
    answers = await executor.report(whole_run())
    assert [one.shown() for one in answers if one.outcome != "accepted"] == []
    run = await executor.one("Run")
    assert (run["status"], run["cost_usd"], run["error_count"]) == ("completed", 2.71, 1)
    assert (run["activation_count"], run["artifact_count"], run["delivery_count"]) == (10, 3, 1)
    assert await executor.count("Activation") == 10
    delivery = await executor.one("Delivery")
    assert (delivery["status"], delivery["delivered_to"]) == ("delivered", ["w@example.com"])
    assert (delivery["conflicting"], delivery["conflicts"]) == (True, ["delivered v@example.com"])
    draft = await executor.one("Artifact", source_key="run-1-draft")
    assert (draft["intake_level"], draft["intake_rule"]) == ("doc72_summary_reference", "recommended_default")
    assert (draft["suggested_level"], draft["opened_count"]) == ("doc25_work_product_ingestion", 1)


async def test_the_graph_is_as_its_models_say(executor: Executor) -> None:
    await executor.report(whole_run())
    found = await examine(executor.database, REGISTRY)
    assert [str(one) for one in found] == []


async def test_sent_again_nothing_changes_and_each_is_told(executor: Executor) -> None:
    await executor.report(whole_run())
    before = await executor.graph()
    assert set(await executor.told(whole_run())) == {"duplicate"}
    assert await executor.graph() == before
    changed = [{**whole_run()[1], "name": "Another"}]
    assert await executor.told(changed) == ["event_id_reused"]
    assert await executor.graph() == before


async def test_the_same_moment_written_otherwise_is_the_same_event(executor: Executor) -> None:
    [event] = Story().tell("run_started", started_at="2026-01-01T09:59:59.000Z").events
    assert await executor.told([event]) == ["accepted"]
    elsewhere = {"occurred_at": "2026-01-01T11:00:00+01:00", "started_at": "2026-01-01 09:59:59.000999Z"}
    assert await executor.told([{**event, **elsewhere}]) == ["duplicate"]
    assert await executor.told([{**event, "occurred_at": "2026-01-01T10:00:00"}]) == ["invalid_time"]
    assert await executor.told([{**event, "occurred_at": "2026-01-01"}]) == ["invalid_time"]
    assert (await executor.one("Run"))["started_at"] == "2026-01-01T09:59:59.000Z"


async def test_two_at_once_leave_one_graph(executor: Executor) -> None:
    events = whole_run()
    await executor.report(events)
    alone = await executor.graph()
    await executor.database.run_alone("MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n")
    parts = [events[:20], events[10:], events[::-1], events[5:25]]
    told = await asyncio.gather(*(executor.told(part) for part in parts))
    assert {one for part in told for one in part} <= {"accepted", "duplicate"}
    assert await executor.graph() == alone


async def test_two_principals_may_report_the_same(executor: Executor) -> None:
    await executor.report(whole_run())
    before = await executor.graph()
    assert set(await executor.told(whole_run(), principal_id="another")) == {"duplicate"}
    assert await executor.graph() == before


async def test_what_is_made_from_stricter_things_becomes_as_strict(executor: Executor) -> None:
    secret = Story({"source": "exec", "key": "secret"}, {**POLICY, "data_class": "privileged"})
    secret.tell("artifact_produced", artifact_key="memo", artifact_kind="document", **step("m"))
    later = Story().tell(
        "artifact_produced", artifact_key="brief", artifact_kind="document", derived_from=[{"key": "memo"}], **step("m")
    )
    later.tell("artifact_promoted", artifact_key="brief", promoted_by="will", work_product_key="wp")
    for events in (later.events, secret.events):
        assert set(await executor.told(events)) == {"accepted"}
    classes = [(await executor.one(label, source_key=key))["data_class"] for label, key in _MADE]
    assert classes == ["privileged", "privileged", "privileged"]
    assert await examine(executor.database, REGISTRY) == []


_MADE = (("Artifact", "memo"), ("Artifact", "brief"), ("WorkProduct", "wp"))


async def test_501_events_are_refused_whole(executor: Executor) -> None:
    with pytest.raises(TooManyEvents) as caught:
        await executor.report(whole_run() * 15)
    assert (caught.value.code, caught.value.field, caught.value.facts["limit"]) == ("too_many_events", "events", 500)


async def test_a_key_without_the_scope_reports_nothing(executor: Executor) -> None:
    with pytest.raises(NotAllowed):
        await executor.report(whole_run(), scopes=(KeyScope.read,))


BAD: list[tuple[str, str, dict[str, Any]]] = [
    ("unknown_kind", "kind", {"kind": "span_started"}),
    ("unknown_value", "span_kind", {"span_kind": "walk"}),
    ("time_out_of_range", "occurred_at", {"occurred_at": "1970-01-01T00:00:00.000Z"}),
    ("time_out_of_range", "completed_at", {"completed_at": "2999-01-01T00:00:00.000Z"}),
    ("times_out_of_order", "completed_at", {"started_at": "2026-01-02T00:00:00.000Z",
                                            "completed_at": "2026-01-01T00:00:00.000Z"}),
    ("invalid_time", "occurred_at", {"occurred_at": "yesterday"}),
    ("out_of_range", "cost_usd", {"cost_usd": -1}),
    ("out_of_range", "cost_usd", {"cost_usd": 1e300}),
    ("out_of_range", "input_tokens", {"input_tokens": 1 << 70}),
    ("invalid_input", "cost_usd", {"cost_usd": float("inf")}),
    ("span_self_parent", "parent_span_key", {"parent_span_key": "s1"}),
    ("text_too_long", "summary", {"summary": "x" * 10_000_000}),
    ("missing_field", "activation_seq", {"module_key": "m"}),
    ("unknown_field", "colour", {"colour": "red"}),
    ("unknown_field", "occurredAt", {"occurredAt": "2026-01-01T10:00:00.000Z"}),
    ("run_unknown", "policy", {"policy": None}),
    ("matter_not_allowed", "policy.matter_ids", {"policy": {**POLICY, "matter_ids": ["ent_other"]}}),
    ("class_not_allowed", "policy.data_class", {"policy": {**POLICY, "data_class": "local_only"}}),
    ("not_found", "run", {"run": {"id": "run_nowhere"}}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "field", "wrong"), BAD, ids=[f"{one[0]}-{one[1]}" for one in BAD])
async def test_bad_input_has_its_code_and_field_and_leaves_no_trace(
    executor: Executor, code: str, field: str, wrong: dict[str, Any]
) -> None:
    good = Story({"source": "exec", "key": "other"}).tell("span", span_key="s1", span_kind="retry", status="success")
    bad = {**good.events[0], "event_id": "bad", "run": RUN, **wrong}
    answers = await executor.report([bad, *good.events], matters=[], clearance=DataClass.privileged)
    assert [one.outcome for one in answers] == ["rejected", "accepted"]
    assert (answers[0].code, answers[0].field, bool(answers[0].remedy)) == (code, field, True)
    assert (await executor.count("Span"), await executor.count("Run"), await executor.count("Report")) == (1, 1, 1)


async def test_an_artifact_has_one_run(executor: Executor) -> None:
    first = Story().tell("artifact_produced", artifact_key="a", artifact_kind="document", **step("m")).events
    other = Story({"source": "exec", "key": "run-2"})
    other.tell("artifact_produced", artifact_key="a", artifact_kind="document", **step("m"))
    other.tell("artifact_consumed", item={"key": "a"}, **step("m"))
    assert await executor.told(first) == ["accepted"]
    assert await executor.told(other.events) == ["artifact_of_two_runs", "accepted"]


async def test_a_run_of_a_matter_is_written_by_its_members_only(executor: Executor) -> None:
    await executor.database.run_alone(
        "CREATE (:Entity:Matter:Record {id: 'ent_m', name: 'M', kind: 'matter', audience: 'internal|ent_m'})"
    )
    policy = {**POLICY, "matter_ids": ["ent_m"]}
    events = Story(policy=policy).tell("run_started").tell("run_completed").events
    assert await executor.told(events[:1], principal_id="in", matters=["ent_m"]) == ["accepted"]
    rows = await executor.database.read("MATCH (:Run)-[:ABOUT]->(m:Matter) RETURN m.id AS id")
    assert [row["id"] for row in rows] == ["ent_m"]
    assert await executor.told(events[1:], principal_id="out", matters=[]) == ["matter_not_allowed"]
    silent = [{name: value for name, value in events[1].items() if name != "policy"}]
    assert await executor.told(silent, principal_id="out", matters=[]) == ["run_unknown"]
    assert await executor.told(silent, principal_id="in", matters=["ent_m"]) == ["accepted"]


async def test_matters_are_named_by_what_their_owner_calls_them(executor: Executor) -> None:
    """Also a run that is known already is the same by either name. A hidden matter is a missing one."""
    await executor.database.run_alone(
        "CREATE (:Entity:Matter:Record {id: 'ent_m', name: 'M', kind: 'matter', audience: 'internal|ent_m', "
        "matter_ids: ['ent_m'], data_class: 'internal', source: 'crm', source_key: 'm-7', realm: ''}) "
        "CREATE (:Audience {audience: 'internal|ent_m', data_class: 'internal', rank: 1, matter_ids: ['ent_m']})"
    )
    bare = {name: value for name, value in POLICY.items() if name != "matter_ids"}
    named = {**bare, "matters": [{"source": "crm", "key": "m-7"}]}
    missing = {**bare, "matters": [{"source": "crm", "key": "m-8"}]}
    start, end = Story(policy=named).tell("run_started").tell("run_completed").events
    by_id = {**end, "policy": {**bare, "matter_ids": ["ent_m"]}}
    assert await executor.told([{**start, "policy": missing}], matters=["ent_m"]) == ["not_found"]
    assert await executor.told([start], principal_id="out", matters=[]) == ["not_found"]
    assert await executor.told([start, by_id], matters=["ent_m"]) == ["accepted", "accepted"]
    assert await executor.told([start, end], matters=["ent_m"]) == ["duplicate", "event_id_reused"]
    assert (await executor.one("Run"))["matter_ids"] == ["ent_m"]


async def test_a_run_keeps_its_policy_and_its_task(executor: Executor) -> None:
    events = Story().tell("run_started", task_key="t1").events
    await executor.report(events)
    stricter = {**events[0], "event_id": "n1", "policy": {**POLICY, "memory_mode": "memory_incognito"}}
    elsewhere = {**events[0], "event_id": "n2", "task_key": "t2"}
    assert await executor.told([stricter, elsewhere]) == [
        "validation.task_memory_policy_conflict",
        "run_of_another_task",
    ]


async def test_what_was_refused_opens_no_run_for_others(executor: Executor) -> None:
    """Sent one by one the second would be refused too: whoever sends both together must not get another answer."""
    told = Story().tell("artifact_consumed", item={"id": "art_nowhere"}, **step("m")).tell("run_started").events
    bare = {name: value for name, value in told[1].items() if name != "policy"}
    for events in ([told[0], bare], [bare, told[0]]):
        assert sorted(await executor.told(events)) == ["not_found", "run_unknown"]
        assert await executor.count("Run") == 0
    good = {**told[1], "event_id": "good"}
    assert await executor.told([bare, told[0], good]) == ["accepted", "not_found", "accepted"]


async def test_subscribers_hear_once_of_each_kind_for_a_batch(executor: Executor) -> None:
    await executor.report(whole_run())
    rows = await executor.database.read("MATCH (e:Event:Unnumbered) RETURN e.kind AS kind")
    kinds = sorted(row["kind"] for row in rows)
    assert len(kinds) == len(set(kinds))
    assert {"task.run.flow_updated", "task.artifact.index.updated", "task.delivery.recorded"} <= set(kinds)


async def test_versions_of_a_work_product_lead_back(executor: Executor) -> None:
    story = Story()
    for key, former in (("a1", None), ("a2", "wp1")):
        story.tell("artifact_produced", artifact_key=key, artifact_kind="work_product", **step("m"))
        more = {"previous_work_product_key": former} if former else {}
        name = "wp1" if former is None else "wp2"
        story.tell("artifact_promoted", artifact_key=key, promoted_by="will", work_product_key=name, **more)
    await executor.report(story.events)
    rows = await executor.database.read(
        "MATCH (a:Artifact)-[:BECAME]->(w:WorkProduct)-[:PREVIOUS]->(o:WorkProduct) "
        "RETURN a.source_key AS a, a.artifact_state AS state, w.source_key AS w, o.source_key AS o, w.audience AS x"
    )
    assert [tuple(row.values()) for row in rows] == [("a2", "promoted", "wp2", "wp1", "internal|")]


@pytest.mark.parametrize("known", [False, True], ids=["in one report", "in a later one"])
async def test_a_key_that_reads_like_a_module_of_the_task_is_not_taken_away(executor: Executor, *, known: bool) -> None:
    made = Story().tell("artifact_produced", artifact_key="report/draft", artifact_kind="document", **step("collect"))
    story = Story().tell("run_started", task_key="report").tell("activation_completed", **step("draft"))
    events = [{**one, "event_id": f"later-{place}"} for place, one in enumerate(story.events)]
    reports = [made.events, events] if known else [[*made.events, *events]]
    for report in reports:
        assert {*await executor.told(report)} == {"accepted"}
    rows = await executor.database.read("MATCH (:Activation)-[:OF_MODULE]->(m:Module) RETURN m.source_key AS key")
    assert [row["key"] for row in rows] == ["report/collect"]
    assert (await executor.one("Artifact"))["source_key"] == "report/draft"


async def test_runs_of_a_former_version_get_places_and_counts(executor: Executor) -> None:
    await executor.report(whole_run())
    before = await executor.graph()
    await executor.database.run_alone(
        "MATCH (n:Record) REMOVE n.place, n.moment, n.success_count, n.skipped_count, n.cancelled_count, "
        "n.named_count, n.module_count, n.costed_count"
    )
    for statement in next(one for one in MIGRATIONS if one.number == 4).statements:
        await executor.database.run_alone(statement)
    assert await executor.graph() == before
