"""A recommended change as a proposal, when somebody wants it: with its finding as evidence, and the patch as it was."""

from typing import Any

from graph_schema.learning.proposal_words import ProposalKind
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.assessments import cypher
from service.learning.assessments.actions import steps_in
from service.learning.errors import ActionUnreadable
from service.learning.proposals.inputs import ProposalInput
from service.learning.proposals.propose import origin_of, propose, refs_of


class ProposedActions:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._database = database

    async def propose(
        self, viewer: Viewer, action_id: str, rationale: str | None = None, *, command_id: str | None = None
    ) -> Outcome:
        """Nothing of it holds until it is applied. What waits already is refused by its id."""
        row = await self._database.read_one(cypher.ACTION, id=action_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=action_id), "action")
        action, finding = RecordRef(id=action_id), RecordRef(id=row["finding"]["id"])
        try:
            given = _given(row, rationale, finding)
        except (ValueError, KeyError, TypeError):
            raise ActionUnreadable(action_id) from None

        async def plan(work: Work) -> dict[str, Any]:
            kept = work.existing(action, "action", ["AssessmentAction"])
            made = await propose(work, given, origin_of(work))
            work.link(kept, "PROPOSED_AS", made)
            work.link(work.existing(finding, "action"), "SUGGESTS", made)
            return {"id": made.id, "version": made.version}

        content = {"action": action_id, "rationale": rationale}
        reads = [action, *refs_of(given)]
        request = Request("proposeAction", KeyScope.curate, content, reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, request, plan)


def _given(row: dict[str, Any], rationale: str | None, finding: RecordRef) -> ProposalInput:
    action = row["action"]
    return ProposalInput(
        proposal_kind=ProposalKind(action["proposal_kind"]),
        target=RecordRef(id=action["target_id"]),
        steps=steps_in(action["patch"]),
        rationale=rationale or row["finding"]["statement"],
        expected_effect=action.get("expected_effect"),
        supported_by=(finding,),
    )
