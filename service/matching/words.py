"""The lexical part of a score: from the request's words and the asset's own, and from no other text."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from service.search.words import stems


@dataclass(frozen=True, slots=True)
class WordProfile:
    """What words an asset's card and phrases have, as a unit vector. Stored with the prototype: two equal lists."""

    stems: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()

    def as_map(self) -> dict[str, float]:
        return dict(zip(self.stems, self.weights, strict=True))


def word_profile(texts: Iterable[str]) -> WordProfile:
    """Each text counts alike, however long; a word counts once a text."""
    total: dict[str, float] = {}
    for text in texts:
        found = stems(text)
        for stem in found:
            total[stem] = total.get(stem, 0.0) + 1 / math.sqrt(len(found))
    size = math.sqrt(sum(weight * weight for weight in total.values()))
    ordered = sorted(total)
    return WordProfile(tuple(ordered), tuple(total[stem] / size for stem in ordered))


def lexical(asked: frozenset[str], profile: Mapping[str, float]) -> float:
    """The cosine of the request's words and an asset's, from 0 to 1."""
    if not asked:
        return 0.0
    # In a fixed order: a sum of floats in the order of a set would differ in its last bits from run to run.
    return shared([profile[stem] for stem in sorted(asked) if stem in profile], len(asked))


def shared(weights: Iterable[float], asked: int) -> float:
    """The same from the weights of the words in common, in the order of the words, and the number of words asked."""
    return min(1.0, sum(weights) / math.sqrt(asked)) if asked else 0.0
