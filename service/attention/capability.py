"""What attention brings to the running service."""

from functools import partial

from starlette.routing import BaseRoute

from service.access.turns import Turns
from service.attention.answers import AttentionAnswers
from service.attention.background import Alarm, keep_deciding
from service.attention.checks import check_rule
from service.attention.deciding.commands import Attention
from service.attention.deciding.replay import AttentionTraces
from service.attention.figures.read import AttentionReports
from service.attention.follow import RaisedDirectives
from service.attention.inbox.read import Inboxes
from service.attention.inbox.waits import InboxWaits
from service.attention.pipeline.facts import AttentionLimits
from service.attention.reporting.commands import AgentEvents
from service.attention.retention import rules as retention
from service.attention.users import UserModels
from service.capability import Factories, Services
from service.events import Events
from service.graph.leases import Begin
from service.learning.review.read import Reviews
from service.memory.reporting.door import Door
from service.memory.reporting.http import lines_route
from service.records import Hooks
from service.tools.health import ToolHealths

AGENT_EVENTS = "/v1/agent-events"

SERVICES: Factories = {
    Alarm: lambda _on: Alarm(),
    AttentionLimits: lambda on: AttentionLimits.of(on.ground.settings),
    AgentEvents: lambda on: AgentEvents(on.ground.database, on.ground.changed, on[Alarm].ring),
    InboxWaits: lambda on: InboxWaits(
        on.ground.database, on[ToolHealths], on[Reviews], on.ground.settings.attention_inbox_days
    ),
    Attention: lambda on: Attention(on.ground.commands, on.ground.database, on[AttentionLimits], on[InboxWaits]),
    AttentionTraces: lambda on: AttentionTraces(on.ground.database),
    AttentionAnswers: lambda on: AttentionAnswers(on.ground.commands, on[Alarm].ring),
    UserModels: lambda on: UserModels(on.ground.database),
    Inboxes: lambda on: Inboxes(on.ground.database, on[InboxWaits]),
    AttentionReports: lambda on: AttentionReports(on.ground.database),
    RaisedDirectives: lambda on: RaisedDirectives(on.ground.database, on[Events]),
}
AGED = retention.AGED
HOOKS = Hooks(checks={"AttentionRule": check_rule})


def routes(services: Services, turns: Turns) -> list[BaseRoute]:
    door = Door(turns, services.ground.settings.max_body_bytes)
    return [lines_route(AGENT_EVENTS, services[AgentEvents].report, door)]


def shared(services: Services) -> list[Begin]:
    if not services.ground.settings.attention_by_itself:
        return []
    return [partial(keep_deciding, services.ground.database, services[Attention], services[Alarm])]
