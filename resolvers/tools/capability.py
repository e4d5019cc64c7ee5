"""What tools add to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import COMMAND, Costs, each, flat
from resolvers.tools.health import ToolQuery
from resolvers.tools.recommendations import RecommendationMutation
from resolvers.tools.reporting import ToolReportingMutation

CALLS = 250
"""The recent calls of a tool."""

FIELDS = Fields(
    queries=(ToolQuery,),
    mutations=(ToolReportingMutation, RecommendationMutation),
    costs=Costs(
        queries={
            "knownTools": each("first", CALLS, 1_000),
            "toolHealth": flat(CALLS),
            "toolPriorities": flat(50 * CALLS),
        },
        mutations={
            "reportToolOutcomes": each("outcomes", COMMAND),
            "reportAsks": each("asks", COMMAND),
            "evaluateTools": flat(50 * CALLS),
        },
    ),
)
