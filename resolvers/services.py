"""What written fields need of the running service."""

from dataclasses import dataclass

from graph_schema.registry import Registry
from service.events import Head
from service.memory import Reporting
from service.memory.after import After
from service.memory.artifact_search import ArtifactSearch
from service.memory.questions import Questions
from service.records import Records
from service.search import Search


@dataclass(frozen=True)
class Services:
    registry: Registry
    records: Records
    reporting: Reporting
    after: After
    questions: Questions
    search: Search
    artifact_search: ArtifactSearch
    head: Head
    """Where the log of events ends, and who waits for it to move."""
