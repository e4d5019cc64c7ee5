"""The workshop, with and without a model that reads."""

from tests.search.conftest import embedder, indexed, queue
from tests.tools.workshop import reading_workshop, workshop

__all__ = ["embedder", "indexed", "queue", "reading_workshop", "workshop"]
