"""What a user said, as evidence is read from it: its instruction without what was pasted, sentence by sentence.

A text that is quoted, fenced or handed over to be worked on is material. Nothing in it is a wish of the user, so no
evidence is read from it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from service.matching.request import LONGEST as LONGEST_COMPARED
from service.routing.words.errors import RequestInvalid, RequestTooLong
from service.routing.words.load import Words
from service.words import fold

LONGEST = 20_000
_HEAD, _TAIL = 1_200, 700
"""Of an instruction that is longer than can be compared: what is wanted stands at the beginning or at the end."""

_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED_LINES = re.compile(r"(?m)^\s*>.*$")
_LONG_QUOTE = 8
_QUOTES = re.compile(
    r"“([^”]*)”|\"([^\"\n]*)\"|«([^»]*)»|(?<!\w)['\u2018]((?:[^'\u2019\n]|['\u2019](?=\w))*)['\u2019](?!\w)"
)
_PARAGRAPHS = re.compile(r"\n\s*\n")
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
_APOSTROPHES = re.compile("(?<=\\w)['\u2019\u02bc](?=\\w)")
_CLAUSES = re.compile(r"[,;:.!?()]+(?:\s|$)|\s+(?:and|then|with|plus)\s+|\n+|\s[-\u2013\u2014]\s")
_SHORT, _FEW = 12, 4
_VERB_WITHIN = 4
_WORDS = re.compile(r"[^\W_]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`full` has the folded words with a space before and after each; `line` is without what is only polite before."""

    text: str
    full: str
    line: str
    question: bool


@dataclass(frozen=True)
class Said:
    """A request as evidence is read from it."""

    text: str
    instruction: str
    sentences: tuple[Sentence, ...]
    has_material: bool
    core: str
    """What the work is, to be compared with what is known: of a long instruction the clause that names it.

    Templates are known by short phrases. All that a request says beside, how often, how deep, with whose approval,
    makes it less like any of them.
    """

    @cached_property
    def spoken(self) -> list[str]:
        """All folded words of the instruction."""
        return [word for one in self.sentences for word in one.full.split()]


def said(text: str, words: Words) -> Said:
    _check(text)
    plain = _without_long_quotes(_QUOTED_LINES.sub(" ", _FENCED.sub(" ", text)))
    instruction = _bounded(_instruction(plain, words))
    sentences = tuple(_sentences(instruction, words))
    return Said(
        text=text,
        instruction=instruction,
        sentences=sentences,
        has_material=len(instruction) < len(text.strip()),
        core=_core(instruction, words),
    )


def line_of(text: str) -> str:
    """The folded words with a space before and after each. `don't` and `3,000` are one word, `red-team` two."""
    found = _WORDS.findall(fold(_APOSTROPHES.sub("", _THOUSANDS.sub("", text))))
    return f" {' '.join(found)} " if found else " "


def _core(instruction: str, words: Words) -> str:
    clause = _clause(instruction, words)
    plain = words.phrases["manner"].sub("", line_of(clause)).strip()
    return clause if len(plain.split()) in (0, len(line_of(clause).split())) else plain


def _clause(instruction: str, words: Words) -> str:
    if len(instruction.split()) <= _SHORT:
        return instruction
    clauses = _grown([one.strip() for one in _CLAUSES.split(instruction) if one.strip()])
    at_work = (one for one in clauses if _begins_work(one, words))
    return next(at_work, clauses[0] if clauses else instruction)


def _begins_work(clause: str, words: Words) -> bool:
    """Whether a clause says what is to be done, at its beginning: `a discrepancy report` is what comes of it."""
    line = _plainly(line_of(clause), words)
    begins = f" {' '.join(line.split()[:_VERB_WITHIN])} "
    return bool(words.find("work", begins)) and not words.match("comes_of_it", line)


def _grown(clauses: Sequence[str]) -> list[str]:
    """Clauses of a few words go with what follows them."""
    grown: list[str] = []
    for one in clauses:
        if grown and len(grown[-1].split()) < _FEW:
            grown[-1] = f"{grown[-1]} {one}"
        else:
            grown.append(one)
    return grown


def _sentences(instruction: str, words: Words) -> Iterator[Sentence]:
    for one in _SENTENCES.split(instruction):
        full = line_of(one)
        line = _plainly(full, words)
        if line.strip():
            yield Sentence(one.strip(), full, line, one.rstrip(" \"'”)").endswith("?"))


def _plainly(line: str, words: Words) -> str:
    """Without greetings and politeness at its beginning, so that it begins with what is wanted."""
    while found := words.match("politeness", line):
        line = line[found.end() - 1 :]
    return line


def _instruction(text: str, words: Words) -> str:
    """All but what is handed over: what follows a colon after a verb that works on texts, or an introduction."""
    paragraphs = [one.strip() for one in _PARAGRAPHS.split(text) if one.strip()]
    if not paragraphs:
        return ""
    first = paragraphs[0]
    head, colon, rest = first.partition(":")
    if colon and words.match("works_on_text", _plainly(line_of(head), words)) and len(rest.split()) > 2:
        return head
    if first.endswith(":") or words.find("introduces", line_of(first)):
        return first
    return "\n\n".join([first, *(one for one in paragraphs[1:] if _wishes(one, words))])


def _wishes(paragraph: str, words: Words) -> bool:
    """Whether a further paragraph asks for something. Else it is what the first one is about."""
    full = line_of(paragraph)
    line = _plainly(full, words)
    return line != full or bool(words.find("wish", line))


def _without_long_quotes(text: str) -> str:
    def kept(found: re.Match[str]) -> str:
        inside = next(part for part in found.groups() if part is not None)
        return found[0] if len(inside.split()) <= _LONG_QUOTE else " "

    return _QUOTES.sub(kept, text)


def _bounded(text: str) -> str:
    if len(text) <= LONGEST_COMPARED:
        return text.strip()
    return f"{_whole_words(text[:_HEAD])}\n{_whole_words(text[-_TAIL:], end=True)}".strip()


def _whole_words(text: str, *, end: bool = False) -> str:
    parts: Sequence[str] = text.partition(" ") if end else text.rpartition(" ")
    return parts[2] if end else parts[0] or text


def _check(text: str) -> None:
    if len(text) > LONGEST:
        raise RequestTooLong(LONGEST, len(text))
    for position, char in enumerate(text):
        kind = unicodedata.category(char)
        if kind == "Cs":
            raise RequestInvalid(position, "half a surrogate pair")
        if kind == "Cc" and char not in "\n\r\t":
            raise RequestInvalid(position, "a control character")
