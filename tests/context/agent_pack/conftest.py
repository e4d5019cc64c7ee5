"""The same desk as for capabilities: a small library with cards that are embedded."""

from tests.context.expansion.conftest import bench, embedder, indexed, queue

__all__ = ["bench", "embedder", "indexed", "queue"]
