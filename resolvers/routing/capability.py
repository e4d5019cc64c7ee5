"""What routing adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, flat
from resolvers.matching.capability import MATCH
from resolvers.routing.agent import AgentMutation, AgentQuery
from resolvers.routing.directives import DirectiveQuery
from resolvers.routing.feedback import SuggestionMutation, SuggestionQuery
from resolvers.routing.invocations import InvocationMutation
from resolvers.routing.modes import ModeMutation, ModeQuery

DIRECTIVES = 500
"""Directives of up to sixty phrases, each with its phrases and targets."""

MODE = MATCH + DIRECTIVES
"""A decision weighs templates as a match does, and looks for names, directives and runs beside."""

FIELDS = Fields(
    queries=(ModeQuery, DirectiveQuery, SuggestionQuery, AgentQuery),
    mutations=(ModeMutation, InvocationMutation, SuggestionMutation, AgentMutation),
    costs=Costs(
        queries={
            "taskMode": flat(MODE),
            "opportunityPacket": flat(MODE),
            "compareTaskMode": flat(MODE),
            "ambientTaskCard": flat(20),
            "matchInvocationDirectives": flat(DIRECTIVES),
            "routingState": flat(200),
            "taskAgent": flat(20),
        },
        mutations={
            "recordTaskMode": flat(MODE),
            "recordInvocation": flat(200),
            "recordSuggestionFeedback": flat(100),
            "liftSuppression": flat(100),
        },
    ),
)
