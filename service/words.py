"""Words as search compares them: folded, without the commonest ones, and stripped of English inflections.

Everything here depends on one text alone. What a word is worth in some corpus plays no part.
"""

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, cast

import snowballstemmer

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
    """A word without its English endings, by Snowball's rules: `complaints`, `filed` -> `complaint`, `file`."""
    if not word.isascii() or not word.isalpha():
        return word
    return _stemmer().stemWord(word)


def _stemmer() -> Any:
    """One for each thread: a stemmer holds the word that it works on."""
    if not hasattr(_STEMMERS, "english"):
        _STEMMERS.english = cast("Any", snowballstemmer).stemmer("english")  # it has no types
    return _STEMMERS.english


_STEMMERS = threading.local()


def _words(folded: str) -> Iterator[str]:
    for run in _WORD.findall(folded):
        if _UNSPACED.search(run):
            yield from _UNSPACED.sub(lambda found: f" {found[0]} ", run).split()
        else:
            yield run
