"""What learning adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import COMMAND, Costs, each, flat
from resolvers.learning.creation import CreationMutation, CreationQuery
from resolvers.learning.design import DESIGN, DesignMutation, DesignQuery
from resolvers.learning.edits import EditMutation, EditQuery
from resolvers.learning.proposals import ProposalMutation
from resolvers.learning.replay import ReplayMutation
from resolvers.learning.review import ReviewQuery
from resolvers.learning.signals import SignalMutation
from resolvers.matching.capability import MATCH

FIELDS = Fields(
    queries=(DesignQuery, CreationQuery, EditQuery, ReviewQuery),
    mutations=(
        *(DesignMutation, CreationMutation, EditMutation),
        *(SignalMutation, ProposalMutation, ReplayMutation),
    ),
    costs=Costs(
        queries={
            "designSession": flat(DESIGN),
            "designBundle": flat(DESIGN),
            "trackedTask": flat(50),
            "proposalEditTrace": flat(50),
            "reviewQueue": flat(500),
            "proposalWatch": flat(100),
        },
        mutations={
            "startDesignSession": flat(8 * MATCH),
            "updateDesignSession": flat(2 * DESIGN),
            "trackTask": flat(DESIGN),
            "recordProposalEdit": flat(DESIGN),
            "reportLearningSignals": each("signals", COMMAND),
            "replayProposal": flat(5_000),
        },
    ),
)
