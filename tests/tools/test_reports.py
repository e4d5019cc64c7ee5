"""Outcomes and asks as callers report them, on the real server."""

from typing import Any

import pytest

from service.tools.recommendations import Evaluations
from tests.tools.workshop import REFERRAL, SOURCE, TOOL, Workshop, ago, ask, outcome

pytestmark = pytest.mark.slow


async def test_an_outcome_makes_its_tool_and_method_known_and_shows_both_words(workshop: Workshop) -> None:
    [told] = await workshop.taken(outcome("1", "wrong_tool_boundary", method="fetch_url"))
    kept = await workshop.stored(told)
    assert kept["boundary_axes"] == ["extraction", "transport"]
    assert kept["said_axes"] == REFERRAL["boundary_axes"]
    assert kept["evidence"] == REFERRAL["evidence"]
    [method] = await workshop.heads(told, "OUTCOME_OF")
    assert (await workshop.stored(method))["source_key"] == f"{TOOL}/fetch_url"
    assert await workshop.heads(method, "METHOD_OF") == {await workshop.tool()}
    assert "tool.outcome.reported" in await workshop.events(told)
    again = await workshop.report(
        outcome("1", "wrong_tool_boundary", method="fetch_url", occurred_at=kept["occurred_at"])
    )
    assert [(one.outcome.value, one.record_id) for one in again] == [("duplicate", told)]
    [row] = await workshop.database.read("MATCH (c:Command {command: 'reportToolOutcomes'}) RETURN count(c) AS sent")
    assert row["sent"] == 1, "what is known already leaves no trace"
    other = await workshop.report(outcome("1", occurred_at=kept["occurred_at"]))
    assert (other[0].outcome.value, other[0].code, other[0].field) == ("rejected", "event_id_reused", "event_id")


async def test_a_described_tool_keeps_what_was_reported_before(workshop: Workshop) -> None:
    await workshop.taken(outcome("1", method="fetch_url"))
    stub = await workshop.tool()
    saved = await workshop.new("Tool", name="Web fetcher", summary="Gets pages.", source=SOURCE, source_key=TOOL)
    assert saved == stub
    method = await workshop.new(
        "ToolMethod", name="fetch", world="open_world", source=SOURCE, source_key=f"{TOOL}/fetch"
    )
    assert await workshop.heads(method, "METHOD_OF") == {stub}
    assert (await workshop.health()).outcomes == 1


async def test_what_is_wrong_is_refused_for_itself_with_code_field_and_remedy(workshop: Workshop) -> None:
    await workshop.ran({"event_id": "s", "kind": "run_started"}, run="private", memory_mode="memory_incognito")
    bad: list[tuple[str, str, dict[str, Any]]] = [
        ("referral_evidence_required", "metadata.evidence", {"metadata": {**REFERRAL, "evidence": " "}}),
        ("boundary_axes_required", "metadata.boundary_axes", {"metadata": {**REFERRAL, "boundary_axes": []}}),
        ("boundary_axis_unreadable", "metadata.boundary_axes", {"metadata": {**REFERRAL, "boundary_axes": ["!!"]}}),
        ("unknown_value", "outcome_type", {"outcome_type": "meh"}),
        ("missing_field", "tool", {"tool": None}),
        ("unknown_field", "confidence", {"confidence": 7}),
        ("invalid_input", "metadata", {"outcome_type": "success"}),
        ("invalid_input", "outcome_type", {"outcome_type": "low_utility", "error_code": "x"}),
        ("time_out_of_range", "occurred_at", {"occurred_at": ago(days=-3)}),
        ("not_found", "run", {"run": {"source": SOURCE, "key": "nowhere"}}),
        ("validation.incognito_blocks_requested_memory", "run", {"run": {"source": SOURCE, "key": "private"}}),
        ("missing_field", "run", {"span_key": "s"}),
        ("not_found", "tool", {"tool": {"id": "tool_missing"}}),
        ("matter_not_allowed", "matter_ids", {"matter_ids": ["ent_missing"]}),
    ]
    viewer = await workshop.viewer(matters=[])
    reports = [{**outcome(str(place), "wrong_tool_boundary"), **more} for place, (_, _, more) in enumerate(bad)]
    reports = [{name: value for name, value in one.items() if value is not None} for one in reports]
    answers = await workshop.report(*reports, outcome("good"), viewer=viewer)
    told = [(one.code, one.field) for one in answers[:-1]]
    assert told == [(code, field) for code, field, _ in bad]
    assert all(one.remedy and one.message for one in answers[:-1])
    assert answers[-1].outcome.value == "accepted"
    assert (await workshop.health(viewer)).outcomes == 1


