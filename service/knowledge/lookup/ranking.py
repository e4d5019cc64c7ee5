"""Which of what is there a question means: by its words and those of the card, and by nothing else. Pure."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from service.lexical import lexical, named
from service.words import stems

RANKER = "knowledge lookup 1"
NAME_WEIGHT = 0.3
"""What it counts that a name is said, beside what the text has of the question. It only settles the order."""
T = TypeVar("T")


@lru_cache(maxsize=8_192)
def _stems(text: str) -> frozenset[str]:
    return stems(text)


def score(asked: str, name: str, text: str) -> float:
    wanted, called = _stems(asked), _stems(name)
    has = lexical(wanted, _stems(text) | called)
    return round((1 - NAME_WEIGHT) * has + NAME_WEIGHT * named(wanted, called), 4)


def ranked(
    asked: str, some: Iterable[T], told: Callable[[T], tuple[str, str]], first: int
) -> Sequence[tuple[T, float]]:
    """The best `first`, with their scores; what has no word of the question is not among them. An empty question
    means all, in their order."""
    if not _stems(asked):
        return [(one, 0.0) for one in some][:first]
    scored = [(one, score(asked, *told(one))) for one in some]
    found = sorted((one for one in scored if one[1] > 0), key=lambda one: -one[1])
    return found[:first]
