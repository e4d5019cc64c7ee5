"""What written fields need of the running service."""

from dataclasses import dataclass

from graph_schema.registry import Registry
from service.events import Head
from service.memory import Reporting
from service.memory.following import Following
from service.records import Records
from service.search import Search


@dataclass(frozen=True)
class Services:
    registry: Registry
    records: Records
    reporting: Reporting
    following: Following
    search: Search
    head: Head
    """Where the log of events ends, and who waits for it to move."""
