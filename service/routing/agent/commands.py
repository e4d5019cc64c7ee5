"""Receipts of models that stood in. What is proposed after one is marked: it has to be validated once more."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.fields import NAME_LENGTH
from graph_schema.routing.relations import PROPOSALS
from graph_schema.routing.words import FallbackReason
from service import clock
from service.access.agents import WAITING, is_agent
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid
from service.library.commands import content_of
from service.routing.agent import cypher
from service.views import OrNull

USED = "task.agent.fallback_model_used"
MARKED_FOR = timedelta(hours=1)
"""For so long after a receipt what the same agent proposes is taken to be made with the model that stood in."""

MOST_PROPOSALS = 50
HARMLESS = frozenset({
    Entrypoint.consult_task_opportunity, Entrypoint.inspect_task_run, Entrypoint.retrieve_task_output,
    Entrypoint.explain_task_graph, Entrypoint.assess_task, Entrypoint.assess_task_portfolio,
    Entrypoint.answer_task_system_question, Entrypoint.review_prompt_quality,
})  # fmt: skip
"""Entrypoints at which nothing is proposed. Of all others, and of one that is not told, the output is validated."""


class RiskyChange(StrEnum):
    """What has to be validated once more when another model made it."""

    high_risk_graph_change = "high_risk_graph_change"
    prompt_promotion = "prompt_promotion"
    side_effecting_task_creation = "side_effecting_task_creation"
    template_or_preset_mutation = "template_or_preset_mutation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFallbackInput:
    """That the Task Agent ran on another model than the one that was meant."""

    task_agent_request_id: Annotated[str, "The request that it happened in."]
    primary_model_ref: Annotated[str, "The model that was meant."]
    fallback_model_ref: Annotated[str, "The model that was used."]
    fallback_reason: Annotated[FallbackReason, "Why."]
    task_agent_entrypoint: Annotated[Entrypoint | None, "What the Task Agent was asked to do."] = None
    changes: Annotated[OrNull[tuple[RiskyChange, ...]], "What it is about to change, where that is known."] = ()
    proposals: Annotated[
        OrNull[tuple[RecordRef, ...]], "What it has proposed in this request already; it is marked."
    ] = ()

    @property
    def needs_validation(self) -> bool:
        return bool(self.changes or self.proposals) or self.task_agent_entrypoint not in HARMLESS


class ModelFallbacks:
    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    async def record(self, viewer: Viewer, given: ModelFallbackInput, *, command_id: str | None = None) -> Outcome:
        _check(given)
        request = Request(
            "recordModelFallback",
            KeyScope.curate,
            content_of(given),
            changes=given.proposals,
            command_id=command_id,
        )

        async def plan(work: Work) -> dict[str, Any]:
            proposals = [_proposal(work, ref) for ref in given.proposals]
            values = {
                "name": f"{given.fallback_reason.value}: {given.fallback_model_ref}"[:NAME_LENGTH],
                "task_agent_request_id": given.task_agent_request_id,
                "primary_model_ref": given.primary_model_ref,
                "fallback_model_ref": given.fallback_model_ref,
                "fallback_reason": given.fallback_reason.value,
                "output_requires_extra_validation": given.needs_validation,
                "recorded_by": work.viewer.principal_id,
            }
            if given.task_agent_entrypoint:
                values["task_agent_entrypoint"] = given.task_agent_entrypoint.value
            receipt = work.create(work.registry.types["FallbackReceipt"], values)
            for one in proposals:
                work.link(one, "MADE_AFTER_FALLBACK", receipt)
            work.event(USED, receipt)
            return {"id": receipt.id, "version": receipt.version}

        return await self._commands.execute(viewer, request, plan)


async def mark(work: Work, before: State | None, after: State) -> None:
    """Mark what an agent proposes while a model stands in for the one that was meant."""
    del before
    waits = after.properties["lifecycle_state"] in WAITING
    if not (is_agent(work.viewer) and waits and after.type.label in PROPOSALS):
        return
    rows = await work.transaction.run(cypher.RECEIPTS, principal=work.viewer.principal_id, since=clock.ago(MARKED_FOR))
    for row in rows:
        receipt = State(work.registry.types["FallbackReceipt"], tuple(row["labels"]), row["properties"])
        work.link(after, "MADE_AFTER_FALLBACK", receipt)


def _proposal(work: Work, ref: RecordRef) -> State:
    return work.existing(ref, "proposals", PROPOSALS)


def _check(given: ModelFallbackInput) -> None:
    if given.primary_model_ref == given.fallback_model_ref:
        raise InputInvalid("fallback_model_ref", "is the model that was meant; nothing stood in for it")
    if len(given.proposals) > MOST_PROPOSALS:
        raise InputInvalid("proposals", f"name at most {MOST_PROPOSALS}")
    for ref in given.proposals:
        ref.check("proposals", *PROPOSALS)
