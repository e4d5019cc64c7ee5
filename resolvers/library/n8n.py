"""Workflows of n8n: in as templates, and out again."""

from collections.abc import Sequence
from typing import Annotated, Any

import strawberry

from graph_schema.model.fields import DataClass
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import placed
from resolvers.generated.payloads import CommandPayload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.library.n8n.commands import MOST_AT_ONCE, File, N8nExport, N8nImportItem, N8nWorkflows

_ITEMS: Any = list[view_type(N8nImportItem)]
AsClass = Annotated[
    DataClass | None, strawberry.argument(description="How sensitive new templates are; internal without it.")
]


@strawberry.input(description="A file that n8n exported.")
class N8nFileInput:
    file_name: str = strawberry.field(description="What it is called: the key of a workflow that has no id of its own.")
    content: str = strawberry.field(description="What is in it: the JSON of one workflow, or of a list of them.")


@strawberry.type(description="What became of the workflows of an import.")
class N8nImportPayload(CommandPayload):
    items: Sequence[N8nImportItem] = strawberry.field(
        graphql_type=_ITEMS, default=(), description="Each workflow, in the order of the files."
    )


@strawberry.type
class N8nQuery:
    @strawberry.field(
        name="exportN8n",
        graphql_type=view_type(N8nExport),
        description="A template that came from n8n as a workflow of n8n again: its graph and its settings as they "
        "came in. Needs read.",
    )
    async def export_n8n(
        self,
        info: RecordInfo,
        template: Annotated[RecordRefInput, strawberry.argument(description="The template.")],
    ) -> Any:
        return shaped(info, await service_of(info, N8nWorkflows).export(viewer_of(info), template.ref()))


@strawberry.type
class N8nMutation:
    @strawberry.mutation(
        name="importN8n",
        description="Make templates of workflows of n8n, or change those that were made of them before. One that is "
        "broken is told with its reason and does not stop the others. Needs curate.",
    )
    async def import_n8n(  # noqa: PLR0917 - as GraphQL names them
        self,
        info: RecordInfo,
        workflows: Annotated[
            list[N8nFileInput], strawberry.argument(description=f"The files, at most {MOST_AT_ONCE}.")
        ],
        data_class: AsClass = None,
        matter_ids: Annotated[
            list[strawberry.ID] | None, strawberry.argument(description="Matters that new templates belong to.")
        ] = None,
        matters: Annotated[
            list[RecordRefInput] | None, strawberry.argument(description="The same by what their owner calls them.")
        ] = None,
        command_id: CommandId = None,
    ) -> N8nImportPayload:
        told = {"matter_ids": matter_ids, "matters": matters}
        given: dict[str, Any] = {"data_class": data_class and data_class.value, **await placed(info, told)}
        done = await service_of(info, N8nWorkflows).import_files(
            viewer_of(info),
            [File(one.file_name, one.content) for one in workflows],
            {name: value for name, value in given.items() if value is not None},
            command_id=command_id,
        )
        if done.new_audiences and info.context.renew is not None:
            info.context.viewer = await info.context.renew(frozenset())
        return N8nImportPayload(command_id=done.command_id, replayed=done.replayed, items=done.items)
