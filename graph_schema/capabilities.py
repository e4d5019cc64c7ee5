"""The capabilities, by name. This is the one list of them: a capability moves in when it is named here.

Each has a folder of its name wherever it has something to say:

    graph_schema/<name>/    RECORDS and RELATIONS
    service/<name>/         its services, web routes and commands (see `service.capability`)
    resolvers/<name>/       its GraphQL fields (see `resolvers.schema`)
    tests/<name>/, docs/<name>.md

A capability may use the services of those that are named before it. The API shows them in this order, too.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

CAPABILITIES = (
    *("matching", "memory", "context", "library", "routing"),
    *("tools", "knowledge", "learning", "attention", "sharing"),
)


def parts_of(package: str, names: Sequence[str] = CAPABILITIES, module: str = "") -> list[ModuleType]:
    """What these have in a package, in their order: `service.memory`, or `service.memory.capability`."""
    places = [".".join(filter(None, (package, name, module))) for name in names]
    return [import_module(place) for place in places if _is_there(place)]


def _is_there(place: str) -> bool:
    """A capability need not have a folder everywhere, nor everything in it."""
    try:
        return find_spec(place) is not None
    except ModuleNotFoundError:
        return False
