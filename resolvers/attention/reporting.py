"""Reporting what components and their users do.

GraphQL inputs know no unions, so a payload has the fields of all types of event. Which of them a type takes is checked
event by event: one bad event must not refuse the others.
"""

from collections.abc import Iterable
from typing import Annotated, Any

import strawberry
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from strawberry.scalars import JSON

from graph_schema.attention.words import AgentEventType
from graph_schema.model.fields import Kind
from graph_schema.model.record import read_field
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import scalar_type
from resolvers.generated.views import view_type
from resolvers.memory.reporting import as_told, event_values, made_input
from resolvers.memory.unreadable import unread_of
from service.attention.reporting.answers import ReportAgentEventsPayload
from service.attention.reporting.commands import AgentEvents
from service.attention.reporting.events import AgentEventRecord, AttentionSessionRef, Envelope
from service.attention.reporting.payloads import DecisionOption, FocusTarget, payload_fields
from service.memory.reporting.events import Unread

Typed = dict[str, tuple[Any, str]]


def _typed(fields: Iterable[tuple[str, FieldInfo]], nested: dict[str, Any]) -> Typed:
    return {
        name: (nested[name], info.description or "") if name in nested else _plain(name, info) for name, info in fields
    }


def _plain(name: str, info: FieldInfo) -> tuple[Any, str]:
    """Words and times come as strings: they are checked with their event."""
    one = read_field(name, info)
    single: Any = str if one.enum or one.kind is Kind.timestamp else scalar_type(one)
    words = f" One of: {', '.join(one.enum)}." if one.enum else ""
    return (list[single] if one.many else single), f"{one.description}{words}"


def _of(model: type[BaseModel], name: str, nested: dict[str, Any]) -> Any:
    return made_input(name, (model.__doc__ or "").strip(), _typed(model.model_fields.items(), nested))


def _payload() -> Any:
    focus = _of(FocusTarget, "FocusTargetInput", {"highlight_region": JSON})
    option = _of(DecisionOption, "DecisionOptionInput", {})
    nested: dict[str, Any] = {"values": JSON, "focus": focus, "options": list[option]}
    fields: Typed = {}
    for name, (info, kinds) in payload_fields().items():
        [(_, (type_, told))] = _typed([(name, info)], nested).items()
        users = "" if len(kinds) == len(AgentEventType) else f" For: {', '.join(kinds)}."
        fields[name] = (type_, f"{told}{users}")
    return made_input(
        "AgentEventPayloadInput", "What an event says. Which fields a type takes is told with each.", fields
    )


AGENT_EVENT: Any = _of(
    Envelope,
    "AgentEventInput",
    {
        "session": _of(AttentionSessionRef, "AttentionSessionInput", {}),
        "records": list[_of(AgentEventRecord, "AgentEventRecordInput", {})],
        "payload": _payload(),
    },
)


async def _report(self: Any, info: RecordInfo, events: Any) -> Any:
    del self
    values = [event_values(one) for one in events]
    given = [unread_of(one) or one for one in values]
    answers = await service_of(info, AgentEvents).report(viewer_of(info), given)
    told = tuple(as_told(one, as_sent=isinstance(given[one.index], Unread)) for one in answers)
    payload = ReportAgentEventsPayload(told)
    if payload.accepted and info.context.renew is not None:
        info.context.viewer = await info.context.renew(frozenset())
    return shaped(info, payload)


_report.__annotations__["events"] = Annotated[
    list[AGENT_EVENT], strawberry.argument(description="Up to 500 events, in any order.")
]


@strawberry.type
class AgentEventMutation:
    report_agent_events: Any = strawberry.mutation(
        resolver=_report,
        graphql_type=view_type(ReportAgentEventsPayload),
        description="Tell what components and their users do. Each event is taken, known already or refused for "
        "itself; sent twice or in any order, the same comes of it. Needs the scope report.",
    )
