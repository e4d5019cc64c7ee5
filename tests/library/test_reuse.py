"""Reuse comes first: an agent looks for a template before it makes a graph, and a refined graph may teach."""

from datetime import timedelta
from typing import Any

import pytest

from service import clock
from service.access.viewer import PrincipalKind
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.doctor import examine
from service.library.errors import SearchRequired
from service.library.graphs import GraphInput
from tests.library.conftest import Desk, chain

AGENT: dict[str, Any] = {"principal_id": "agent", "kind": PrincipalKind.agent}
AVAILABLE = ["warning.template_match_available_but_new_graph_requested"]
CANDIDATE = ["warning.task_design_case_candidate"]


async def saved(desk: Desk, of: str, graph: GraphInput, searched: RecordRef | None = None, **who: Any) -> list[str]:
    viewer = await desk.viewer(**who)
    return (await desk.library.save_graph(viewer, RecordRef(id=of), graph, searched=searched)).result["warnings"]


async def test_an_agent_looks_before_it_makes_a_new_graph(desk: Desk) -> None:
    task, person = await desk.new("Task", name="New"), await desk.new("Task", name="By hand")
    await desk.proposed(task)
    with pytest.raises(SearchRequired) as error:
        await saved(desk, task, chain("a"), **AGENT)
    assert error.value.code == "validation.task_agent_template_search_required"
    assert (error.value.field, bool(error.value.remedy)) == ("searched", True)
    assert "graph_hash" not in await desk.stored(task)
    match = await desk.match()
    assert await saved(desk, task, chain("a"), match, **AGENT) == []
    [row] = await desk.rows("MATCH (:Task)-[:DESIGNED_AFTER]->(m:MatchDecision) RETURN m.id AS id")
    assert row["id"] == match.id
    assert await saved(desk, task, chain("a", "b"), **AGENT) == []
    assert await saved(desk, person, chain("q")) == []
    assert await examine(desk.database) == []


SHORT: list[tuple[dict[str, Any], str]] = [
    ({"asset_kind": "Segment"}, "not for a template"),
    ({"request": ""}, "no words"),
    ({"request": "the of and"}, "no words"),
    ({"by": "another"}, "somebody else"),
    ({"matched_at": clock.ago(timedelta(hours=25))}, "older than a day"),
]


@pytest.mark.parametrize(("told", "problem"), SHORT)
async def test_a_search_that_shows_nothing_is_no_search(desk: Desk, told: dict[str, Any], problem: str) -> None:
    task, draft = await desk.new("Task", name="New"), await desk.new("Task", name="By hand")
    await desk.proposed(task)
    match = await desk.match(**told)
    with pytest.raises(SearchRequired) as error:
        await saved(desk, task, chain("a"), match, **AGENT)
    assert error.value.code == "validation.task_agent_template_search_required"
    assert problem in str(error.value)
    assert await saved(desk, draft, chain("a"), match) == []


async def test_a_search_of_this_day_is_enough(desk: Desk) -> None:
    task = await desk.new("Task", name="New")
    await desk.proposed(task)
    match = await desk.match(matched_at=clock.ago(timedelta(hours=23)))
    assert await saved(desk, task, chain("a"), match, **AGENT) == []


async def test_a_task_that_was_made_from_a_template_needs_no_search(desk: Desk) -> None:
    task, template = await desk.new("Task", name="New"), await desk.new("Template", name="Its template")
    await desk.link(task, "INSTANTIATES", template)
    await desk.proposed(task)
    assert await saved(desk, task, chain("a"), **AGENT) == []


async def test_a_new_graph_beside_a_strong_match_is_told(desk: Desk) -> None:
    one, other = await desk.new("Template", name="One"), await desk.new("Task", name="Other")
    await desk.proposed(other)
    assert await saved(desk, one, chain("a"), await desk.match("match")) == AVAILABLE
    assert await saved(desk, other, chain("b"), await desk.match("match"), **AGENT) == AVAILABLE
    assert await saved(desk, other, chain("b"), await desk.match("match"), **AGENT) == []


async def test_a_hidden_match_is_no_match(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task, hidden = await desk.new("Task", name="New"), await desk.match(matters=[matter])
    await desk.proposed(task)
    for one in (hidden, RecordRef(id="match_missing")):
        with pytest.raises(RecordMissing):
            await saved(desk, task, chain("a"), one, matters=[], **AGENT)


async def test_a_refined_graph_may_teach_until_it_does(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task = await desk.new("Task", name="Task")
    assert await saved(desk, task, chain("a", "b")) == []
    assert await saved(desk, task, chain("a", "b", settings='{"x": 1}')) == []
    assert await saved(desk, task, chain("a", "b", "c")) == CANDIDATE
    told = {"name": "Case", "task_type": "drafting", "user_intent_summary": "A draft."}
    case = await desk.new("Case", **told, matter_ids=[matter])
    await desk.link(case, "LEARNED_FROM", task)
    stranger: dict[str, Any] = {"principal_id": "x", "matters": []}
    assert await saved(desk, task, chain("a", "b"), **stranger) == CANDIDATE
    assert await saved(desk, task, chain("a", "b", "c")) == []
