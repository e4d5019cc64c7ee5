"""The catalogue of module types."""

from typing import Annotated

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import input_type
from resolvers.generated.payloads import CommandPayload, command_facts
from resolvers.records.commands import CommandId
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.catalogue.inputs import ModuleCatalogueInput

Catalogue = Annotated[
    ModuleCatalogueInput,
    strawberry.argument(description="The catalogue.", graphql_type=input_type(ModuleCatalogueInput)),
]


@strawberry.type(description="What became of a catalogue.")
class ModuleCataloguePayload(CommandPayload):
    types: int = strawberry.field(default=0, description="Module types that it has now.")
    put_away: list[str] = strawberry.field(
        default_factory=list, description="Module types that it had before and has no more."
    )
    changed: bool = strawberry.field(default=False, description="Whether anything is otherwise than before.")


@strawberry.type
class CatalogueMutation:
    @strawberry.mutation(
        description="Make this the catalogue of its source: module types with ports and typed configuration. What it "
        "does not name any more is put away. Needs curate."
    )
    async def save_module_catalogue(
        self,
        info: RecordInfo,
        input: Catalogue,  # noqa: A002 - as all commands call it
        command_id: CommandId = None,
    ) -> ModuleCataloguePayload:
        outcome = await service_of(info, Catalogues).save(viewer_of(info), input, command_id=command_id)
        told = (await settle(info, outcome)).result
        return ModuleCataloguePayload(
            **command_facts(outcome), types=told["types"], put_away=told["put_away"], changed=told["changed"]
        )
