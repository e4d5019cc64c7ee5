"""A line of small bars: how long each run took, the newest on the right, and how it ended."""

from collections.abc import Sequence
from typing import Any

MOST = 24
STEP, WIDE, HIGH = 5, 4, 20


def sparks(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """`runs` are the newest first. One that did not tell how long it took is a dot."""
    shown = [*runs[:MOST]][::-1]
    most = max((one["durationMs"] or 0 for one in shown), default=0) or 1
    bars = [_bar(at, one, most) for at, one in enumerate(shown)]
    return {"bars": bars, "width": STEP * len(bars), "height": HIGH}


def _bar(at: int, run: dict[str, Any], most: float) -> dict[str, Any]:
    high = max(2.0, round(HIGH * (run["durationMs"] or 0) / most, 1))
    return {"x": STEP * at, "y": HIGH - high, "width": WIDE, "height": high} | {
        name: run[name] for name in ("id", "name", "status", "durationMs")
    }
