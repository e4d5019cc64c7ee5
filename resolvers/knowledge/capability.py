"""What knowledge adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, flat
from resolvers.knowledge.catalogue import CatalogueMutation
from resolvers.knowledge.packs import PackMutation, PackQuery
from resolvers.knowledge.preflights import PreflightMutation, PreflightQuery

PREFLIGHT = 2_000
"""A graph with its catalogue, its blueprint, its policies and what fifty runs tell of it."""

PACK = 5_000
"""All module types, templates, presets, patterns, capabilities and cases that everybody may see."""

FIELDS = Fields(
    queries=(PreflightQuery, PackQuery),
    mutations=(PreflightMutation, CatalogueMutation, PackMutation),
    costs=Costs(
        queries={
            "preflight": flat(PREFLIGHT),
            "replayPreflight": flat(500),
            "comparePreflight": flat(PREFLIGHT),
            "knowledgeStatus": flat(PACK),
        },
        mutations={
            "recordPreflight": flat(PREFLIGHT),
            "saveModuleCatalogue": flat(PREFLIGHT),
            "compileKnowledge": flat(PACK),
            "activateKnowledgePack": flat(100),
            "checkKnowledge": flat(PACK),
        },
    ),
)
