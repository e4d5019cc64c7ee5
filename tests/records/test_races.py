"""What one command looks at, another may change meanwhile."""

from typing import Any

from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope
from service.commands import Commands, RecordRef, Request, Work
from tests.records.conftest import Desk
from tests.viewers import viewer_of


async def _made_from(desk: Desk, source: str, meanwhile: Any) -> str:
    """A record that takes over the access of `source`, while somebody does something `meanwhile`."""
    ref, tries = RecordRef(id=source), iter([meanwhile])

    async def plan(work: Work) -> dict[str, Any]:
        found = work.need(ref, "source")
        for other in tries:
            await other()
        return {"id": work.create(REGISTRY.types["Memory"], {"name": "N", "statement": "S"}, [found]).id}

    request = Request("testRace", KeyScope.curate, {}, reads=[ref])
    commands = Commands(desk.database, REGISTRY, lambda _new: None)
    return (await commands.execute(await viewer_of(desk.database), request, plan)).result["id"]


async def test_what_is_made_from_a_record_takes_over_the_access_that_it_has_at_the_end(desk: Desk) -> None:
    await desk.new("Entity", name="Other", kind="project", data_class="privileged")  # whose readers are known
    source = await desk.new("Entity", name="Plan", kind="project")

    async def closed() -> None:
        await desk.save("Entity", {"data_class": "privileged"}, record_id=source)

    made = await _made_from(desk, source, closed)
    assert (await desk.stored(made))["data_class"] == "privileged"
    assert await desk.count("Memory") == 1


async def test_what_only_looks_does_not_wait_for_others_that_look(desk: Desk) -> None:
    source = await desk.new("Entity", name="Plan", kind="project")
    # A record that somebody changed once has the lock's mark among the graph's property names.
    await desk.save("Entity", {"summary": "Known."}, record_id=source)

    async def another() -> None:
        await _made_from(desk, source, _nothing)

    await _made_from(desk, source, another)
    assert await desk.count("Memory") == 2


async def _nothing() -> None:
    return None
