"""An ephemeral run has its task while it runs; only what is kept of it differs."""

from typing import Any

import pytest

from service.commands import RecordRef
from service.context.expansion import MountedCapabilities
from service.context.scope import RunScopeInput, Scopes
from tests.context.packets.world import Bench, asking, given, why
from tests.memory.stories import Story

pytestmark = pytest.mark.slow
EVER: dict[str, Any] = {"valid_from": "2020-01-01T00:00:00.000Z"}
MODE = "full_ephemeral_test"


async def _task(bench: Bench) -> dict[str, str]:
    """A task whose template has a blueprint, one tool that is denied and one that is required."""
    named = {"source": "exec", "source_key": "evaluate"}
    task = await bench.add("Task", "Evaluate complaint", **named)
    template = await bench.add("Template", "Complaint evaluation", task_type="complaint_evaluation", source_key="tpl",
                               source="exec", description="Evaluates.")  # fmt: skip
    mail, pages = [await bench.add("Capability", one, capability_kind="tool") for one in ("Mail", "Pages")]
    matter = await bench.add("Entity", "Exhibits", kind="document")
    await bench.link(task, "INSTANTIATES", template)
    await bench.link(template, "REQUIRES", pages)
    await bench.link(task, "SCOPED_TO", matter)
    policy = await bench.add("Policy", "No mail", policy_kind="capability", task_key="evaluate", **EVER)
    await bench.link(policy, "DENIES", mail)
    everywhere = await bench.add("Policy", "Mail", policy_kind="capability", **EVER)
    await bench.link(everywhere, "ALLOWS", mail)
    return {"mail": mail, "pages": pages}


async def _opened(bench: Bench, key: str, mode: str) -> str:
    run = await bench.run(key, memory_mode=mode)
    scopes = Scopes(bench.commands, bench.database)
    await scopes.open(await bench.viewer(), RunScopeInput(RecordRef(id=run)))
    return run


async def test_an_ephemeral_run_is_given_what_any_run_of_its_task_is(bench: Bench) -> None:
    tools = await _task(bench)
    plain, fleeting = await _opened(bench, "run-1", "standard"), await _opened(bench, "run-2", MODE)
    wanted = await bench.preview(asking(plain))
    found = await bench.preview(asking(fleeting))
    assert (given(found), why(found)) == (given(wanted), why(wanted))
    assert {"Pages", "Exhibits"} <= {*given(found)}
    assert why(found)["Mail"] == "module_config_denied"
    packet = await bench.assemble(asking(fleeting))
    assert given(packet) == given(found)
    # Before a module of it is known to the task nothing can be asked of its capabilities; what is denied is told.
    await bench.database.run_alone(
        "MATCH (t:Task {source_key: 'evaluate'}) CREATE (t)-[:HAS_GRAPH]->(:GraphSnapshot)-[:HAS_MODULE]->"
        "(:Module {module_key: 'draft', audience: t.audience, module_type: 'step.agent_task'})"
    )
    has = await MountedCapabilities(bench.database).of(await bench.viewer(), RecordRef(id=fleeting), "draft", 1)
    assert ([one.name for one in has.mounted], has.denied) == (["Pages"], (tools["mail"],))


async def test_of_an_ephemeral_run_that_ended_nothing_tells_its_task(bench: Bench) -> None:
    await _task(bench)
    run = await _opened(bench, "run-1", MODE)
    held: dict[str, Any] = {"memory_mode": MODE, "data_class": "internal", "matter_ids": []}
    story = Story({"source": "exec", "key": "run-1"}, held)
    story.tell("run_started", task_key="evaluate").tell("run_completed")
    assert await _keys(bench, run) == {"working_task_key": "evaluate"}
    await bench.report([{**story.events[1], "event_id": "end"}])
    assert await _keys(bench, run) == {}
    # Told again afterwards, it is forgotten at once.
    await bench.report([{**story.events[0], "event_id": "late"}])
    assert await _keys(bench, run) == {}
    row = await bench.database.read_one(
        "RETURN COUNT { (:Version) } AS versions, COUNT { (:Run)-[:RUN_OF]->() } AS ties"
    )
    assert row == {"versions": 0, "ties": 0}


async def _keys(bench: Bench, run: str) -> dict[str, str]:
    row = await bench.database.read_one("MATCH (r:Run {id: $id}) RETURN properties(r) AS told", id=run)
    assert row
    return {name: value for name, value in row["told"].items() if value == "evaluate"}
