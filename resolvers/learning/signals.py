"""Reporting what was seen: one envelope, many at once, each taken once."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import input_type
from resolvers.generated.naming import with_matters
from resolvers.generated.payloads import CommandPayload, command_facts
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.learning.signals.answers import SignalReport, told
from service.learning.signals.commands import LearningSignals
from service.learning.signals.inputs import LearningSignal

Signals = Annotated[
    list[LearningSignal],
    strawberry.argument(description="What was seen, in any order.", graphql_type=list[input_type(LearningSignal)]),
]


@strawberry.type(description="What became of a report of signals.")
class SignalReportPayload(CommandPayload):
    result: strawberry.Private[SignalReport | None] = None

    @strawberry.field(graphql_type=view_type(SignalReport), description="An answer for each signal, and how many.")
    async def report(self, info: RecordInfo) -> Any:
        return shaped(info, self.result)


@strawberry.type
class SignalMutation:
    @strawberry.mutation(
        description="Report what was seen of use, evaluation and edits. Each signal is taken once, whatever the order; "
        "one that is refused does not refuse the others. Needs report."
    )
    async def report_learning_signals(
        self, info: RecordInfo, signals: Signals, command_id: CommandId = None
    ) -> SignalReportPayload:
        asked = [await with_matters(info, one) for one in signals]
        outcome = await service_of(info, LearningSignals).report(viewer_of(info), asked, command_id=command_id)
        settled = await settle(info, outcome)
        return SignalReportPayload(**command_facts(settled), result=told(outcome.result))
