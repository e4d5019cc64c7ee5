"""Reporting how calls of tools ended, and what users asked for. Each report is checked for itself."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.views import view_type
from resolvers.memory.reporting import RUN_REF, as_told, event_values, model_input
from resolvers.memory.unreadable import unread_of
from service.memory.reporting.events import Unread
from service.tools.reports import AskReports, OutcomeReports
from service.tools.reports.answers import ToolReportPayload
from service.tools.reports.events import AskReport, NamedRef, OutcomeReport, Referral

_NAMED: Any = model_input(NamedRef, "ToolReportRefInput")
_NESTED = {"run": RUN_REF, "tool": _NAMED, "ask": _NAMED, "metadata": model_input(Referral, "ReferralInput")}
OUTCOME: Any = model_input(OutcomeReport, "ToolOutcomeInput", _NESTED)
ASK: Any = model_input(AskReport, "AskInput", _NESTED)


async def _outcomes(self: Any, info: RecordInfo, outcomes: Any) -> Any:
    del self
    return await _reported(info, service_of(info, OutcomeReports), outcomes)


async def _asks(self: Any, info: RecordInfo, asks: Any) -> Any:
    del self
    return await _reported(info, service_of(info, AskReports), asks)


async def _reported(info: RecordInfo, reports: OutcomeReports | AskReports, events: Any) -> Any:
    values = [event_values(one) for one in events]
    given = [unread_of(one) or one for one in values]
    answers = await reports.report(viewer_of(info), given)
    told = tuple(as_told(one, as_sent=isinstance(given[one.index], Unread)) for one in answers)
    payload = ToolReportPayload(told)
    if payload.accepted and info.context.renew is not None:
        info.context.viewer = await info.context.renew(frozenset())
    return shaped(info, payload)


_outcomes.__annotations__["outcomes"] = Annotated[
    list[OUTCOME], strawberry.argument(description="Up to 500 outcomes, in any order.")
]
_asks.__annotations__["asks"] = Annotated[list[ASK], strawberry.argument(description="Up to 500 asks, in any order.")]


@strawberry.type
class ToolReportingMutation:
    report_tool_outcomes: Any = strawberry.mutation(
        resolver=_outcomes,
        graphql_type=view_type(ToolReportPayload),
        description="Tell how calls of tools ended: success, execution error, not the tool's job, or of little use. "
        "Calls that are spans of reported runs count by themselves. Each is taken once, in any order. Needs the scope "
        "report.",
    )
    report_asks: Any = strawberry.mutation(
        resolver=_asks,
        graphql_type=view_type(ToolReportPayload),
        description="Tell what users asked for, without its text. The same asked for again within minutes is a "
        "correction of what they were given. Each is taken once, in any order. Needs the scope report.",
    )
