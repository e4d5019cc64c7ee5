"""What knowledge adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, flat
from resolvers.knowledge.catalogue import CatalogueMutation
from resolvers.knowledge.preflights import PreflightMutation, PreflightQuery

PREFLIGHT = 2_000
"""A graph with its catalogue, its blueprint, its policies and what fifty runs tell of it."""

FIELDS = Fields(
    queries=(PreflightQuery,),
    mutations=(PreflightMutation, CatalogueMutation),
    costs=Costs(
        queries={
            "preflight": flat(PREFLIGHT),
            "replayPreflight": flat(500),
            "comparePreflight": flat(PREFLIGHT),
        },
        mutations={"recordPreflight": flat(PREFLIGHT), "saveModuleCatalogue": flat(PREFLIGHT)},
    ),
)
