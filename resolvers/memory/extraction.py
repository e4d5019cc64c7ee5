"""The second lane: what a worker out of band does with the queue. The queue itself is a list like any other."""

from typing import Annotated

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, record_payload
from resolvers.records.commands import CommandId
from service.memory.extraction.commands import ASKED, Extractions

Entry = Annotated[RecordRefInput, strawberry.argument(description="The entry.")]


@strawberry.type
class ExtractionMutation:
    @strawberry.mutation(description="Have a run or an artifact looked at more closely, out of band. Needs curate.")
    async def request_extraction(
        self,
        info: RecordInfo,
        record: Annotated[RecordRefInput, strawberry.argument(description="The run or artifact.")],
        reason: Annotated[str, strawberry.argument(description=f"Why. One of: {', '.join(ASKED)}.")],
        command_id: CommandId = None,
    ) -> RecordPayload:
        outcome = await service_of(info, Extractions).request(
            viewer_of(info), record.ref(), reason, command_id=command_id
        )
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Say that you work on an entry of the queue: nobody else takes it within the hour. Needs curate."
    )
    async def take_extraction(self, info: RecordInfo, extraction: Entry, command_id: CommandId = None) -> RecordPayload:
        entry = await id_of(info, extraction.ref(), "extraction", "Extraction")
        outcome = await service_of(info, Extractions).take(viewer_of(info), entry, command_id=command_id)
        return record_payload(await settle(info, outcome))

    @strawberry.mutation(description="Say that an entry that you took is done, or give it back. Needs curate.")
    async def settle_extraction(
        self,
        info: RecordInfo,
        extraction: Entry,
        done: Annotated[bool, strawberry.argument(description="Whether it is done; otherwise it is queued again.")],
        note: Annotated[str | None, strawberry.argument(description="What came of it, in a sentence.")] = None,
        command_id: CommandId = None,
    ) -> RecordPayload:
        entry = await id_of(info, extraction.ref(), "extraction", "Extraction")
        outcome = await service_of(info, Extractions).settle(
            viewer_of(info), entry, done=done, note=note, command_id=command_id
        )
        return record_payload(await settle(info, outcome))
