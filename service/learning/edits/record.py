"""Recording what was edited since: the comparison can be asked for as often as the task changes."""

from typing import Any

from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.learning.design.load import facts_of
from service.learning.edits.commands import trace_edits
from service.learning.edits.diff import kinds_of


class ProposalEdits:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def record(
        self,
        viewer: Viewer,
        session: RecordRef,
        saved: RecordRef,
        evidence_ref: str | None = None,
        *,
        command_id: str | None = None,
    ) -> Outcome:
        """Compare what the session proposed with what the task or template has now. The same is kept once."""
        session.check("session", "DesignSession")
        saved.check("saved", "Task", "Template")

        async def plan(work: Work) -> dict[str, Any]:
            found = work.find(session, "session", ["DesignSession"])
            owner = work.find(saved, "saved", ["Task", "Template"])
            facts = await facts_of(work.transaction.run, viewer, found.id) if found else None
            if found is None or facts is None:
                raise RecordMissing(session, "session")
            if owner is None:
                raise RecordMissing(saved, "saved")
            traced = await trace_edits(work, found, facts, owner, evidence_ref)
            kinds = [one.value for one in kinds_of(traced.edits)]
            return {"id": traced.trace_id, "version": 1, "edit_kinds": kinds, "known": traced.known}

        content = {"session": str(session), "saved": str(saved), "evidence_ref": evidence_ref}
        request = Request(
            "recordProposalEdit", KeyScope.curate, content, reads=[saved], changes=[session], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)
