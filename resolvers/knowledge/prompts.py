"""Improve Prompt: what a prompt lacks."""

from typing import Annotated, Any

import strawberry

from graph_schema.knowledge.prompt_relations import LIVES_IN
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.commands import RecordRef
from service.knowledge.prompts.check import PromptCheck
from service.knowledge.prompts.inputs import PromptCandidatesInput, PromptInput
from service.knowledge.prompts.keep import KeptPrompts
from service.knowledge.prompts.load import PromptRequest
from service.knowledge.prompts.methods import METHODS, PromptMethod
from service.knowledge.prompts.read import PromptChecks

PLACES = ("Task", "Template", "Blueprint", "GraphSnapshot", "Module", "Preset", "Prompt", "Run")
LivesIn = Annotated[
    RecordRefInput | None,
    strawberry.argument(
        description="What it belongs to: a module, a preset, something that has a graph; or a kept prompt."
    ),
]
Asked = Annotated[
    PromptRequest,
    strawberry.argument(description="The prompt, and where it lives.", graphql_type=input_type(PromptRequest)),
]


@strawberry.type
class PromptQuery:
    @strawberry.field(
        graphql_type=view_type(PromptCheck),
        description="Is this a good prompt? Its gaps with the words that show them, and a rewrite that keeps it all. "
        "Stores nothing.",
    )
    async def prompt_check(self, info: RecordInfo, prompt: Asked, of: LivesIn = None) -> Any:
        place = await id_of(info, of.ref(), "of", *PLACES) if of else None
        return shaped(info, await service_of(info, PromptChecks).check(viewer_of(info), place, prompt))

    @strawberry.field(
        graphql_type=list[view_type(PromptMethod)],
        description="How candidates for a prompt are made, what each way needs, and whether it can be used.",
    )
    async def prompt_methods(self, info: RecordInfo) -> Any:
        return shaped(info, [*METHODS.values()])


Recorded = Annotated[PromptInput, strawberry.argument(description="The prompt.", graphql_type=input_type(PromptInput))]
Candidates = Annotated[
    PromptCandidatesInput,
    strawberry.argument(description="The candidates.", graphql_type=input_type(PromptCandidatesInput)),
]
About = Annotated[
    RecordRefInput, strawberry.argument(description="The kept prompt, or what it belongs to: its access is that one's.")
]
Evidence = Annotated[list[str] | None, strawberry.argument(description="Where evidence is kept.")]


@strawberry.type
class PromptMutation:
    @strawberry.mutation(
        description="Keep a prompt by reference and hash; its text only where policy allows it. Needs curate."
    )
    async def record_prompt(
        self,
        info: RecordInfo,
        input: Recorded,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, KeptPrompts).record(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Look at a prompt, and keep what was found; its words only where these are kept. Needs curate."
    )
    async def record_prompt_check(
        self,
        info: RecordInfo,
        of: About,
        prompt: Asked,
        evidence_refs: Evidence = None,
        command_id: CommandId = None,
    ) -> RecordPayload:
        about = await id_of(info, of.ref(), "of", "Prompt", *LIVES_IN)
        outcome = await service_of(info, KeptPrompts).assess(
            viewer_of(info), RecordRef(id=about), prompt, evidence_refs or (), command_id=command_id
        )
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Keep candidates for a prompt: those that were made elsewhere, with what is known of how, and "
        "those that are made here without a model. Needs curate."
    )
    async def record_prompt_candidates(
        self,
        info: RecordInfo,
        input: Candidates,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, KeptPrompts).bundle(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome))
