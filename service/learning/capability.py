"""What learning brings to the running service."""

from service.capability import Factories
from service.learning.design.services import DESIGN_HOOKS, DESIGN_SERVICES
from service.learning.lane.learn import Lane, LanePolicy
from service.learning.proposals.commands import Proposals
from service.learning.replay.commands import Replays
from service.learning.review.read import Reviews
from service.learning.signals.commands import LearningSignals

SERVICES: Factories = {
    LearningSignals: lambda on: LearningSignals(on.ground.commands),
    Proposals: lambda on: Proposals(on.ground.commands, on.ground.database, on.ground.hooks),
    Replays: lambda on: Replays(on.ground.commands, on.ground.database, on[Proposals], on),
    **DESIGN_SERVICES,
    Reviews: lambda on: Reviews(on.ground.database, on[Proposals]),
    Lane: lambda on: Lane(
        on.ground.database,
        on[LearningSignals],
        on[Proposals],
        on[Replays],
        LanePolicy(on.ground.settings.learning_signals_agreeing, on.ground.settings.learning_auto_apply),
    ),
}
HOOKS = DESIGN_HOOKS
