"""The text of a prompt: its sentences with their places, what language it is in, its hash. Pure."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from service.knowledge.errors import PromptEmpty, PromptTooLarge

MOST = 20_000
"""Characters of a prompt: what is longer carries documents, which have a place of their own."""

_END = re.compile(
    r"""(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\bNo)(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)[.!?]["')\]]*(?=\s|$)|\n+"""
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a line of its own, and where it stands."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def checked(text: str, field: str = "text") -> str:
    """A text that can be read as a prompt, or the reason why it is none."""
    if not text.strip():
        raise PromptEmpty(field)
    if len(text) > MOST:
        raise PromptTooLarge(field, MOST, len(text))
    return text


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def sentences(text: str) -> tuple[Sentence, ...]:
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[Sentence]:
    begin = 0
    for found in (*_END.finditer(text), None):
        piece = text[begin : found.end() if found else len(text)]
        if piece.strip():
            lead = len(piece) - len(piece.lstrip())
            yield Sentence(piece.strip(), begin + lead)
        begin = found.end() if found else begin


_COMMON: Mapping[str, frozenset[str]] = {
    name: frozenset(small.split())
    for name, small in yaml.safe_load((Path(__file__).parent / "languages.yaml").read_text()).items()
}
_FEW = 4
_ENOUGH = 12
_LEAST = 0.08
"""A text of some length in one of these languages has at least so many of its small words."""


_WRAP = re.compile(r"(?<=[^\n]{50})\n(?=[ \t]*[a-z(])")
"""A line that was broken because it was long: the next goes on in small letters."""


def plain(text: str) -> str:
    """The same with straight apostrophes and unbroken lines: as many characters, so that places stay."""
    return _WRAP.sub(" ", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))


def words(text: str) -> list[str]:
    return _WORD.findall(plain(text).lower())


def language_of(text: str) -> str | None:
    """The language that a text is in, by its small words; None where nothing tells. Few words may be of any."""
    found = words(text)
    if not found:
        return None
    if sum(one.isascii() for one in found) < len(found) / 2:
        return None
    counts = {name: sum(one in small for one in found) for name, small in _COMMON.items()}
    best = max(counts.values())
    if len(found) >= _ENOUGH and best < len(found) * _LEAST:
        return None
    if counts["English"] == best or (len(found) <= _FEW and best <= 1):
        return "English"
    return max(counts, key=lambda name: counts[name])
