"""What learning brings to the running service."""

from service.capability import Factories
from service.learning.design.services import DESIGN_HOOKS, DESIGN_SERVICES
from service.learning.proposals.commands import Proposals
from service.learning.replay.commands import Replays
from service.learning.signals.commands import LearningSignals

SERVICES: Factories = {
    LearningSignals: lambda on: LearningSignals(on.ground.commands),
    Proposals: lambda on: Proposals(on.ground.commands, on.ground.database, on.ground.hooks),
    Replays: lambda on: Replays(on.ground.commands, on.ground.database, on[Proposals], on),
    **DESIGN_SERVICES,
}
HOOKS = DESIGN_HOOKS
