"""What the API has below its capabilities: records, search, events, and who is asking."""

from graph_schema.model.relation import ANY
from resolvers.capability import Fields
from resolvers.engine.costs import Costs, each, flat
from resolvers.events import EventQuery, EventSubscription
from resolvers.principals import PrincipalMutation, PrincipalQuery
from resolvers.records.commands import RecordMutation
from resolvers.records.history import HistoryField
from resolvers.search import SearchQuery

FIELDS = Fields(
    queries=(SearchQuery, EventQuery, PrincipalQuery),
    mutations=(RecordMutation, PrincipalMutation),
    subscriptions=(EventSubscription,),
    record_fields={ANY: (HistoryField,)},
    costs=Costs(
        queries={
            "search": each("first", 20, 500),
            "events": each("first", 1),
            "viewer": flat(1),
            "administration": flat(200),
        },
        mutations={"eraseRecord": flat(1_000)},
        subscriptions={"events": flat(10)},
        record_fields={"history": each("first", 2)},
    ),
)
