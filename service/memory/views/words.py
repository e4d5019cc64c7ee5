"""What read models share: how times, money and lists are put into words."""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from service import clock

T = TypeVar("T")
MICROS = 1_000_000


def like(model: type[T], fact: object, **own: Any) -> T:
    """A part of a read model that says what a fact says, in the same words but for those that are given."""
    for name in _names(model):
        if name not in own:
            own[name] = getattr(fact, name)
    return model(**own)


@cache
def _names(model: type[Any]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(model))


def duration(milliseconds: int) -> str:
    """`49m 12s`: the two largest units that are not nought."""
    seconds, hundredths = milliseconds // 1000, milliseconds % 1000 // 10
    if seconds < 10:
        return f"{seconds}.{hundredths:02d}s"
    parts = ((seconds // 86_400, "d"), (seconds // 3_600 % 24, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s"))
    told = [f"{count}{unit}" for count, unit in parts if count]
    return " ".join(told[:2])


def money(dollars: float) -> str:
    """To the cent, and small sums as exactly as they are counted."""
    return f"${dollars:,.2f}" if dollars >= 0.01 or not dollars else f"${dollars:.6f}".rstrip("0")


def listed(names: Sequence[str], most: int = 4) -> str:
    """`a, b and c`; of many, the first few and how many more."""
    shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


def counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """With a full stop, if it has no end of its own."""
    text = text.strip()
    return text if not text or text[-1] in ".!?" else f"{text}."


def micros(dollars: float | None) -> int:
    """Whole millionths: sums do not depend on their order."""
    return round((dollars or 0) * MICROS)


def between(start: str | None, end: str | None) -> int | None:
    """Milliseconds from one time to another, never fewer than nought."""
    if start is None or end is None:
        return None
    return max(0, round((clock.parse(end) - clock.parse(start)).total_seconds() * 1000))
