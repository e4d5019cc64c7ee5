"""What spans tell of costs: lists say of a run what the run's own view says, in whatever order it became known."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from service.memory.outermost import total
from service.memory.views import RunIndex
from service.memory.views.costs import costs, total_usd
from service.memory.views.load import load_run
from tests.conftest import empty
from tests.laws import law
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step
from tests.viewers import viewer_of

_CENTS = st.none() | st.integers(0, 500).map(lambda cents: cents / 100)
_KINDS = st.sampled_from([None, "llm_call", "subagent_spawn", "task_run", "module_activation"])


@st.composite
def told(draw: st.DrawFn) -> list[Event]:
    """Two steps that may tell their cost, spans in them and outside, each perhaps inside another, none in a circle."""
    story = Story().tell("run_started")
    for name in ("m", "n"):
        story.tell("activation_completed", **step(name), **_given(cost_usd=draw(_CENTS)))
    for number in range(draw(st.integers(1, 7))):
        place = draw(st.sampled_from([{}, step("m"), step("n")]))
        parent = draw(st.none() | st.integers(0, number - 1).map(lambda one: f"s{one}")) if number else None
        figures = _given(cost_usd=draw(_CENTS), input_tokens=draw(st.none() | st.integers(0, 9)))
        said = _given(span_kind=draw(_KINDS), parent_span_key=parent, **figures)
        story.tell("span", span_key=f"s{number}", status="success", **place, **said)
    return story.tell("run_completed", **_given(total_cost_usd=draw(_CENTS))).events


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


async def _index(executor: Executor, **viewer: Any) -> RunIndex:
    seen = await viewer_of(executor.database, **viewer)
    found = await load_run(executor.database, seen, (await executor.one("Run"))["id"])
    assert found
    return RunIndex(found, "2026-01-02T00:00:00.000Z")


@law(6)
@given(events=told(), data=st.data())
async def test_a_record_says_what_its_run_says_in_any_order(executor: Executor, events: list[Event], data: Any) -> None:
    await empty(executor.database)
    shuffled = data.draw(st.permutations(events))
    cuts = data.draw(st.sets(st.integers(1, len(events) - 1), max_size=3))
    for begin, end in pairwise([0, *sorted(cuts), len(events)]):
        assert set(await executor.told(shuffled[begin:end])) == {"accepted"}
    index = await _index(executor)
    run = await executor.one("Run")
    assert run.get("cost_usd") == total_usd(index)
    for key in ("m", "n"):
        record = await executor.one("Activation", module_key=key)
        spans = [one for one in events if one["kind"] == "span" and one.get("module_key") == key]
        own = next(one for one in events if one.get("module_key") == key)
        assert record.get("cost_usd") == own.get("cost_usd", _added(spans, "cost_usd"))
        assert record.get("input_tokens") == _added(spans, "input_tokens")
        assert index.amounts[record["id"]].dollars == record.get("cost_usd")


def _added(spans: list[Event], figure: str) -> float | None:
    """Literally: what is inside nothing of the same step that tells it too."""
    by_key = {one["span_key"]: one for one in spans}

    def is_inside(one: Event) -> bool:
        up = by_key.get(one.get("parent_span_key", ""))
        return up is not None and (figure in up or is_inside(up))

    found = [one[figure] for one in spans if figure in one and not is_inside(one)]
    return round(sum(found), 6) if found else None


async def test_a_call_that_tells_tokens_alone_hides_no_cost_inside_it(executor: Executor) -> None:
    story = Story().tell("activation_completed", **step("m"))
    story.tell("span", span_key="agent", span_kind="subagent_spawn", status="success", input_tokens=900, **step("m"))
    story.tell("span", span_key="call", span_kind="llm_call", status="success", cost_usd=0.25, model_ref="small",
               parent_span_key="agent", **step("m"))  # fmt: skip
    story.tell("span", span_key="loose", span_kind="llm_call", status="success", cost_usd=0.5, model_ref="large")
    assert set(await executor.told(story.events)) == {"accepted"}
    told = costs(await _index(executor))
    assert (told.total_usd, told.input_tokens) == (0.75, 900)
    assert {row.label: row.cost_usd for row in told.by_model if row.cost_usd} == {"small": 0.25, "large": 0.5}
    assert (await executor.one("Run"))["cost_usd"] == 0.75


async def test_a_cost_of_nought_is_known(executor: Executor) -> None:
    story = Story().tell("span", span_key="s", span_kind="llm_call", status="success", cost_usd=0, **step("m"))
    assert await executor.told(story.events) == ["accepted"]
    assert (await executor.one("Run"))["cost_usd"] == 0
    assert (await executor.one("Activation"))["cost_usd"] == 0


async def test_what_closed_spans_cost_is_not_told_by_records_that_others_see(executor: Executor) -> None:
    policy = {**POLICY, "capture_outputs": "full_local_only"}
    story = Story(None, policy).tell("activation_completed", **step("m"))
    story.tell("span", span_key="s", span_kind="llm_call", status="success", cost_usd=4, **step("m"))
    assert set(await executor.told(story.events)) == {"accepted"}
    assert total_usd(await _index(executor)) == 4
    assert total_usd(await _index(executor, clearance=DataClass.internal)) is None
    assert "cost_usd" not in await executor.one("Activation")
    assert "cost_usd" not in await executor.one("Run")


def test_what_is_inside_one_another_tells_nothing() -> None:
    assert total({"a": 1, "b": 2}, {"a": "b", "b": "a"}) is None
    assert total({"a": 1, "b": 2}, {"a": "x", "x": "b", "b": None}) == 2
    assert total({}, {"a": None}) is None
