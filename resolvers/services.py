"""What written fields need of the running service."""

from dataclasses import dataclass

from graph_schema.registry import Registry
from service.events import Head
from service.memory import Reporting
from service.memory.intents import LibraryIntents
from service.memory.promotion import Promotions
from service.memory.retention import Ages
from service.memory.rules.preview import Previews
from service.records import Records
from service.search import Search


@dataclass(frozen=True)
class Services:
    registry: Registry
    records: Records
    reporting: Reporting
    previews: Previews
    promotions: Promotions
    intents: LibraryIntents
    ages: Ages
    """How long each class of run is kept."""
    search: Search
    head: Head
    """Where the log of events ends, and who waits for it to move."""
