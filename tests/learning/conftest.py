"""The office of learning: that of routing, with a model that reads."""

from tests.routing.office import reading_office as office
from tests.search.conftest import embedder, indexed, queue

__all__ = ["embedder", "indexed", "office", "queue"]
