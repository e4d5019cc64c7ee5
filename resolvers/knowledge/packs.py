"""The knowledge pack."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import CommandPayload, RecordPayload, command_facts, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.pack.read import KnowledgePacks, KnowledgeStatus


@strawberry.type(description="Whether the pack in use is behind what there is now.")
class KnowledgeCheckPayload(CommandPayload):
    drift: int = strawberry.field(default=0, description="Sources that are not as they were.")
    stale: bool = strawberry.field(default=False, description="Whether the pack is told to be stale now.")


@strawberry.type
class PackQuery:
    @strawberry.field(
        graphql_type=view_type(KnowledgeStatus),
        description="The knowledge pack in use, or the one that is named: what it may be used for, what it lacks, what "
        "has changed since.",
    )
    async def knowledge_status(
        self,
        info: RecordInfo,
        pack: Annotated[
            RecordRefInput | None, strawberry.argument(description="A KnowledgePack; the one in use when left out.")
        ] = None,
    ) -> Any:
        named = await id_of(info, pack.ref(), "pack", "KnowledgePack") if pack else None
        return shaped(info, await service_of(info, KnowledgePacks).status(viewer_of(info), named))


@strawberry.type
class PackMutation:
    @strawberry.mutation(
        description="Compile a knowledge pack from what there is now. The same sources give the same. Needs curate."
    )
    async def compile_knowledge(
        self,
        info: RecordInfo,
        activate: Annotated[bool, strawberry.argument(description="Whether it is put into use.")] = False,
        command_id: CommandId = None,
    ) -> RecordPayload:
        compiler = service_of(info, KnowledgeCompiler)
        outcome = await compiler.compile(viewer_of(info), activate=activate, command_id=command_id)
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(description="Put a knowledge pack into use: a staged one, or one from before. Needs curate.")
    async def activate_knowledge_pack(
        self,
        info: RecordInfo,
        pack: Annotated[RecordRefInput, strawberry.argument(description="The pack.")],
        command_id: CommandId = None,
    ) -> RecordPayload:
        compiler = service_of(info, KnowledgeCompiler)
        outcome = await compiler.activate(viewer_of(info), pack.ref(), command_id=command_id)
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Look whether the pack in use is behind what there is now, and say so. Needs curate."
    )
    async def check_knowledge(self, info: RecordInfo, command_id: CommandId = None) -> KnowledgeCheckPayload:
        outcome = await service_of(info, KnowledgeCompiler).check(viewer_of(info), command_id=command_id)
        told = (await settle(info, outcome)).result
        return KnowledgeCheckPayload(**command_facts(outcome), drift=told["drift"], stale=told["stale"])
