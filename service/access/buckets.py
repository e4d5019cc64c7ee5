"""Token buckets: so many a second, and a burst. They live in this process alone."""

import time
from collections.abc import Callable

MOST_BUCKETS = 10_000


class Buckets:
    def __init__(self, per_second: float, burst: int, monotonic: Callable[[], float] = time.monotonic) -> None:
        """No more than `per_second` on average and `burst` at once, for each name. Zero a second means no limit."""
        self.per_second = per_second
        self._burst = float(max(burst, 1))
        self._monotonic = monotonic
        self._levels: dict[str, tuple[float, float]] = {}

    def take(self, name: str) -> float:
        """Take one. The answer is 0, or the seconds after which there will be one again."""
        if not self.per_second:
            return 0.0
        now = self._monotonic()
        level, since = self._levels.get(name) or self._new(now)
        level = min(self._burst, level + (now - since) * self.per_second)
        if level < 1.0:
            self._levels[name] = (level, now)
            return (1.0 - level) / self.per_second
        self._levels[name] = (level - 1.0, now)
        return 0.0

    def _new(self, now: float) -> tuple[float, float]:
        if len(self._levels) >= MOST_BUCKETS:
            del self._levels[next(iter(self._levels))]
        return self._burst, now
