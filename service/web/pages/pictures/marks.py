"""A text in pieces, some of them marked."""

from collections.abc import Iterable, Sequence
from typing import Any

Span = tuple[int, int]
"""Where a piece begins, and where it has ended."""


def pieces(text: str, spans: Iterable[Span]) -> list[dict[str, Any]]:
    """The text in order, in pieces that are marked or not."""
    pieces: list[dict[str, Any]] = []
    at = 0
    for start, end in _joined(sorted(spans)):
        pieces += [{"text": text[at:start], "marked": False}, {"text": text[start:end], "marked": True}]
        at = end
    return [one for one in [*pieces, {"text": text[at:], "marked": False}] if one["text"]]


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Those that overlap are one."""
    found: list[Span] = []
    for start, end in spans:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
