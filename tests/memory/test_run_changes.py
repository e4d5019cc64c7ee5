"""Following a run: what commands do to its parts is told, beside what executors report."""

from contextlib import aclosing

import pytest

from graph_schema.memory.words import IntakeLevel
from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.events import Events, Head
from service.memory.run_changes import RunChanges
from tests.memory.conftest import Executor
from tests.memory.desk import desk_of, made
from tests.viewers import viewer_of


@pytest.mark.slow
async def test_a_follower_of_a_run_sees_promotions_of_its_artifacts(executor: Executor) -> None:
    database = executor.database
    artifact = await made(executor, "a", name="Brief")
    await made(executor, "b", mode="reference_only")
    head = Head(database, lambda: None)

    async def now() -> Viewer:
        return await viewer_of(database)

    following = RunChanges(database, REGISTRY, Events(database, head))
    async with aclosing(following.changes(now, artifact["run_id"])) as changes:
        assert (await anext(changes)).event is None
        desk = desk_of(database)
        other = await executor.one("Artifact", source_key="b")
        for one in (other, artifact):
            await desk.promote(one["id"], IntakeLevel.doc25_work_product_ingestion)
        await head.advance()
        told = [await anext(changes), await anext(changes)]
    assert {one.event.kind for one in told if one.event} == {
        "task.artifact.index.updated",
        "task.artifact.promotion.requested",
    }
    for change in told:
        [part] = change.parts
        assert (part.id, part.kind, part.status, change.run_id) == (
            artifact["id"],
            "Artifact",
            "promoted",
            artifact["run_id"],
        )
