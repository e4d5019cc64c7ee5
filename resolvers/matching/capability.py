"""What matching adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, each, flat
from resolvers.matching.matches import MatchingMutation, MatchingQuery

CANDIDATE = 100
"""An asset that is weighed: with its runs, its siblings, its phrases and what steers it."""

MATCH = 60 * CANDIDATE

FIELDS = Fields(
    queries=(MatchingQuery,),
    mutations=(MatchingMutation,),
    costs=Costs(
        queries={
            **dict.fromkeys(
                ("matchTemplates", "matchPresets", "matchPatterns", "matchCases", "matchBlueprints", "matchSegments"),
                each("first", 1, MATCH),
            ),
            "reuseSearch": each("first", 1, 6 * MATCH),
            "explainMatch": flat(MATCH),
            "compareMatch": flat(2 * MATCH),
            "replayMatch": flat(1_000),
        },
        mutations={"recordMatch": flat(MATCH)},
    ),
)
