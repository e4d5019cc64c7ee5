"""Deciding about several proposals in one call. Each is a command of its own: one that is refused holds up none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from service.access.viewer import Viewer
from service.commands.agents import check_command
from service.commands.errors import InputInvalid
from service.errors import TaskloreError
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ReviewInput
from service.memory.reporting.answers import ItemAnswer, ReportCounts, ReportOutcome, refused_item
from service.views import Id, Linked

MOST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAnswer(ItemAnswer):
    """What became of one decision. A duplicate was carried out before, by the same call."""

    proposal_id: Annotated[Id, "The proposal."]
    proposal: ClassVar = Linked("proposal_id", "The proposal as it is now.", "Proposal")


@dataclass(frozen=True, slots=True)
class ReviewReport(ReportCounts):
    """The answers to decisions about proposals, in their order."""

    answers: Annotated[tuple[ReviewAnswer, ...], "An answer for each decision."]


class Decisions:
    def __init__(self, proposals: Proposals) -> None:
        self._proposals = proposals

    async def decide(self, viewer: Viewer, given: Sequence[ReviewInput], command_id: str | None = None) -> ReviewReport:
        check_command(viewer, "reviewProposal")
        if not 1 <= len(given) <= MOST:
            raise InputInvalid("inputs", f"decide about 1 to {MOST} at once")
        named = [f"{command_id}/{index}" if command_id else None for index in range(len(given))]
        answers = [await self._one(viewer, index, one, named[index]) for index, one in enumerate(given)]
        return ReviewReport(tuple(answers))

    async def _one(self, viewer: Viewer, index: int, given: ReviewInput, command_id: str | None) -> ReviewAnswer:
        try:
            outcome = await self._proposals.review(viewer, given, command_id=command_id)
        except TaskloreError as error:
            return ReviewAnswer(proposal_id=given.proposal_id, **refused_item(index, error))
        told = ReportOutcome.duplicate if outcome.replayed else ReportOutcome.accepted
        return ReviewAnswer(proposal_id=given.proposal_id, index=index, outcome=told)
