"""What the rest of the system knows of a model: text in, unit vectors out, and how many tokens a text has."""

import re
from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from embeddings.errors import TextNotUnicode

Vectors: TypeAlias = NDArray[np.float32]
"""One row a text, each of length 1."""

_LONGEST_NAME_IN_KEY = 48


class TokenCounter(Protocol):
    def count_tokens(self, text: str) -> int:
        """Tokens of the whole text, without the marks that the model adds at its ends. An empty text has none."""
        ...


class Embedder(TokenCounter, Protocol):
    """One model. A text's vector never depends on the texts beside it: the same text gives the same bits."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Changes whenever the same text would get another vector."""
        ...

    @property
    def key(self) -> str:
        """Name and version as one identifier, for the property and the index that hold this model's vectors."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """What lies beyond this many tokens (the model's own marks included) does not influence the vector."""
        ...

    @property
    def unrelated(self) -> float:
        """The cosine that texts have which have nothing to do with each other. What resembles is counted from here."""
        ...

    def embed_query(self, text: str) -> list[float]: ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors: ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors: ...


def key_of(name: str, version: str) -> str:
    """`all-minilm-l6-v2`, `q1` -> `all_minilm_l6_v2_q1`: lower case letters, digits and underscores, a letter first."""
    readable = _words(name)[-_LONGEST_NAME_IN_KEY:].strip("_")
    key = "_".join(part for part in (readable, _words(version)) if part)
    return key if key[:1].isalpha() else f"model_{key}".rstrip("_")


def checked(text: str) -> str:
    """The text itself, or an error that says where it is broken; the tokenizers' own error says neither."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextNotUnicode(error.start) from None
    return text


def unit(vector: Vectors) -> Vectors:
    return vector / np.float32(np.linalg.norm(vector))


def _words(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
