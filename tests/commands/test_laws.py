"""A record is as closed as what it is about and what it came from, in whatever order that became known."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from service import clock
from service.access.audience import MOST_MATTERS_OF_A_STUB
from service.access.viewer import KeyScope
from service.commands.inheritance import is_unplaced
from service.doctor import examine
from service.graph.flows import PARTS_OF_RUNS
from service.memory.views import RunIndex, load_run
from service.memory.views.evidence import MissingCode, evidence
from tests.commands.world import Firm, expected
from tests.laws import law

pytestmark = pytest.mark.slow


def test_what_belongs_to_a_run_is_what_the_registry_says() -> None:
    assert {*PARTS_OF_RUNS.split("|")} == {*REGISTRY.parts}


@law(6)
@given(seed=st.integers(0, 10_000))
async def test_any_order_leaves_everything_as_closed_as_it_should_be(firm: Firm, seed: int) -> None:
    await firm.empty()
    acts = await firm.story()
    random.Random(seed).shuffle(acts)  # noqa: S311 - any order will do
    left = acts
    for _ in range(3):  # what needs something that is not there yet is tried again
        left = [act for act in left if not await act()]
    assert not left
    held, wanted = await expected(firm.database)
    assert held == wanted
    assert [one for one in await examine(firm.database, REGISTRY) if "access" in one.check] == []


async def test_what_is_named_from_too_many_matters_is_its_reporters(firm: Firm) -> None:
    await firm.empty()
    matters = [await firm.matter(f"M{place}") for place in range(MOST_MATTERS_OF_A_STUB + 1)]
    for place, matter in enumerate(matters):
        await firm.report(f"r{place}", [matter], "run_started", task_key="weekly", task_name="Weekly")
        task = await firm.one("Task")
        assert is_unplaced("Task", task)
        assert task["matter_ids"] == (sorted(matters[: place + 1]) if place < MOST_MATTERS_OF_A_STUB else [])
    task = await firm.one("Task")
    outsider, reporter = await firm.viewer("prin_other"), await firm.viewer("prin_executor")
    assert task["audience"] in reporter.audiences
    assert task["audience"] not in (await firm.viewer("prin_other", matters=matters, scopes=())).audiences
    assert outsider.principal_id not in task["reporters"]
    facts = await load_run(
        firm.database,
        await firm.viewer("prin_other", matters=matters[:1], scopes=[KeyScope.read]),
        (await firm.one("Run", source_key="r0"))["id"],
    )
    assert facts
    assert (facts.task, facts.run.undescribed) == (None, True)  # the run is told without its task, and says so
    missing = {one.code for one in evidence(RunIndex(facts, clock.now())).missing}
    assert MissingCode.named_not_described in missing
    await firm.save("Task", name="Weekly report", source="exec", source_key="weekly")
    assert (await firm.one("Task"))["audience"] == "internal|"
