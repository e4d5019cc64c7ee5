"""The figures of a run, and whether each meets its bar."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    what: str
    value: float
    unit: str
    bar: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        if self.bar is None:
            return None
        return self.value >= self.bar if self.at_least else self.value <= self.bar


@dataclass
class Report:
    figures: list[Figure] = field(default_factory=list[Figure])

    def add(self, what: str, value: float, unit: str, **more: Any) -> None:
        self.figures.append(Figure(what, round(value, 3), unit, **more))

    def show(self) -> None:
        width = max((len(one.what) for one in self.figures), default=0)
        for one in self.figures:
            bar = "" if one.bar is None else f"{'at least' if one.at_least else 'at most'} {one.bar:g}"
            verdict = {None: "", True: "met", False: "MISSED"}[one.met]
            print(f"{one.what:<{width}}  {one.value:>10.2f} {one.unit:<12} {bar:<14} {verdict:<7} {one.note}")

    def as_json(self) -> list[dict[str, Any]]:
        return [{**asdict(one), "met": one.met} for one in self.figures]
