"""Text to vectors, and token counts. Knows nothing of the rest of the system."""

from embeddings.errors import (
    EmbeddingError,
    EmbeddingQueueClosed,
    EmbeddingQueueFull,
    EngineNotInstalled,
    ModelUnusable,
    TextNotUnicode,
)
from embeddings.loader import SECOND, load
from embeddings.port import Embedder, TokenCounter, Vectors
from embeddings.queue import EmbeddingQueue

__all__ = [
    "SECOND",
    "Embedder",
    "EmbeddingError",
    "EmbeddingQueue",
    "EmbeddingQueueClosed",
    "EmbeddingQueueFull",
    "EngineNotInstalled",
    "ModelUnusable",
    "TextNotUnicode",
    "TokenCounter",
    "Vectors",
    "load",
]
