"""What knowledge adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, each, flat
from resolvers.knowledge.catalogue import CatalogueMutation
from resolvers.knowledge.evaluations import EvaluationMutation, EvaluationQuery
from resolvers.knowledge.lookup import GraphLookupQuery, LookupQuery, SpecMutation
from resolvers.knowledge.packs import PackMutation, PackQuery
from resolvers.knowledge.preflights import PreflightMutation, PreflightQuery
from resolvers.knowledge.prompts import PromptMutation, PromptQuery

PREFLIGHT = 2_000
"""A graph with its catalogue, its blueprint, its policies and what fifty runs tell of it."""

PACK = 5_000
"""All module types, templates, presets, patterns, capabilities and cases that everybody may see."""

LOOKUP = 500
"""A catalogue, or the patterns or capabilities of a library, with the cards of the pack that bear on them."""

SPECS = 1_000
"""All sections of the registered documents."""

FIELDS = Fields(
    queries=(PreflightQuery, PackQuery, LookupQuery, GraphLookupQuery, EvaluationQuery, PromptQuery),
    mutations=(PreflightMutation, CatalogueMutation, PackMutation, SpecMutation, EvaluationMutation, PromptMutation),
    costs=Costs(
        queries={
            "preflight": flat(PREFLIGHT),
            "replayPreflight": flat(500),
            "comparePreflight": flat(PREFLIGHT),
            "promptCheck": flat(LOOKUP),
            "promptMethods": flat(1),
            "knowledgeStatus": flat(PACK),
            "agentEducation": flat(20),
            **dict.fromkeys(
                (
                    "findModules",
                    "moduleGuide",
                    "configGuide",
                    "findPatterns",
                    "decisionGuide",
                    "findCapabilities",
                    "recommendModel",
                ),
                flat(LOOKUP),
            ),
            "specLookup": flat(SPECS),
            "evalSuite": flat(1),
            "scoreProposals": each("proposals", 50),
            "replayEvalRun": flat(SPECS),
            **dict.fromkeys(("explainGraph", "validateGraph", "simulateGraph"), flat(LOOKUP)),
        },
        mutations={
            "recordPreflight": flat(PREFLIGHT),
            "saveModuleCatalogue": flat(PREFLIGHT),
            "compileKnowledge": flat(PACK),
            "activateKnowledgePack": flat(100),
            "checkKnowledge": flat(PACK),
            "recordPromptCheck": flat(LOOKUP),
            "recordPromptCandidates": flat(LOOKUP),
            "registerSpecDocument": flat(PREFLIGHT),
            "submitEvalRun": each("proposals", 50),
            "saveEvalSuite": flat(LOOKUP),
        },
    ),
)
