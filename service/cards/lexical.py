"""The lexical part of a score: from the request's words and the asset's own, and from no other text."""

from collections.abc import Iterable

from service.words import stems


def words_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The words that an asset's card and phrases have. Stored with the prototype."""
    return tuple(sorted({stem for text in texts for stem in stems(text)}))


def lexical(asked: frozenset[str], known: Iterable[str]) -> float:
    """How many of the request's words the asset has, from 0 to 1: what else it says counts neither for nor against."""
    return share(len(asked.intersection(known)), len(asked))


def share(common: int, asked: int) -> float:
    return common / asked if asked else 0.0
