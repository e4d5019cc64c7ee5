"""Times the stages of one search."""

import time

from service.search.answer import StageTime


class Watch:
    def __init__(self) -> None:
        self._laps: list[StageTime] = []
        self._start = self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self._laps.append(StageTime(stage, round((now - self._last) * 1000, 3)))
        self._last = now

    def timings(self) -> tuple[StageTime, ...]:
        return (*self._laps, StageTime("total", round((time.perf_counter() - self._start) * 1000, 3)))
