"""The studio, with a model that reads."""

from tests.learning.studio import studio
from tests.search.conftest import embedder, indexed, queue

__all__ = ["embedder", "indexed", "queue", "studio"]
