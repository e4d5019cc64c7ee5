"""Whether a request says a phrase: its words together, in one clause, and not in a negation.

Words that are only scattered over a request say nothing of the kind, and "do not run a complaint audit" asks for none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.words import STOP_WORDS, spoken, stem

_WORD = re.compile(r"[^\W_]+(?:['\u2019\u02bc][^\W_]+)*")
_BREAK = re.compile(r"[,;:.!?()\[\]\n\u2013\u2014]|\s-\s")
_JOINTS = frozenset(("but", "then"))
_NOT = frozenset(["not", "no", "never", "without", "cannot", "neither", "nor", "none", "except", "dont"])
_UNDONE = frozenset(["avoid", "skip", "omit", "exclude", "cancel", "stop", "forget", "miss", "ignore", "neglect"])
"""Verbs that undo what follows them, so that a negation before them asks for it: `do not skip the audit`."""

_LIMITS = frozenset(["only", "just", "merely"])
_INSTEAD = (("instead", "of"), ("rather", "than"), ("other", "than"), ("apart", "from"))
_UNWANTED = frozenset(["needed", "wanted", "required", "necessary", "desired"])
_DETERMINERS = frozenset(
    [
        "the",
        "this",
        "that",
        "these",
        "those",
        "a",
        "an",
        "our",
        "my",
        "your",
        "his",
        "her",
        "their",
        "its",
        "any",
        "all",
    ]
)
"""What may stand between two words of a phrase, beside the common words that it has itself."""


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int

    @property
    def common(self) -> bool:
        return self.word in STOP_WORDS


def said(text: str, phrase: str) -> str | None:
    """The words of the request that are the phrase, as they were said; None when it does not say it."""
    wanted = spoken(phrase).split()
    content = [stem(word) for word in wanted if word not in STOP_WORDS]
    for clause in _clauses(text):
        for first, last in _places(clause, wanted, content):
            if not _negated(clause, first, last):
                return text[clause[first].start : clause[last].end]
    return None


def negates(text: str) -> bool:
    """Whether anything in the request is negated."""
    return any(_odd(clause) for clause in _clauses(text))


def _clauses(text: str) -> Iterator[Sequence[_Token]]:
    clause: list[_Token] = []
    end = 0
    for found in _WORD.finditer(text):
        words = spoken(_plain(found[0])).split()
        if clause and (_BREAK.search(text, end, found.start()) or (words[:1] and words[0] in _JOINTS)):
            yield clause
            clause = []
        clause += [_Token(word, found.start(), found.end()) for word in words]
        end = found.end()
    if clause:
        yield clause


def _plain(word: str) -> str:
    """`don't` is a not, `the client's` is the client."""
    before, mark, after = re.sub("[\u2019\u02bc]", "'", word).partition("'")
    if not mark:
        return word
    return "not" if after == "t" and before.lower().endswith("n") else before


def _places(clause: Sequence[_Token], wanted: Sequence[str], content: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the phrase begins and ends. A phrase of common words alone is met as it stands."""
    if not content:
        words = [one.word for one in clause]
        size = len(wanted)
        places = range(len(words) - size + 1) if size else ()
        yield from ((at, at + size - 1) for at in places if words[at : at + size] == list(wanted))
        return
    at = [place for place, one in enumerate(clause) if not one.common]
    stems = [stem(clause[place].word) for place in at]
    size = len(content)
    for start in range(len(at) - size + 1):
        window, (first, *_, last) = stems[start : start + size], (*at[start : start + size], at[start + size - 1])
        between = {one.word for one in clause[first : last + 1] if one.common}
        # What is done to something names the same work: `audit this complaint` is a complaint audit.
        turned = size > 1 and window == [content[-1], *content[:-1]] and between <= _DETERMINERS
        if turned or (window == list(content) and between <= _DETERMINERS | {*wanted}):
            yield first, last


def _negated(clause: Sequence[_Token], first: int, last: int) -> bool:
    if _odd(clause[:first]):
        return True
    after = [one.word for one in clause[last + 1 :]]
    return any(one in _NOT and {*after[place:]} & _UNWANTED for place, one in enumerate(after))


def _odd(clause: Sequence[_Token]) -> bool:
    words = [one.word for one in clause]
    return sum(_undoes(words, place) for place in range(len(words))) % 2 == 1


def _undoes(words: Sequence[str], place: int) -> bool:
    word, after = words[place], words[place + 1] if place + 1 < len(words) else ""
    if word in _NOT:
        before = words[place - 1] if place else ""
        return after not in _LIMITS and before != "why"
    return word in _UNDONE or (word, after) in _INSTEAD
