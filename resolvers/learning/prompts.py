"""Tests of prompts, what is learned from edits and feedback, and promotion by a proposal."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import input_type
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import CommandPayload, RecordPayload, command_facts, record_payload
from resolvers.records.commands import CommandId
from service.learning.prompts.evaluations import PromptEvaluations
from service.learning.prompts.inputs import (
    PromptEditInput,
    PromptEvaluationInput,
    PromptFeedbackInput,
    PromptPromotionInput,
    PromptResultsInput,
)
from service.learning.prompts.promote import PromptPromotions
from service.learning.prompts.telling import PromptTelling

Test = Annotated[
    PromptEvaluationInput, strawberry.argument(description="The test.", graphql_type=input_type(PromptEvaluationInput))
]
Results = Annotated[
    PromptResultsInput, strawberry.argument(description="The results.", graphql_type=input_type(PromptResultsInput))
]
Edit = Annotated[
    PromptEditInput, strawberry.argument(description="Before and after.", graphql_type=input_type(PromptEditInput))
]
Feedback = Annotated[
    PromptFeedbackInput,
    strawberry.argument(description="What became of it.", graphql_type=input_type(PromptFeedbackInput)),
]
Promotion = Annotated[
    PromptPromotionInput, strawberry.argument(description="The winner.", graphql_type=input_type(PromptPromotionInput))
]


@strawberry.type(description="What was learned of a prompt.")
class PromptSignalsPayload(CommandPayload):
    signal_ids: list[strawberry.ID] = strawberry.field(description="The signals that keep it.")
    edit_kinds: list[str] = strawberry.field(description="What was changed, each kind once.")


@strawberry.type
class PromptLearningMutation:
    @strawberry.mutation(
        description="Begin a test of candidates, which is carried out elsewhere. Nothing changes by it. Needs curate."
    )
    async def start_prompt_evaluation(
        self,
        info: RecordInfo,
        input: Test,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, PromptEvaluations).start(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Tell what came out of a test: a result for each variant. It says what it recommends, and changes "
        "no prompt. Needs curate."
    )
    async def complete_prompt_evaluation(
        self,
        info: RecordInfo,
        input: Results,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, PromptEvaluations).complete(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Propose that the winner of a test takes the place of its prompt. Nothing of it holds until it is "
        "applied. Needs curate."
    )
    async def propose_prompt(
        self,
        info: RecordInfo,
        input: Promotion,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> RecordPayload:
        test = await id_of(info, input.evaluation, "evaluation", "PromptEvaluation")
        outcome = await service_of(info, PromptPromotions).propose(viewer_of(info), test, input, command_id=command_id)
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Tell how somebody changed a prompt. The texts are compared and not kept; each kind of change is a "
        "signal. Needs report."
    )
    async def record_prompt_edit(
        self,
        info: RecordInfo,
        input: Edit,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> PromptSignalsPayload:
        outcome = await service_of(info, PromptTelling).edited(viewer_of(info), input, command_id=command_id)
        settled = await settle(info, outcome)
        return PromptSignalsPayload(**command_facts(settled), **_told(outcome.result))

    @strawberry.mutation(
        description="Tell what became of help with a prompt, or of a prompt. It is a signal and changes nothing. Needs "
        "report."
    )
    async def record_prompt_feedback(
        self,
        info: RecordInfo,
        input: Feedback,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> PromptSignalsPayload:
        outcome = await service_of(info, PromptTelling).feedback(viewer_of(info), input, command_id=command_id)
        settled = await settle(info, outcome)
        return PromptSignalsPayload(**command_facts(settled), **_told(outcome.result))


def _told(result: dict[str, list[str]]) -> dict[str, Any]:
    return {"signal_ids": result["signals"], "edit_kinds": result["edit_kinds"]}
