"""Bars over time. A long stretch in which nothing begins or ends is drawn short, and says how long it was."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

MOST = 200
LABELS = 236.0
WIDTH = 1160.0
ROW = 20
TOP = 24
LONG = 0.25
"""A stretch is long from this share of the whole."""
DRAWN = 0.12
"""What each long stretch takes of the width."""

Bar = dict[str, Any]


@dataclass(frozen=True)
class Break:
    x: float
    width: float
    length: float


@dataclass(frozen=True)
class Gantt:
    rows: Sequence[Bar]
    breaks: Sequence[Break]
    left: int
    width: float
    height: float
    note: str


@dataclass(frozen=True)
class Scale:
    """Places of moments, between which they lie as they lie in time."""

    stops: tuple[tuple[float, float], ...]

    def place(self, moment: float) -> float:
        for (a, x), (b, y) in pairwise(self.stops):
            if moment <= b:
                return x + (y - x) * ((moment - a) / (b - a) if b > a else 0)
        return self.stops[-1][1] if self.stops else 0


def gantt(bars: Sequence[Bar]) -> Gantt:
    timed = [one for one in bars if one["offsetMs"] is not None]
    shown = sorted(sorted(range(len(timed)), key=lambda at: timed[at]["depth"])[:MOST])
    drawn = [timed[at] for at in shown]
    scale, breaks = scaled([moment for one in drawn for moment in (one["offsetMs"], _end(one))])
    rows = [_row(one, TOP + ROW * at, scale) for at, one in enumerate(drawn)]
    note = "Long stretches without a change are drawn short." if breaks else ""
    return Gantt(rows, breaks, len(timed) - len(drawn), WIDTH, TOP + ROW * len(rows) + 4, note)


def scaled(moments: Sequence[float]) -> tuple[Scale, list[Break]]:
    stops = sorted(set(moments))
    lengths = [b - a for a, b in pairwise(stops)]
    whole = sum(lengths)
    long = [length > LONG * whole for length in lengths]
    rest = sum(length for length, is_long in zip(lengths, long, strict=True) if not is_long)
    if not rest:
        long = [False] * len(lengths)
        rest = whole
    room = (WIDTH - LABELS - 12) * (1 - DRAWN * sum(long))
    x, places, breaks = LABELS, [LABELS], list[Break]()
    for length, is_long in zip(lengths, long, strict=True):
        width = (WIDTH - LABELS - 12) * DRAWN if is_long else room * length / rest
        if is_long:
            breaks.append(Break(x, width, length))
        x += width
        places.append(x)
    return Scale(tuple(zip(stops, places, strict=False))), breaks


def _end(bar: Bar) -> float:
    return bar["offsetMs"] + (bar["lengthMs"] or 0)


def _row(bar: Bar, y: float, scale: Scale) -> Bar:
    x = scale.place(bar["offsetMs"])
    return bar | {"x": round(x, 1), "y": y, "width": round(max(2.0, scale.place(_end(bar)) - x), 1)}
