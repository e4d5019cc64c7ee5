"""One vector for an asset, from its card and its phrases, and how close these are to one another."""

from dataclasses import dataclass

import numpy as np

from embeddings import Vectors


@dataclass(frozen=True, slots=True)
class Prototype:
    """`members` are the card and the phrases that invoke the asset. `cohesion` is their mean cosine, two by two."""

    vector: Vectors
    members: int
    cohesion: float | None


def prototype(members: Vectors) -> Prototype:
    """The card counts as one more phrase. A single member has no cohesion: what is usual stands in for it."""
    count = len(members)
    mean = members.mean(axis=0)
    vector = (mean / np.linalg.norm(mean)).astype(np.float32)
    if count == 1:
        return Prototype(vector, 1, None)
    total = float(np.square(members.sum(axis=0, dtype=np.float64)).sum())
    return Prototype(vector, count, (total - count) / (count * (count - 1)))
