"""What routing brings to the running service."""

from service.capability import Factories
from service.routing.agent.read import AgentProfiles
from service.routing.directives.read import Directives
from service.routing.feedback.read import RoutingStates
from service.routing.feedback.rules import Limits

SERVICES: Factories = {
    AgentProfiles: lambda on: AgentProfiles(on.ground.database),
    Directives: lambda on: Directives(on.ground.database, on.ground.embeddings),
    RoutingStates: lambda on: RoutingStates(on.ground.database, Limits.of(on.ground.settings)),
}
