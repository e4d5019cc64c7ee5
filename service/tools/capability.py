"""What tools bring to the running service."""

from starlette.routing import BaseRoute

from embeddings.tokens import Counters
from service.access.turns import Turns
from service.capability import Factories, Services
from service.memory.reporting.door import Door
from service.memory.reporting.http import lines_route
from service.records import Hooks
from service.search import Search
from service.settings import Settings
from service.tools.advice import advise_on
from service.tools.health import ToolHealths
from service.tools.known import ToolShelf
from service.tools.limits import Limits, ReaskLimits
from service.tools.methods import tie_method
from service.tools.recommendations import Evaluations
from service.tools.reports import AskReports, OutcomeReports
from service.tools.vocabulary import Vocabulary, vocabulary_of

OUTCOMES = "/v1/tool-outcomes"
ASKS = "/v1/asks"


def check_settings(settings: Settings) -> None:
    vocabulary_of(settings.tool_words)


def _words(on: Services) -> Vocabulary:
    return vocabulary_of(on.ground.settings.tool_words)


SERVICES: Factories = {
    OutcomeReports: lambda on: OutcomeReports(on.ground.database, on.ground.registry, on.ground.changed, _words(on)),
    AskReports: lambda on: AskReports(
        on.ground.database, on.ground.registry, on.ground.changed, _words(on), ReaskLimits.of(on.ground.settings)
    ),
    ToolHealths: lambda on: ToolHealths(on.ground.database, _words(on), Limits.of(on.ground.settings)),
    ToolShelf: lambda on: ToolShelf(on[Search], on[ToolHealths], Counters(on.ground.settings.home / "tokenizers")),
    Evaluations: lambda on: Evaluations(on.ground.commands, on[ToolHealths]),
}
HOOKS = Hooks(after_save=(tie_method,), advice=(advise_on,))


def routes(services: Services, turns: Turns) -> list[BaseRoute]:
    door = Door(turns, services.ground.settings.max_body_bytes)
    return [
        lines_route(OUTCOMES, services[OutcomeReports].report, door),
        lines_route(ASKS, services[AskReports].report, door),
    ]
