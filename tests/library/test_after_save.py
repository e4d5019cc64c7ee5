"""A reusable task and the template that was made for it: in step, until a curator takes the template over."""

from typing import Any

import pytest

from service.access.viewer import PrincipalKind, Viewer
from service.commands import RecordRef
from service.commands.approval import TemplateNeedsApproval
from service.commands.errors import OpeningNotAllowed
from service.doctor import examine
from service.library.blueprints import BlueprintInput, PartInput
from tests.library.conftest import Desk, chain

pytestmark = pytest.mark.slow

TEMPLATE = """
MATCH (task:Task {id: $id})-[:INSTANTIATES]->(t:Template)
RETURN t.id AS id, t.name AS name, t.description AS description, t.matter_ids AS matters, t.graph_hash AS graph_hash,
  t.lifecycle_state AS state, t.blueprint_hash AS blueprint_hash, t.follows_task_id AS follows,
  t.data_class AS data_class, COUNT { (t)-[:PREVIOUS]->() } AS chains,
  [(t)-[:HAS_GRAPH]->(g) | g.id] AS graphs, [(t)-[:HAS_BLUEPRINT]->(b) | b.id] AS blueprints
"""
VALUES = {"name": "B", "business_or_personal_goal": "-", "task_type": "review"}


async def _template(desk: Desk, task: str) -> dict[str, Any]:
    [row] = await desk.rows(TEMPLATE, id=task)
    return dict(row)


async def _blueprint(desk: Desk, of: str, **values: Any) -> dict[str, Any]:
    asked = BlueprintInput(values={**VALUES, **values}, of=RecordRef(id=of))
    return (await desk.library.save_blueprint(await desk.viewer(), asked)).result


async def _archive(desk: Desk, record: str, *, archived: bool) -> None:
    ref = RecordRef(id=record)
    await desk.records.set_state(await desk.viewer(), ref, archived=archived, command_id=None, if_version=None)


async def _unlink(desk: Desk, owner: str, blueprint: str) -> None:
    ends = (RecordRef(id=owner), "HAS_BLUEPRINT", RecordRef(id=blueprint))
    await desk.records.link(await desk.viewer(), *ends, {}, remove=True)


async def _agent(desk: Desk) -> Viewer:
    return await desk.viewer(principal_id="prin_agent", kind=PrincipalKind.agent)


async def test_what_a_task_gets_later_its_template_gets_too(desk: Desk) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    first = await desk.graph(task, chain("a", "b"))
    blueprint = await _blueprint(desk, task)
    found = await _template(desk, task)
    assert (found["graphs"], found["graph_hash"]) == ([first["id"]], first["graph_hash"])
    assert (found["blueprints"], found["blueprint_hash"]) == ([blueprint["id"]], blueprint["blueprint_hash"])
    second = await desk.graph(task, chain("a", "b", "c"))
    changed = await _blueprint(desk, task, business_or_personal_goal="Other.")
    await desk.save("Task", task, name="Check", description="Checks.")
    found = await _template(desk, task)
    assert (found["name"], found["description"], found["graphs"]) == ("Check", "Checks.", [second["id"]])
    assert found["blueprint_hash"] == changed["blueprint_hash"] != blueprint["blueprint_hash"]
    assert (await desk.stored(blueprint["id"]))["modules_count"] == 3
    [row] = await desk.rows("MATCH (:Blueprint)-[r:PREVIOUS]->() RETURN count(r) AS n")
    assert row["n"] == 1
    assert await examine(desk.database) == []


async def test_a_template_is_made_with_the_hash_of_the_blueprint(desk: Desk) -> None:
    task = await desk.new("Task", name="Review")
    blueprint = await _blueprint(desk, task)
    await desk.save("Task", task, reusable=True)
    assert (await _template(desk, task))["blueprint_hash"] == blueprint["blueprint_hash"]


