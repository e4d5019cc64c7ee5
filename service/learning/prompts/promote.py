"""A winner takes the place of its prompt by a proposal, with its test, its data and a way back; never by itself."""

from typing import Any

from graph_schema.knowledge.prompt_words import EvaluationState, PromptPromotionState, PromptTestedState
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.learning.words import SignalOrigin
from service.access.viewer import Viewer
from service.commands import Outcome, RecordRef, State, Work
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.knowledge.prompts.holding import keeps_text
from service.learning.prompts import cypher
from service.learning.prompts.errors import NotToBePromoted
from service.learning.prompts.inputs import PromptPromotionInput
from service.learning.proposals.commands import Proposals
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from service.learning.signals.emit import emit


class PromptPromotions:
    def __init__(self, database: Database, proposals: Proposals) -> None:
        self._database = database
        self._proposals = proposals

    async def propose(
        self, viewer: Viewer, evaluation: str, given: PromptPromotionInput, *, command_id: str | None = None
    ) -> Outcome:
        row = await self._database.read_one(cypher.TRIED, id=evaluation, audiences=viewer.audiences)
        if row is None or row["prompt"] is None:
            raise RecordMissing(given.evaluation, "evaluation")
        test, winner = row["evaluation"], _winner(row)
        proposal = ProposalInput(
            proposal_kind=ProposalKind.prompt_update_proposal,
            target=RecordRef(id=row["prompt"]["id"]),
            steps=tuple(_steps(row["prompt"], winner)),
            rationale=given.rationale,
            expected_effect=test["because"],
            supported_by=(RecordRef(id=test["id"]), RecordRef(id=winner["id"])),
            validation_dataset=RecordRef(id=test["eval_dataset_id"]) if test.get("eval_dataset_id") else None,
            requires_eval=True,
            eval_suite_ref=test["eval_dataset_ref"],
            eval_result_ref=test["id"],
        )
        return await self._proposals.propose(viewer, proposal, command_id=command_id)


def _winner(row: dict[str, Any]) -> dict[str, Any]:
    test = row["evaluation"]
    if test["evaluation_state"] != EvaluationState.completed:
        raise NotToBePromoted("its test has no results yet")
    if not test.get("eval_dataset_ref"):
        raise NotToBePromoted("its test names no data that it was tried on")
    won = [one for one in row["candidates"] if one["id"] == test.get("winner_id")]
    if not won:
        raise NotToBePromoted("no candidate won its test")
    return won[0]


def _steps(prompt: dict[str, Any], winner: dict[str, Any]) -> list[ProposalStep]:
    told = {
        "prompt_text_hash": winner["prompt_hash"],
        "prompt_text_ref": winner.get("prompt_text_ref"),
        "tested_status": PromptTestedState.promoted.value,
        "promotion_state": PromptPromotionState.promoted.value,
    }
    if keeps_text(prompt["capture_prompts"]):
        told["text"] = winner.get("text")
    return [ProposalStep(operation=Operation.set_value, field=name, value=value) for name, value in told.items()]


async def follow_prompt(work: Work, before: State | None, after: State) -> None:
    """Where a prompt is replaced, or brought back, its candidates say so; and it is a sign to learn from."""
    if after.type.label != "Prompt" or before is None:
        return
    was, now = before.properties["prompt_text_hash"], after.properties["prompt_text_hash"]
    if was == now:
        return
    rows = await work.transaction.run(cypher.BY_HASH, id=after.id, hashes=[was, now], audiences=work.viewer.audiences)
    kind = work.registry.types["PromptCandidate"]
    promoted = after.properties["promotion_state"] == PromptPromotionState.promoted
    for row in rows:
        candidate = State(kind, (kind.label, "Record"), row["candidate"])
        if row["candidate"]["prompt_hash"] == now and promoted:
            work.update(candidate, _PROMOTED)
        elif row["candidate"]["promotion_state"] == PromptPromotionState.promoted:
            work.update(candidate, {"promotion_state": PromptPromotionState.rolled_back.value})
    said = ("prompt_promoted", "The prompt was replaced by one that won a test.") if promoted else (
        "prompt_rolled_back", "The prompt was brought back to what it was.")  # fmt: skip
    emit(work, SignalOrigin.prompt_help, [after], {"result": said[0], "summary": said[1]})


_PROMOTED = {
    "promotion_state": PromptPromotionState.promoted.value,
    "tested_status": PromptTestedState.promoted.value,
}
