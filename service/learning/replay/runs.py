"""What cannot be executed here is told as consequences: the runs that took the path that is changed."""

from graph_schema.learning.proposal_words import CaseKind
from graph_schema.memory.words import RunStatus
from service.access.audience import Access
from service.access.viewer import Viewer
from service.graph.database import Database
from service.learning.proposals.steps import differing
from service.learning.replay import cypher
from service.learning.replay.cases import Case, Lane
from service.learning.replay.change import Target

EXECUTED = frozenset({"config", "connector_requirements", "side_effect_classes", "executable_preset_ref",
    "executable_template_ref", "module_type", "scheduled", "trigger_enabled", "graph", "parts"})  # fmt: skip
"""Fields that bear on what a run does."""
BOUND = frozenset({"REQUIRES", "ALLOWS", "DENIES"})
_RIGHT = {RunStatus.completed.value: True, RunStatus.failed.value: False}


class RunReplays:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def cases(self, viewer: Viewer, target: Target, most: int) -> list[Case]:
        touched = _touched(target)
        if not touched:
            return []
        rows = await self._database.read(cypher.RUNS, id=target.id, most=most, audiences=viewer.audiences)
        said = f"It took the path that is changed ({', '.join(touched)}). What it would have done is not executed here."
        return [
            Case(
                kind=CaseKind.run,
                id=row["id"],
                name=row["name"],
                at=row["at"],
                access=Access.of(row),
                recorded=Lane(("as it was",), f"It {row['status']}.", _RIGHT.get(row["status"])),
                today=Lane(("as it was",), "The same path."),
                candidate=Lane(("another path",), f"Another path: {', '.join(touched)}."),
                why=said,
                judged_by=f"The run {row['status']}.",
            )
            for row in rows
        ]


def _touched(target: Target) -> list[str]:
    contents = target.contents(target.version)
    if contents is None:
        return []
    links = {kind for kind, _ in contents[0].links ^ contents[1].links}
    return sorted({*differing(*contents)} & EXECUTED | links & BOUND)
