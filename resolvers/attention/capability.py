"""What attention adds to the API."""

from resolvers.attention.answers import AnswerMutation, DirectiveSubscription
from resolvers.attention.decisions import DecisionMutation, DecisionQuery
from resolvers.attention.inbox import InboxQuery
from resolvers.attention.reporting import AgentEventMutation
from resolvers.capability import Fields
from resolvers.engine.costs import Costs, each, flat

SESSION = 2_000
"""The events of a session."""

EVENT = 10
"""An event is a record and a link."""

FIELDS = Fields(
    queries=(InboxQuery, DecisionQuery),
    mutations=(AgentEventMutation, DecisionMutation, AnswerMutation),
    subscriptions=(DirectiveSubscription,),
    costs=Costs(
        queries={
            "attentionInbox": flat(3_000),
            "attentionReport": flat(20_000),
            "attentionDecision": flat(20),
            "replayAttention": flat(SESSION),
            "attentionPolicy": flat(1),
            "userModel": flat(200),
        },
        mutations={"reportAgentEvents": each("events", EVENT), "decideAttention": flat(SESSION)},
        subscriptions={"attentionDirectives": flat(50)},
    ),
)
