"""The lexical part of a score: from the request's words and the asset's own, and from no other text.

A word counts by how rare it is in English (`service/rarity.py`). This is the one core of every ranker here.
"""

from collections.abc import Collection, Iterable

from service.rarity import weight
from service.words import stems

WORDS_VERSION = 2
"""Changes with the way words are stemmed: what was stored of an asset's words by another is made anew."""


def words_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The words that an asset's card and phrases have. Stored with the prototype."""
    return tuple(sorted({stem for text in texts for stem in stems(text)}))


def lexical(asked: Collection[str], known: Collection[str]) -> float:
    """How much of what the request says the asset has, from 0 to 1: what else it says counts neither way."""
    return _share(asked, known)


def named(asked: Collection[str], name: Collection[str]) -> float:
    """How much of a name the request says, from 0 to 1."""
    return _share(name, asked)


def alike(one: Collection[str], other: Collection[str]) -> float:
    """How far two sets of words coincide, from 0 to 1 (Dice, by what the words are worth)."""
    total = _worth(one) + _worth(other)
    return 2 * _worth(set(one) & set(other)) / total if total else 0.0


def _share(of: Collection[str], known: Collection[str]) -> float:
    total = _worth(of)
    return _worth(set(of) & set(known)) / total if total else 0.0


def _worth(words: Iterable[str]) -> float:
    return sum(map(weight, sorted(words)))
