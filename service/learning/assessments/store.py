"""One command for all assessments: what was found is kept, unless the newest assessment of the same found the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.learning.assessment_words import AssessmentKind
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, Request, Work
from service.learning.assessments import cypher
from service.learning.assessments.examine import Examined
from service.learning.assessments.keep import Whole, keep, reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which assessment was asked for, and how."""

    command: str
    kind: AssessmentKind
    rules: str
    content: Mapping[str, Any]
    proposing: bool = True
    command_id: str | None = None


async def store(commands: Commands, viewer: Viewer, asked: Asked, examined: Examined, whole: Whole) -> Outcome:
    async def plan(work: Work) -> dict[str, Any]:
        known = await work.transaction.one(
            cypher.KNOWN,
            of=whole.of[0],
            kind=asked.kind.value,
            hash=examined.hash,
            rules=asked.rules,
            audiences=viewer.audiences,
        )
        if known is not None:
            return {"id": known["id"], "version": known["version"], "known": True}
        given = {"assessment_kind": asked.kind.value, "rules": asked.rules}
        made, refused = await keep(work, examined, whole.with_values(given), proposing=asked.proposing)
        return {"id": made.id, "version": made.version, "known": False, "refused": refused}

    request = Request(
        asked.command,
        KeyScope.curate,
        {**asked.content, "proposing": asked.proposing},
        reads=reads(examined, whole),
        command_id=asked.command_id,
    )
    return await commands.execute(viewer, request, plan)
