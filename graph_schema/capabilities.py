"""The capabilities, by name. This is the one list of them: a capability moves in when it is named here.

Each has a folder of its name wherever it has something to say:

    graph_schema/<name>/    RECORDS and RELATIONS
    service/<name>/         its services, web routes and commands (see `service.capability`)
    resolvers/<name>/       its GraphQL fields (see `resolvers.schema`)
    tests/<name>/, docs/<name>.md

A capability may use the services of those that are named before it. The API shows them in this order, too.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

CAPABILITIES = ("matching", "context", "memory", "library")


def parts_of(*places: str) -> list[ModuleType]:
    """The modules of these names that there are, in their order."""
    return [import_module(place) for place in places if find_spec(place)]
