"""What a capability adds to the API. `graph_schema.capabilities` lists the capabilities, once.

resolvers/<name>/capability.py    FIELDS
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from resolvers.engine.costs import Costs
from resolvers.engine.variables import SetAside


@dataclass(frozen=True, slots=True)
class Fields:
    """Classes with written fields; what people come for stands first."""

    queries: Sequence[type] = ()
    mutations: Sequence[type] = ()
    subscriptions: Sequence[type] = ()
    record_fields: Mapping[str, Sequence[type]] = field(default_factory=dict[str, Sequence[type]])
    """Fields that are put on record types, by label."""

    costs: Costs = field(default_factory=Costs)
    set_aside: Sequence[SetAside] = ()
    """Asked about variables that GraphQL cannot read."""
