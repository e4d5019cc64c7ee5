"""Words as search compares them: folded, without the commonest ones, and stripped of English inflections.

Everything here depends on one text alone. What a word is worth in some corpus plays no part.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

_STOP_WORDS = """
a about after again all also am an and any are as at be because been before being but by can could did do does doing
don for from get had has have having he her here hers him his how i if in into is it its itself just ll like me my
myself no not now of off on once only or other our ours out over please re s she should so some such t than that the
their theirs them then there these they this those to too under until up us ve very was we were what when where
which while who whom why will with would you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_WORD = re.compile(r"[^\W_]+")
# Scripts that are written without spaces: each character stands for itself.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SHORTEST_STEM = 3
_VOWELS = frozenset("aeiouy")


def fold(text: str) -> str:
    """Lower case, without accents, with compatibility forms resolved: `Müller` and `MULLER` are one."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def spoken(text: str) -> str:
    """The folded words of a text with one space between: two names that read the same are equal."""
    return " ".join(_words(fold(text)))


def content_words(text: str) -> list[str]:
    """The distinct folded words that carry meaning, in order of appearance, as they are written."""
    return list(dict.fromkeys(word for word in _words(fold(text)) if word not in STOP_WORDS))


def stems(text: str) -> frozenset[str]:
    return frozenset(stems_of(content_words(text)))


def stems_of(words: Iterable[str]) -> list[str]:
    return [stem(word) for word in words]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its commonest English endings: `complaints`, `filed`, `filing` -> `complaint`, `fil`, `fil`."""
    if not word.isascii() or not word.isalpha():
        return word
    return _without_e(_without_participle(_without_plural(word)))


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST_STEM:
        return word[:-1]
    return word


def _without_participle(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_STEM and _VOWELS & {*rest}:
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word


def _without_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST_STEM else word


def _words(folded: str) -> Iterator[str]:
    for run in _WORD.findall(folded):
        if _UNSPACED.search(run):
            yield from _UNSPACED.sub(lambda found: f" {found[0]} ", run).split()
        else:
            yield run
