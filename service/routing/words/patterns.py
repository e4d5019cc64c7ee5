"""The language of phrases: plain words with a few signs, turned into one expression for each list of phrases.

run (the|my) ... {task}     words; alternatives; a gap of up to six words; a list of words by its name
review* this                any ending
keep? an eye on             may be left out
.. #                        a gap of up to two words; a number
^ check this $              only where a sentence begins, and ends
create a !(list|table) task not before one of these
"""

import re
from collections.abc import Iterator, Mapping, Sequence

LONG_GAP, SHORT_GAP = 6, 2
_TOKEN = re.compile(r"\.\.\.|\.\.|[()|?!^$#]|\{[a-z_]+\}|[a-z0-9]+\*?|\S")
_WORD = re.compile(r"[a-z0-9]+\*?")
_SIGNS = {
    "...": rf"(?:\S+ ){{0,{LONG_GAP}}}?",
    "..": rf"(?:\S+ ){{0,{SHORT_GAP}}}?",
    "#": r"\d\S* ",
    "^": r"\A ",
    "$": r"\Z",
}

Lists = Mapping[str, Sequence[str]]


class PatternInvalid(ValueError):
    """A phrase that is none, with what is wrong with it."""


def compiled(phrases: Sequence[str], lists: Lists) -> re.Pattern[str]:
    """Any of the phrases, in a sentence of folded words with a space before and after each."""
    return re.compile("|".join(f"(?:{one})" for one in (expression(phrase, lists) for phrase in phrases)) or r"(?!)")


def expression(phrase: str, lists: Lists) -> str:
    made = _Reader(phrase, lists).whole()
    return made if made.startswith(r"\A") else rf"(?<= ){made}"


class _Reader:
    def __init__(self, phrase: str, lists: Lists, within: tuple[str, ...] = ()) -> None:
        self._phrase = phrase
        self._lists = lists
        self._within = within
        self._tokens = _TOKEN.findall(phrase)
        self._at = 0

    def whole(self) -> str:
        made = self._sequence()
        if self._at < len(self._tokens):
            raise PatternInvalid(f"{self._tokens[self._at]!r} has no beginning in {self._phrase!r}")
        if not made:
            raise PatternInvalid("a phrase is empty")
        return made

    def _sequence(self) -> str:
        return "".join(self._parts())

    def _parts(self) -> Iterator[str]:
        while (token := self._peek()) not in (None, "|", ")"):
            self._at += 1
            if token == "!":  # noqa: S105 - a sign
                yield f"(?!{self._single(self._next())})"
                continue
            part = self._single(str(token))
            if self._peek() == "?":
                self._at += 1
                part = f"(?:{part})?"
            yield part

    def _single(self, token: str) -> str:
        if token == "(":  # noqa: S105
            return self._alternatives()
        if token.startswith("{"):
            return self._listed(token[1:-1])
        if token in _SIGNS:
            return _SIGNS[token]
        if not _WORD.fullmatch(token):
            raise PatternInvalid(f"{token!r} has no meaning in {self._phrase!r}")
        return f"{token[:-1]}\\S* " if token.endswith("*") else f"{token} "

    def _alternatives(self) -> str:
        arms = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            arms.append(self._sequence())
        if self._peek() != ")":
            raise PatternInvalid(f"a bracket is not closed in {self._phrase!r}")
        self._at += 1
        return f"(?:{'|'.join(arms)})"

    def _listed(self, name: str) -> str:
        if name not in self._lists:
            raise PatternInvalid(f"{self._phrase!r} names the list {name!r}, which there is not")
        if name in self._within:
            raise PatternInvalid(f"the list {name!r} holds itself")
        inside = (*self._within, name)
        arms = sorted(
            (_Reader(one, self._lists, inside).whole() for one in self._lists[name]),
            key=len,
            reverse=True,  # of two that begin alike the longer is meant
        )
        return f"(?:{'|'.join(arms)})"

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> str:
        token = self._peek()
        if token is None:
            raise PatternInvalid(f"{self._phrase!r} ends too early")
        self._at += 1
        return token
