"""What learning adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, flat
from resolvers.learning.creation import CreationMutation, CreationQuery
from resolvers.learning.design import DesignMutation, DesignQuery
from resolvers.learning.edits import EditMutation, EditQuery
from resolvers.matching.capability import MATCH

DESIGN = 300
"""A session with what hangs on it, and what became of earlier questions."""

FIELDS = Fields(
    queries=(DesignQuery, CreationQuery, EditQuery),
    mutations=(DesignMutation, CreationMutation, EditMutation),
    costs=Costs(
        queries={
            "designSession": flat(DESIGN),
            "designBundle": flat(DESIGN),
            "trackedTask": flat(50),
            "proposalEditTrace": flat(50),
        },
        mutations={
            "startDesignSession": flat(8 * MATCH),
            "updateDesignSession": flat(2 * DESIGN),
            "trackTask": flat(DESIGN),
            "recordProposalEdit": flat(DESIGN),
        },
    ),
)
