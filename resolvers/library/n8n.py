"""Workflows of n8n: in as templates, and out again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import strawberry

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo, load_record
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import scalar_type
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.payloads import NOTICES, CommandPayload
from resolvers.generated.types import record_type
from resolvers.records.commands import CommandId
from service.library.n8n.commands import MOST_AT_ONCE, Became, File, Import, Imported, N8nWorkflows
from service.notices import Notice

_BECAME = strawberry.enum(Became, name="ImportOutcome", description="What became of a workflow.")
if TYPE_CHECKING:
    AsClass = DataClass | None
else:
    AsClass = Annotated[
        optional(scalar_type(REGISTRY.types["Template"].fields["data_class"])),
        strawberry.argument(description="How sensitive new templates are; internal without it."),
    ]


@strawberry.input(description="A file that n8n exported.")
class N8nFileInput:
    file_name: str = strawberry.field(description="What it is called: the key of a workflow that has no id of its own.")
    content: str = strawberry.field(description="What is in it: the JSON of one workflow, or of a list of them.")


@strawberry.type(description="What became of one workflow of a file.")
class N8nImportItem:
    file_name: str = strawberry.field(description="The file that it was in.")
    outcome: Annotated[Became, _BECAME] = strawberry.field(description="What became of it.")
    template_id: strawberry.ID | None = strawberry.field(description="Id of its template, unless it was rejected.")
    name: str | None = strawberry.field(description="What the workflow is called.")
    warnings: Sequence[Notice] = strawberry.field(
        graphql_type=NOTICES, description="What to mind; nothing was refused because of it."
    )
    code: str | None = strawberry.field(description="Why it was rejected, as a code.")
    message: str | None = strawberry.field(description="Why it was rejected, in a sentence.")

    @strawberry.field(graphql_type=optional(record_type("Template")), description="The template as it is now.")
    async def template(self, info: RecordInfo) -> Any:
        return await load_record(info, self.template_id)


@strawberry.type(description="What became of the workflows of an import.")
class N8nImportPayload(CommandPayload):
    items: list[N8nImportItem] = strawberry.field(
        default_factory=list, description="Each workflow, in the order of the files."
    )


@strawberry.type(description="A template as a workflow of n8n.")
class N8nExport:
    name: str = strawberry.field(description="What the template is called.")
    content: str = strawberry.field(description="The workflow as JSON, to be imported into n8n.")


@strawberry.type
class N8nQuery:
    @strawberry.field(
        name="exportN8n",
        description="A template that came from n8n as a workflow of n8n again: its graph and its settings as they "
        "came in. Needs read.",
    )
    async def export_n8n(
        self,
        info: RecordInfo,
        template: Annotated[RecordRefInput, strawberry.argument(description="The template.")],
    ) -> N8nExport:
        name, workflow = await service_of(info, N8nWorkflows).export(viewer_of(info), template.ref())
        return N8nExport(name=name, content=orjson.dumps(workflow).decode())


@strawberry.type
class N8nMutation:
    @strawberry.mutation(
        name="importN8n",
        description="Make templates of workflows of n8n, or change those that were made of them before. One that is "
        "broken is told with its reason and does not stop the others. Needs curate.",
    )
    async def import_n8n(
        self,
        info: RecordInfo,
        workflows: Annotated[
            list[N8nFileInput], strawberry.argument(description=f"The files, at most {MOST_AT_ONCE}.")
        ],
        data_class: AsClass = None,
        matter_ids: Annotated[
            list[strawberry.ID] | None, strawberry.argument(description="Matters that new templates belong to.")
        ] = None,
        command_id: CommandId = None,
    ) -> N8nImportPayload:
        given: dict[str, Any] = {"data_class": data_class and data_class.value, "matter_ids": matter_ids}
        done = await service_of(info, N8nWorkflows).import_files(
            viewer_of(info),
            [File(one.file_name, one.content) for one in workflows],
            {name: value for name, value in given.items() if value is not None},
            command_id=command_id,
        )
        if done.new_audiences and info.context.renew is not None:
            info.context.viewer = await info.context.renew()
        return _payload(done)


def _payload(done: Import) -> N8nImportPayload:
    return N8nImportPayload(
        command_id=done.command_id, replayed=done.replayed, items=[_item(one) for one in done.items]
    )


def _item(one: Imported) -> N8nImportItem:
    return N8nImportItem(
        file_name=one.file_name,
        outcome=one.outcome,
        template_id=strawberry.ID(one.template_id) if one.template_id else None,
        name=one.name,
        warnings=one.warnings,
        code=one.code,
        message=one.message,
    )
