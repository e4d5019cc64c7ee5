"""Points over time, from 0 to 1: the earliest on the left."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

WIDTH, HIGH = 640, 120
LEFT, TOP = 34, 10
LINES = (0.0, 0.5, 1.0)
LEAST = 3
"""Fewer say nothing over time."""

Point = tuple[str, float, dict[str, Any]]


def points(given: Sequence[Point]) -> dict[str, Any] | None:
    """Each has its moment, its value and what it is of. None where there are too few."""
    if len(given) < LEAST:
        return None
    moments = [datetime.fromisoformat(at).timestamp() for at, _, _ in given]
    drawn = [
        {"x": _across(moment, moments), "y": _down(value), "value": value, "of": of}
        for moment, (_, value, of) in zip(moments, given, strict=True)
    ]
    lines = [{"y": _down(one), "value": one} for one in LINES]
    return {"points": drawn, "lines": lines, "width": WIDTH, "height": HIGH, "left": LEFT}


def _across(moment: float, moments: Sequence[float]) -> float:
    first, last = min(moments), max(moments)
    share = (moment - first) / (last - first) if last > first else 0.5
    return round(LEFT + 10 + share * (WIDTH - LEFT - 20), 1)


def _down(value: float) -> float:
    return round(TOP + (1 - min(max(value, 0), 1)) * (HIGH - 2 * TOP), 1)
