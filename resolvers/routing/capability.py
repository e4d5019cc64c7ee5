"""What routing adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, flat
from resolvers.matching.capability import MATCH
from resolvers.routing.modes import ModeQuery

MODE = MATCH + 500
"""A decision weighs templates as a match does, and looks for names, directives and runs beside."""

FIELDS = Fields(queries=(ModeQuery,), costs=Costs(queries={"taskMode": flat(MODE)}))
