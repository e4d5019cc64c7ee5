"""How two graphs differ, saved or not. A query; the same rules tell what was edited of a proposal."""

from dataclasses import dataclass
from typing import Annotated

from service.access.viewer import Viewer
from service.graph.database import Database
from service.knowledge.errors import PreflightSubject
from service.knowledge.preflight.load import PreflightFacts, Subject
from service.learning.edits.diff import Design, ProposalEdit, edits
from service.library.graphs import CableInput, GraphInput, ModuleInput


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDifference:
    """How one graph differs from another."""

    same: Annotated[bool, "Whether they are the same, whatever order they are written in."]
    old_hash: Annotated[str, "Hash of the old one."]
    new_hash: Annotated[str, "Hash of the new one."]
    edits: Annotated[tuple[ProposalEdit, ...], "What was changed, one by one."]


class GraphDifferences:
    def __init__(self, database: Database) -> None:
        self._facts = PreflightFacts(database)

    async def between(self, viewer: Viewer, old: Subject, new: Subject) -> GraphDifference:
        before, was = await self._graph(viewer, old, "old")
        after, is_ = await self._graph(viewer, new, "new")
        return GraphDifference(same=was == is_, old_hash=was, new_hash=is_, edits=edits(Design(before), Design(after)))

    async def _graph(self, viewer: Viewer, one: Subject, which: str) -> tuple[GraphInput, str]:
        if one.of is None and one.graph is None:
            raise PreflightSubject(f"the {which} graph was not given")
        told = (await self._facts.shape(viewer, one))["graph"]
        modules = [ModuleInput(**each) for each in told["modules"]]
        cables = [CableInput(**each) for each in told["cables"]]
        return GraphInput(modules, cables, told["settings"], told["extra"]), told["graph_hash"]
