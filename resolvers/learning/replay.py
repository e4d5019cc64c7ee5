"""Running a proposal over the recorded past."""

from typing import TYPE_CHECKING

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.learning.proposals import ProposalId
from resolvers.records.commands import CommandId
from service.learning.replay.commands import Replays

if TYPE_CHECKING:
    ReplayPayload = RecordPayload
else:
    ReplayPayload = payload_of("Replay", "ReplayPayload", "The replay, with its cases.")


@strawberry.type
class ReplayMutation:
    @strawberry.mutation(
        description="Run a proposal over the recorded decisions that it would have touched and that you may see, each "
        "in three lanes: as recorded, by today's rules, and with the change. Needs curate."
    )
    async def replay_proposal(
        self, info: RecordInfo, proposal_id: ProposalId, command_id: CommandId = None
    ) -> ReplayPayload:
        outcome = await service_of(info, Replays).replay(viewer_of(info), proposal_id, command_id=command_id)
        return record_payload(await settle(info, outcome), ReplayPayload)