async def test_an_axis_that_nobody_knows_is_counted_and_told(workshop: Workshop) -> None:
    said = {**REFERRAL, "boundary_axes": ["Colour  Scheme", "fetch"]}
    [answer] = await workshop.report(outcome("1", "wrong_tool_boundary", metadata=said))
    assert answer.outcome.value == "accepted"
    [warning] = answer.warnings
    assert warning.code == "warning.boundary_axis_unknown"
    assert "colour scheme" in warning.message
    assert "transport" in str(warning.remedy), "which are known stands in what to do"
    assert [one.axis for one in (await workshop.health()).boundary_axes] == ["colour scheme", "transport"]


async def test_spans_of_runs_count_and_one_that_was_reported_counts_once(workshop: Workshop) -> None:
    span = {"kind": "span", "tool_key": TOOL, "span_kind": "tool_call"}
    await workshop.ran(
        {"event_id": "1", "kind": "run_started"},
        {"event_id": "2", **span, "span_key": "a", "status": "success", "tool_method": "fetch_url"},
        {"event_id": "3", **span, "span_key": "b", "status": "error", "error_code": "TimeoutError"},
        {"event_id": "4", **span, "span_key": "c", "status": "running"},
    )
    private = {"event_id": "5", **span, "span_key": "p", "status": "error", "error_code": "Boom"}
    await workshop.ran(private, run="private", memory_mode="memory_incognito")
    before = await workshop.health()
    assert (before.outcomes, before.successes, before.execution_errors) == (2, 1, 1)
    assert [(one.error_class.value, one.count) for one in before.errors] == [("environment", 1)]
    assert [one.method_key for one in before.methods] == ["fetch_url", None]
    run = {"source": SOURCE, "key": "run-1"}
    await workshop.taken(outcome("x", "low_utility", run=run, span_key="a"), outcome("y", run=run, span_key="late"))
    await workshop.ran({"event_id": "6", **span, "span_key": "late", "status": "success"})
    after = await workshop.health()
    assert (after.outcomes, after.successes, after.low_utility_recent, after.execution_errors) == (3, 1, 1, 1)


async def test_asking_again_within_minutes_corrects_what_was_given(workshop: Workshop) -> None:
    await workshop.taken(outcome("o1", ask={"key": "a1"}), outcome("o2"))
    await workshop.asked(
        ask("a1", 0),
        ask("a2", 4, text="No, try again"),
        ask("b1", 20),
        ask("b2", 25, task_shape="poem"),
        ask("b3", 28),
        ask("c1", 40, session="s2"),
        ask("d1", 50),
        ask("d2", 59, top_level=False),
    )
    assert await workshop.corrections() == {("a1", "a2")}
    health = await workshop.health()
    assert (health.outcomes, health.user_corrections_recent) == (2, 1)
    assert (health.low_utility_rate.count, health.low_utility_rate.of) == (3, 5)
    [row] = await workshop.database.read("MATCH (c:UserCorrection) RETURN properties(c) AS c")
    assert (row["c"]["seconds_between"], row["c"]["likeness"], row["c"]["task_shape"]) == (240, 1.0, "list")
    assert "user_correction" in await workshop.events(row["c"]["id"])
    [noted] = await workshop.database.read("MATCH (a:Ask {source_key: 'ask/a2'}) RETURN a.phrase_rules AS rules")
    assert noted["rules"] == ["said_again"]
    # What came in between is told late, and undoes it.
    await workshop.asked(ask("a1b", 2, task_shape="poem"))
    assert await workshop.corrections() == set()


async def test_a_run_that_an_ask_began_is_corrected_with_it(workshop: Workshop) -> None:
    span = {"kind": "span", "tool_key": TOOL, "span_kind": "tool_call", "status": "success", "span_key": "a"}
    await workshop.ran({"event_id": "1", "kind": "run_started"}, {"event_id": "2", **span})
    await workshop.asked(ask("a1", 0, run={"source": SOURCE, "key": "run-1"}), ask("a2", 3))
    health = await workshop.health()
    assert (health.outcomes, health.successes, health.user_corrections_recent) == (1, 1, 1)


async def test_an_agent_reports_and_proposes_and_decides_nothing(workshop: Workshop) -> None:
    agent = await workshop.agent()
    await workshop.new("Tool", name="Web fetcher", source=SOURCE, source_key=TOOL)
    await workshop.taken(*(outcome(str(one), "wrong_tool_boundary", method="new") for one in range(3)), viewer=agent)
    await workshop.asked(ask("a1", 0), ask("a2", 3), viewer=agent)
    evaluations = workshop.services[Evaluations]
    _, found = await evaluations.evaluate(await workshop.agent())
    assert [one.recommendation_kind.value for one in found] == ["split_boundary"]
