"""The commands of the library. Each is one transaction, once, with an event."""

from dataclasses import asdict
from typing import Any

from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.library.errors import OwnerUnsaved
from service.library.graphs import GraphInput, canonical
from service.library.snapshots import plan_graph


class Library:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def save_graph(
        self, viewer: Viewer, of: RecordRef, graph: GraphInput, *, command_id: str | None = None
    ) -> Outcome:
        """Make this the graph of a task or template. The one before stays reachable; the same again is the same."""
        of.check("of")
        whole = canonical(graph)

        async def plan(work: Work) -> dict[str, Any]:
            owner = work.find(of, "of", ["Task", "Template"])
            if owner is None:
                raise RecordMissing(of, "of")
            if owner.properties.get("stub"):
                raise OwnerUnsaved(of)
            saved = await plan_graph(work, owner, whole)
            return {
                "id": saved.snapshot.id,
                "version": saved.snapshot.version,
                "owner": owner.id,
                "graph_hash": saved.snapshot.properties["graph_hash"],
                "changed": saved.changed,
            }

        content = {"of": str(of), "graph": asdict(whole)}
        request = Request("saveGraph", KeyScope.curate, content, changes=[of], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)
