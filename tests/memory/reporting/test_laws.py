"""Laws of reporting, on a real server: order, repetition and division of a report do not matter."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step, whole_run

EMPTY = "MATCH (n) WHERE NOT n:Migration AND NOT n:TaskloreTestGraph DETACH DELETE n"
LAW = law(5, derandomize=True)

# What competes for the same values: two starts, a wait after the end, contradicting deliveries, two names.
_RIVALS = (
    Story()
    .tell("run_started", name="One")
    .tell("run_started", name="Two", task_key="t")
    .tell("run_failed", failure_code="x")
    .tell("run_completed", total_cost_usd=3.5)
    .tell("activation_completed", **step("m"), cost_usd=0.1, name="First")
    .tell("activation_waiting", **step("m"), waiting_reason="Later")
    .tell("activation_completed", **step("m"), cost_usd=0.3)
    .tell("activation_started", **step("n"), triggered_by=[step("m")])
    .tell("span", span_key="c", span_kind="retry", status="running", parent_span_key="p", **step("m"))
    .tell("span", span_key="c", span_kind="retry", status="error", error_code="e")
    .tell("artifact_produced", artifact_key="a", artifact_kind="email", summary="Body", port_name="o", **step("m"))
    .tell("artifact_produced", artifact_key="a", artifact_kind="document", port_name="q", **step("m"))
    .tell("artifact_consumed", item={"key": "a"}, **step("n"))
    .tell("artifact_produced", artifact_key="b", artifact_kind="document", derived_from=[{"key": "a"}], **step("n"))
    .tell("artifact_promoted", artifact_key="a", promoted_by="w", promoted_level="doc72_reference")
    .tell("artifact_promoted", artifact_key="b", promoted_by="w", work_product_key="wp", work_product_name="Brief")
    .tell("delivery", idempotency_key="k", delivery_kind="email", status="failed", **step("m"))
    .tell("delivery", idempotency_key="k", delivery_kind="email", status="delivered", delivered_to=["x"], **step("m"))
    .tell("delivery", idempotency_key="k", delivery_kind="email", status="pending", saved_path="/p", **step("m"))
    .events
)


async def _alone(executor: Executor, events: list[Event]) -> Any:
    await executor.database.run_alone(EMPTY)
    assert set(await executor.told(events)) == {"accepted"}
    return await executor.graph()


async def _in_parts(executor: Executor, events: list[Event], cuts: list[int]) -> Any:
    await executor.database.run_alone(EMPTY)
    edges = [0, *sorted(cut % (len(events) + 1) for cut in cuts), len(events)]
    for start, end in itertools.pairwise(edges):
        assert set(await executor.told(events[start:end])) <= {"accepted", "duplicate"}
    return await executor.graph()


@pytest.mark.slow
@LAW
@given(data=st.data())
async def test_any_order_any_repetition_any_division_gives_the_same_graph(executor: Executor, data: Any) -> None:
    events = data.draw(st.sampled_from([_RIVALS, whole_run()]))
    repeated = [*events, *data.draw(st.lists(st.sampled_from(events), max_size=6))]
    shuffled = data.draw(st.permutations(repeated))
    cuts = data.draw(st.lists(st.integers(0, 100), max_size=4))
    assert await _in_parts(executor, shuffled, cuts) == await _alone(executor, events)


@pytest.mark.slow
@LAW
@given(data=st.data())
async def test_a_rejected_event_leaves_no_trace(executor: Executor, data: Any) -> None:
    alone = await _alone(executor, _RIVALS)
    bad: list[Event] = [
        {**_RIVALS[0], "event_id": "b1", "policy": {**POLICY, "data_class": "public"}},
        {**_RIVALS[4], "event_id": "b2", "cost_usd": -1},
        {**_RIVALS[4], "event_id": "b3", "task_key": "another", "name": "Zzz"},
        {**_RIVALS[12], "event_id": "b4", "item": {"id": "art_nowhere"}},
        {**_RIVALS[10], "event_id": "b5", "derived_from": [{"key": "a"}], "name": "Zzz"},
        {**_RIVALS[10], "event_id": "b6", "artifact_key": "t", "name": "Zzz"},
    ]
    await executor.database.run_alone(EMPTY)
    assert set(await executor.told(_RIVALS[:9])) == {"accepted"}
    mixed = data.draw(st.permutations([*_RIVALS[9:], *bad]))
    told = await executor.told(mixed)
    names = {event["event_id"]: code for event, code in zip(mixed, told, strict=True)}
    assert {name for name, code in names.items() if code != "accepted"} == {str(one["event_id"]) for one in bad}
    assert await executor.graph() == alone


@pytest.mark.slow
@LAW
@given(data=st.data())
async def test_what_a_private_mode_leaves_does_not_depend_on_order(executor: Executor, data: Any) -> None:
    mode = data.draw(st.sampled_from(["memory_incognito", "full_ephemeral_test", "reference_only"]))
    events = whole_run(policy={**POLICY, "memory_mode": mode})
    shuffled = data.draw(st.permutations(events))
    assert await _in_parts(executor, shuffled, [11, 23]) == await _alone(executor, events)