async def test_a_task_that_moves_into_a_matter_takes_its_template_along(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task = await desk.new("Task", name="Review", description="Secret.", reusable=True)
    graph = await desk.graph(task, chain("a", "b"))
    await desk.save("Task", task, matter_ids=[matter])
    found = await _template(desk, task)
    assert (found["matters"], found["graphs"]) == ([matter], [graph["id"]])
    rows = await desk.rows("MATCH (n:GraphSnapshot|Module|Template|Card) RETURN DISTINCT n.matter_ids AS m")
    assert [one["m"] for one in rows] == [[matter]]
    await desk.save("Task", task, reusable=False)
    await desk.save("Task", task, matter_ids=[], name="Once")
    found = await _template(desk, task)
    assert (found["matters"], found["name"]) == ([], "Review")
    again = await desk.graph(task, chain("z"))
    assert (await _template(desk, task))["graphs"] == [graph["id"]]
    await desk.save("Task", task, reusable=True)
    found = await _template(desk, task)
    assert (found["name"], found["graphs"], found["graph_hash"]) == ("Once", [again["id"]], again["graph_hash"])
    assert await examine(desk.database) == []


async def test_a_graph_that_others_have_too_stays_with_them(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task, other = await desk.new("Task", name="Review", reusable=True), await desk.new("Template", name="Other")
    shared = await desk.graph(task, chain("a", "b"))
    await desk.graph(other, chain("a", "b"))
    await desk.save("Task", task, matter_ids=[matter])
    [row] = await desk.rows("MATCH (:Task {id: $id})-[:HAS_GRAPH]->(g) RETURN g.id AS id, g.matter_ids AS m", id=task)
    assert (row["m"], (await _template(desk, task))["graphs"]) == ([matter], [row["id"]])
    assert row["id"] != shared["id"]
    assert (await desk.stored(shared["id"]))["matter_ids"] == []
    assert await examine(desk.database) == []


async def test_a_template_that_fell_behind_leaves_the_graph_of_others_to_them(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task, other = await desk.new("Task", name="Review", reusable=True), await desk.new("Template", name="Other")
    shared = await desk.graph(task, chain("a", "b"))
    await desk.graph(other, chain("a", "b"))
    await desk.save("Task", task, reusable=False)
    late = await desk.graph(task, chain("a", "b", "c"))
    await desk.save("Task", task, reusable=True, matter_ids=[matter])
    found = await _template(desk, task)
    assert (len(found["graphs"]), found["graph_hash"]) == (1, late["graph_hash"])
    assert (await desk.stored(found["graphs"][0]))["matter_ids"] == [matter]
    assert (await desk.stored(shared["id"]))["matter_ids"] == []
    owners = await desk.rows("MATCH (o)-->(:GraphSnapshot {id: $id}) RETURN o.id AS id", id=shared["id"])
    assert [one["id"] for one in owners] == [other]
    assert await examine(desk.database) == []


async def test_steps_let_go_of_a_graph_that_task_and_template_leave_together(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task, other = await desk.new("Task", name="Review", reusable=True), await desk.new("Template", name="Other")
    await desk.graph(task, chain("a", "b"))
    await desk.graph(other, chain("a", "b"))
    steps = [PartInput({"step_key": "a", "purpose": "-"}, bound_modules=["a"])]
    asked = BlueprintInput(values=VALUES, of=RecordRef(id=task), parts={"steps": steps})
    await desk.library.save_blueprint(await desk.viewer(), asked)
    await desk.save("Task", task, matter_ids=[matter])
    bound = "MATCH (:StepIntent)-[:BOUND_TO]->(:Module)<-[:HAS_MODULE]-(g:GraphSnapshot) RETURN g.id AS id"
    assert [row["id"] for row in await desk.rows(bound)] == (await _template(desk, task))["graphs"]
    assert await examine(desk.database) == []


async def test_a_long_name_makes_one_version_of_the_template(desk: Desk) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    await desk.save("Task", task, reusable=False)
    await desk.graph(task, chain("a", "b"))
    await desk.save("Task", task, reusable=True)
    await desk.save("Task", task, reusable=False)
    saved = await desk.graph(task, chain("k" * 300))
    await desk.save("Task", task, reusable=True)
    found = await _template(desk, task)
    assert (found["graph_hash"], found["chains"]) == (saved["graph_hash"], 1)
    assert await examine(desk.database) == []


@pytest.mark.parametrize("by_field", [True, False])
async def test_a_template_is_put_away_and_comes_back_with_its_task(desk: Desk, *, by_field: bool) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    for archived, state in ((True, "archived"), (False, "active")):
        if by_field:
            await desk.save("Task", task, archived=archived)
        else:
            await _archive(desk, task, archived=archived)
        assert (await _template(desk, task))["state"] == state
    await desk.records.set_lifecycle(await desk.viewer(), RecordRef(id=task), "archived", None)
    assert (await _template(desk, task))["state"] == "archived"


async def test_a_draft_is_a_draft_when_it_comes_back(desk: Desk) -> None:
    task = await desk.new("Task", name="Review")
    await desk.proposed(task, by="prin_agent")
    await desk.records.save(await _agent(desk), "Task", {"reusable": True}, record_id=task)
    for archived, state in ((True, "archived"), (False, "draft")):
        await _archive(desk, task, archived=archived)
        assert (await _template(desk, task))["state"] == state
    await desk.records.set_lifecycle(
        await desk.viewer(), RecordRef(id=(await _template(desk, task))["id"]), "active", None
    )
    for archived, state in ((True, "archived"), (False, "active")):
        await _archive(desk, task, archived=archived)
        assert (await _template(desk, task))["state"] == state


async def test_what_an_agent_puts_away_is_put_away_when_a_person_saves(desk: Desk) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    await desk.proposed(task, by="prin_agent")
    await desk.records.save(await _agent(desk), "Task", {"archived": True}, record_id=task)
    assert (await _template(desk, task))["state"] == "active"
    await desk.save("Task", task, description="Old.")
    assert (await _template(desk, task))["state"] == "archived"


@pytest.mark.parametrize("how", ["name", "graph", "blueprint", "archive"])
async def test_a_template_that_a_curator_changes_is_theirs(desk: Desk, how: str) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    template = (await _template(desk, task))["id"]
    await desk.save("Template", template, trigger_phrases=["review this"])
    assert (await _template(desk, task))["follows"] == task
    match how:
        case "name":
            await desk.save("Template", template, name="Ours")
        case "graph":
            await desk.graph(template, chain("x"))
        case "blueprint":
            await _blueprint(desk, template)
        case _:
            await _archive(desk, template, archived=True)
    before = await _template(desk, task)
    assert before["follows"] is None
    await desk.save("Task", task, name="Other")
    await desk.graph(task, chain("a", "b"))
    await _blueprint(desk, task)
    assert await _template(desk, task) == before
    assert await examine(desk.database) == []


async def test_an_agent_changes_no_template_in_use_by_way_of_its_task(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task = await desk.new("Task", name="Review", reusable=True)
    await desk.proposed(task, by="prin_agent")
    await desk.records.save(await _agent(desk), "Task", {"name": "Mine"}, record_id=task)
    assert (await _template(desk, task))["name"] == "Review"
    # Who may see the template goes with the task: that is a change of what is in use, too.
    closed = desk.records.save(await _agent(desk), "Task", {"matter_ids": [matter]}, record_id=task)
    with pytest.raises(TemplateNeedsApproval):
        await closed
    await desk.save("Task", task, scheduled=True)
    assert (await _template(desk, task))["name"] == "Mine"


async def test_an_agent_opens_nothing_by_way_of_its_task(desk: Desk) -> None:
    matter = await desk.new("Entity", name="Marex", kind="matter")
    task = await desk.new("Task", name="Review", reusable=True, matter_ids=[matter])
    await desk.proposed(task, (await _template(desk, task))["id"], by="prin_agent")
    values: dict[str, Any] = {"matter_ids": [], "data_class": "privileged"}
    with pytest.raises(OpeningNotAllowed):
        await desk.records.save(await _agent(desk), "Task", values, record_id=task)
    found = await _template(desk, task)
    assert (found["matters"], found["data_class"]) == ([matter], "internal")
    assert await examine(desk.database) == []


async def test_a_blueprint_that_is_taken_from_a_task_is_taken_from_its_template(desk: Desk) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    await desk.graph(task, chain("a", "b"))
    blueprint = (await _blueprint(desk, task))["id"]
    await _unlink(desk, task, (await _blueprint(desk, await desk.new("Task", name="Other")))["id"])
    assert (await _template(desk, task))["blueprints"] == [blueprint]
    await _unlink(desk, task, blueprint)
    found = await _template(desk, task)
    assert (found["blueprints"], found["blueprint_hash"], found["follows"]) == ([], None, task)
    assert (await desk.stored(blueprint))["modules_count"] == 0
    assert await examine(desk.database) == []


async def test_a_blueprint_that_is_taken_from_a_template_does_not_come_back(desk: Desk) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    blueprint = (await _blueprint(desk, task))["id"]
    await _unlink(desk, (await _template(desk, task))["id"], blueprint)
    await desk.save("Task", task, name="Other")
    found = await _template(desk, task)
    assert (found["blueprints"], found["blueprint_hash"], found["follows"]) == ([], None, None)
    assert await examine(desk.database) == []


@pytest.mark.parametrize("owner", ["Task", "Template"])
async def test_a_blueprint_that_is_linked_takes_the_place_of_the_present_one(desk: Desk, owner: str) -> None:
    task = await desk.new("Task", name="Review", reusable=True)
    matter = await desk.new("Entity", name="Marex", kind="matter")
    await desk.graph(task, chain("a", "b"))
    first = await _blueprint(desk, task)
    other = await desk.new("Task", name="Other", matter_ids=[matter])
    second = await _blueprint(desk, other, domain="law")
    template = (await _template(desk, task))["id"]
    one = task if owner == "Task" else template
    await desk.link(one, "HAS_BLUEPRINT", second["id"])
    found = await _template(desk, task)
    assert (found["blueprints"], found["blueprint_hash"]) == ([second["id"]], second["blueprint_hash"])
    assert (found["follows"], found["chains"]) == (task if owner == "Task" else None, 1)
    held = await desk.rows("MATCH (:Task {id: $id})-[:HAS_BLUEPRINT]->(b) RETURN b.id AS id", id=task)
    assert [row["id"] for row in held] == [(second if owner == "Task" else first)["id"]]
    counted = [(await desk.stored(blueprint["id"]))["modules_count"] for blueprint in (first, second)]
    assert counted == ([0, 2] if owner == "Task" else [2, 2])
    assert await examine(desk.database) == []
