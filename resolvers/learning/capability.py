"""What learning adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import COMMAND, Costs, each, flat
from resolvers.learning.proposals import ProposalMutation
from resolvers.learning.replay import ReplayMutation
from resolvers.learning.review import ReviewQuery
from resolvers.learning.signals import SignalMutation

FIELDS = Fields(
    queries=(ReviewQuery,),
    mutations=(SignalMutation, ProposalMutation, ReplayMutation),
    costs=Costs(
        queries={"reviewQueue": flat(500), "proposalWatch": flat(100)},
        mutations={"reportLearningSignals": each("signals", COMMAND), "replayProposal": flat(5_000)},
    ),
)
