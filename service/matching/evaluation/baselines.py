"""What matching is compared with in the same run: BM25 over the same texts, and a plain vector.

They look at the whole library, as scores of ours never do; and they always answer, for they know no "nothing fits".
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from embeddings import Vectors

K1, B = 1.2, 0.75
_WORD = re.compile(r"[a-z0-9]+")

Rank: TypeAlias = Callable[[str], list[str]]
"""Keys of the library's assets for a request, best first."""

Embed: TypeAlias = Callable[[Sequence[str]], Vectors]


def bm25(texts: Mapping[str, Sequence[str]]) -> Rank:
    """Okapi's, over all texts of an asset as one."""
    words = {key: Counter(_WORD.findall(" ".join(given).lower())) for key, given in texts.items()}
    sizes = {key: sum(one.values()) for key, one in words.items()}
    mean = max(1.0, sum(sizes.values()) / max(1, len(sizes)))
    listed: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for key, counts in words.items():
        for word, count in counts.items():
            listed[word].append((key, count * (K1 + 1) / (count + K1 * (1 - B + B * sizes[key] / mean))))

    def rank(text: str) -> list[str]:
        scores = dict.fromkeys(texts, 0.0)
        for word in set(_WORD.findall(text.lower())):
            rarity = math.log(1 + (len(words) - len(listed[word]) + 0.5) / (len(listed[word]) + 0.5))
            for key, value in listed[word]:
                scores[key] += rarity * value
        return sorted(scores, key=lambda key: -scores[key])

    return rank


def vector(texts: Mapping[str, Sequence[str]], embed: Embed) -> Rank:
    """The cosine with the mean of the vectors of an asset's texts."""
    keys = list(texts)
    means = np.stack([embed(list(texts[key])).mean(axis=0) for key in keys])
    means /= np.linalg.norm(means, axis=1, keepdims=True)

    def rank(text: str) -> list[str]:
        return [keys[at] for at in np.argsort(-(means @ embed([text])[0]), kind="stable")]

    return rank
