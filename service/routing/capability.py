"""What routing brings to the running service."""

from embeddings.tokens import Counters
from service.capability import Factories
from service.matching.read import Matching
from service.records import Hooks
from service.routing.agent.commands import ModelFallbacks, mark
from service.routing.agent.read import AgentProfiles
from service.routing.checks import CHECKS, tell_degraded
from service.routing.decision.keep import KeptModes
from service.routing.decision.read import TaskModes
from service.routing.decision.sources import Sources
from service.routing.directives.read import Directives
from service.routing.feedback.commands import SuggestionFeedbacks
from service.routing.feedback.read import RoutingStates
from service.routing.feedback.rules import Limits
from service.routing.invocations.commands import Invocations
from service.routing.opportunity.read import Opportunities
from service.routing.words import words_of
from service.settings import Settings


def check_settings(settings: Settings) -> None:
    words_of(settings.routing_words)


SERVICES: Factories = {
    Sources: lambda on: Sources(
        on.ground.database,
        on.ground.embeddings,
        Matching(on.ground.database, on.ground.embeddings),  # nothing is told here of the tools behind assets
        on[Directives],
        words_of(on.ground.settings.routing_words),
    ),
    KeptModes: lambda on: KeptModes(on.ground.commands, on.ground.database, on[TaskModes]),
    Opportunities: lambda on: Opportunities(
        on.ground.database,
        on[TaskModes],
        on[AgentProfiles],
        Counters(on.ground.settings.home / "tokenizers"),
    ),
    TaskModes: lambda on: TaskModes(on.ground.database, on[Sources], on[RoutingStates]),
    AgentProfiles: lambda on: AgentProfiles(on.ground.database),
    ModelFallbacks: lambda on: ModelFallbacks(on.ground.commands),
    Directives: lambda on: Directives(on.ground.database, on.ground.embeddings),
    Invocations: lambda on: Invocations(
        on.ground.commands, Limits.of(on.ground.settings), on.ground.settings.directive_candidate_traces
    ),
    SuggestionFeedbacks: lambda on: SuggestionFeedbacks(on.ground.commands, Limits.of(on.ground.settings)),
    RoutingStates: lambda on: RoutingStates(on.ground.database, Limits.of(on.ground.settings)),
}
HOOKS = Hooks(checks=CHECKS, after_save=(mark, tell_degraded))
