"""How request and asset compare, from their vectors: what a reader computes in the database, in plain code."""

import numpy as np

from embeddings import Vectors
from service.cards.prototype import prototype
from service.lexical import lexical, words_of
from service.matching.assets import Likeness


class Known:
    """The texts of an asset with their vectors, ready to be compared with many requests."""

    def __init__(self, texts: list[str], vectors: Vectors, second: Vectors | None = None) -> None:
        """`second` is the vector of the card by the second model."""
        made = prototype(vectors)
        self._vector = made.vector
        self._vectors = vectors
        self._texts = texts
        self._words = words_of(texts)
        self._members = made.members
        self._cohesion = made.cohesion
        self._second = second if made.members == 1 else None

    def likeness(self, vector: Vectors, stems: frozenset[str], second: Vectors | None = None) -> Likeness:
        cosine = float(self._vector @ vector)
        nearest = float(np.max(self._vectors @ vector))
        by_second = None if second is None or self._second is None else float(self._second @ second)
        return Likeness(cosine, nearest, lexical(stems, self._words), self._members, self._cohesion, by_second)

    def nearest(self, vector: Vectors) -> str:
        return self._texts[int(np.argmax(self._vectors @ vector))]
