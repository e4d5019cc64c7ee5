"""What a word is worth: the rarer it is in English, the more it says. From a table that never changes by itself.

The table is no corpus of ours: what a word counts depends on the word alone, whoever else has said it.
"""

from functools import lru_cache
from importlib import resources

FILE = "english.txt"

_COMMONEST, _RAREST = 6.5, 2.5
"""Zipf values at which a word counts least and most. What is not in the table is as rare as that."""

LEAST = 0.1


def weight(stem: str) -> float:
    """From 0.1, for the commonest words, to 1, for what English hardly has: names of products, services, people."""
    zipf = _table().get(stem, _RAREST) if not stem.isdigit() else _NUMBER
    return min(1.0, max(0.0, (_COMMONEST - zipf) / (_COMMONEST - _RAREST))) ** _SPREAD * (1 - LEAST) + LEAST


_SPREAD = 0.5
"""Rarity tells less than linearly: what is twice as rare says less than twice as much."""

_NUMBER = 5.5
"""A number tells little of what is asked for."""


@lru_cache(maxsize=1)
def _table() -> dict[str, float]:
    lines = resources.files("service").joinpath(FILE).read_text(encoding="utf-8").splitlines()
    listed = (line.split() for line in lines if not line.startswith("#"))
    return {stem: int(tenths) / 10 for tenths, *stems in listed for stem in stems}
