"""Evaluating tools, and deciding on what is recommended."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_records
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import CommandPayload, RecordPayload, command_facts, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.tools.recommendations import Evaluations
from service.tools.recommendations.commands import ToolAdvice

ADVICE: Any = list[view_type(ToolAdvice)]
KEPT: Any = list[optional(record_type("Recommendation"))]

if TYPE_CHECKING:
    RecommendationPayload = RecordPayload
else:
    RecommendationPayload = payload_of(
        "Recommendation", "DecideRecommendationPayload", "The recommendation that was decided on."
    )


@strawberry.type(description="What is recommended about tools. No tool was changed.")
class EvaluateToolsPayload(CommandPayload):
    found: list[ToolAdvice] = strawberry.field(
        graphql_type=ADVICE, default=(), description="What is recommended now, by today's rules."
    )
    expired: int = strawberry.field(default=0, description="Recommendations that lapsed, as nobody decided in time.")
    kept_ids: strawberry.Private[tuple[str, ...]] = ()

    @strawberry.field(graphql_type=KEPT, description="The open recommendations that say so; none after a dry run.")
    async def recommendations(self, info: RecordInfo) -> Any:
        return await load_records(info, [*self.kept_ids])


@strawberry.type
class RecommendationMutation:
    @strawberry.mutation(
        description="Look at the recent calls of tools, and recommend what to do about those that stand badly: tighten "
        "acceptance, split the boundary, deprecate a method. It changes no tool. Needs curate."
    )
    async def evaluate_tools(
        self,
        info: RecordInfo,
        tool: Annotated[RecordRefInput | None, strawberry.argument(description="One tool; all, when left out.")] = None,
        dry_run: Annotated[bool, strawberry.argument(description="Whether to keep nothing.")] = False,
        command_id: CommandId = None,
    ) -> EvaluateToolsPayload:
        viewer, service = viewer_of(info), service_of(info, Evaluations)
        tool_id = await id_of(info, tool.ref(), "tool", "Tool") if tool else None
        if dry_run:
            found = await service.preview(viewer, tool_id)
            return EvaluateToolsPayload(command_id=None, replayed=False, found=found)
        outcome, found = await service.evaluate(viewer, tool_id, command_id=command_id)
        facts = command_facts(await settle(info, outcome))
        kept = tuple(outcome.result.get("ids", ()))
        return EvaluateToolsPayload(**facts, found=found, expired=outcome.result.get("expired", 0), kept_ids=kept)

    @strawberry.mutation(
        description="Accept or reject a recommendation about a tool. What is accepted is told in knownTools. A person "
        "does it. Needs curate."
    )
    async def decide_recommendation(
        self,
        info: RecordInfo,
        recommendation: Annotated[RecordRefInput, strawberry.argument(description="The recommendation.")],
        accept: Annotated[bool, strawberry.argument(description="Whether it is accepted.")],
        note: Annotated[str | None, strawberry.argument(description="Why.")] = None,
        command_id: CommandId = None,
    ) -> RecommendationPayload:
        outcome = await service_of(info, Evaluations).decide(
            viewer_of(info), recommendation.ref(), accept=accept, note=note, command_id=command_id
        )
        return record_payload(await settle(info, outcome), RecommendationPayload)
