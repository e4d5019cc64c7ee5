"""What routing brings to the running service."""

from service.capability import Factories
from service.matching.read import Matching
from service.routing.agent.read import AgentProfiles
from service.routing.decision.read import TaskModes
from service.routing.decision.sources import Sources
from service.routing.directives.read import Directives
from service.routing.feedback.read import RoutingStates
from service.routing.feedback.rules import Limits
from service.routing.words import words_of

SERVICES: Factories = {
    Sources: lambda on: Sources(
        on.ground.database,
        on.ground.embeddings,
        on[Matching],
        on[Directives],
        on[AgentProfiles],
        words_of(on.ground.settings.routing_words),
    ),
    TaskModes: lambda on: TaskModes(on.ground.database, on[Sources], on[RoutingStates]),
    AgentProfiles: lambda on: AgentProfiles(on.ground.database),
    Directives: lambda on: Directives(on.ground.database, on.ground.embeddings),
    RoutingStates: lambda on: RoutingStates(on.ground.database, Limits.of(on.ground.settings)),
}
