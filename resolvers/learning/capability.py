"""What learning adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import COMMAND, Costs, each, flat
from resolvers.learning.proposals import ProposalMutation
from resolvers.learning.replay import ReplayMutation
from resolvers.learning.signals import SignalMutation

FIELDS = Fields(
    mutations=(SignalMutation, ProposalMutation, ReplayMutation),
    costs=Costs(mutations={"reportLearningSignals": each("signals", COMMAND), "replayProposal": flat(5_000)}),
)
