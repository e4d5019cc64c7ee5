"""How many tokens a model's tokenizer would make of a text, without the tokenizer.

Byte-pair tokenizers cut a text between two characters or do not; how often they cut between which two says nearly all
that is needed. So an estimate is a table of pairs of kinds of characters, and the count of a text is the sum over its
pairs. Sums of whole numbers: the same everywhere, and the same for a text as for its lines one by one. How the tables
were made, and how far they are off, is in docs/tokens.md.
"""

from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np
from numpy.typing import NDArray

VERSION = 1
LEVELS = digits + ascii_uppercase + ascii_lowercase
"""A cell of a table is one of these: so many thirtieths of a token."""
PER_TOKEN = 30

KINDS = (
    *ascii_lowercase,
    *(ascii_uppercase, digits, " \u00a0", "\n\r", "\t"),
    *(".,;:!?", "-_/\\", "'\"`", "()[]{}<>", "*#|=+~^%$&@"),
)
"""Kinds of characters by those that are of it. The rest are ranges."""
_LETTERS, _MORE_LETTERS, _ACCENTED, _SIGNS, _SYMBOL, _OTHER = range(len(KINDS), len(KINDS) + 6)
SIZE = len(KINDS) + 6
BY_BYTES = _SYMBOL
"""Of this kind and the next the bytes are counted."""
_RANGES = (
    (_SIGNS, 0x80, 0xC0),
    (_LETTERS, 0xC0, 0x100),
    (_SIGNS, 0xD7, 0xD8),
    (_SIGNS, 0xF7, 0xF8),
    (_MORE_LETTERS, 0x100, 0x250),
    (_ACCENTED, 0x300, 0x370),
    (_ACCENTED, 0x1E00, 0x1F00),
    (_SIGNS, 0x2000, 0x2100),
    (_SYMBOL, 0x2100, 0x2C00),
)
"""Letters of western Europe, of all Europe, of Vietnamese with accents of their own; quotes and dashes; symbols."""
_END = 0x2C00
_EMOJI = 0x1F000


def _table() -> NDArray[np.intp]:
    found = np.full(_END + 1, _OTHER, np.intp)
    found[:0x80] = _SYMBOL  # what no kind names: control characters
    for kind, first, end in _RANGES:
        found[first:end] = kind
    for kind, members in enumerate(KINDS):
        for one in members:
            found[ord(one)] = kind
    return found


_KIND = _table()
_START = np.intp(KINDS.index("\n\r") * SIZE)
"""A text is counted as if a line had ended before it: so the lines of a text add up to the whole."""


class Estimate:
    """The tokens of a family of models, by its table; of several, a twentieth less than by the one that has the most.

    Every table counts a tenth too many, to be safe. The most of several has margin enough for each of them without.
    """

    def __init__(self, family: str, *tables: str) -> None:
        self.name = f"{family}_estimate_{VERSION}"
        self._twentieths = 20 if len(tables) == 1 else 19
        cells = [[LEVELS.index(cell) for cell in "".join(table.split())] for table in tables]
        self._cost = np.array(cells, np.int64)

    def count(self, text: str) -> int:
        """Tokens that the text takes, at most a little less than its tokenizer makes of it."""
        if not text:
            return 0
        codes = _codes(text)
        kinds = _kinds_of(codes)
        beyond = 0 if text.isascii() else _beyond(codes[kinds >= BY_BYTES])
        cost = int(self._cost[:, _pairs(kinds)].sum(1).max()) * self._twentieths
        return -(-cost // (20 * PER_TOKEN)) + beyond

    @staticmethod
    def by_bytes(text: str) -> bool:
        """Whether it holds letters of a script that no table has."""
        if text.isascii():
            return False
        codes = _codes(text)
        return bool(((_kinds_of(codes) == _OTHER) & (codes < _EMOJI)).any())


def pairs_of(text: str) -> NDArray[np.intp]:
    """For each character, the cell of a table that it and the one before it have."""
    return _pairs(_kinds_of(_codes(text)))


def _pairs(kinds: NDArray[np.intp]) -> NDArray[np.intp]:
    pairs = kinds.copy()
    pairs[1:] += kinds[:-1] * SIZE
    pairs[0] += _START
    return pairs


def _codes(text: str) -> NDArray[np.integer]:
    if text.isascii():
        return np.frombuffer(text.encode(), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _kinds_of(codes: NDArray[np.integer]) -> NDArray[np.intp]:
    return _KIND[codes] if codes.dtype == np.uint8 else _KIND[np.minimum(codes, _END)]


def _beyond(codes: NDArray[np.integer]) -> int:
    """Bytes after the first of what the tables count as one token: no tokenizer that works on bytes makes more."""
    return int((codes > 0x7F).sum() + (codes > 0x7FF).sum() + (codes > 0xFFFF).sum())
