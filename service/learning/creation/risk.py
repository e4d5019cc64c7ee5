"""Which side effects are risky: those that reach somebody outside, cost something, or cannot be undone."""

from collections.abc import Iterable

HARMLESS = frozenset({"none", "read", "read_only", "download", "draft", "file_write", "internal_write", "notify_self"})
"""What can be undone, or reaches nobody. A class that nobody has said this of is risky: unknown is high."""


def risky(side_effect_classes: Iterable[str]) -> list[str]:
    return sorted({*side_effect_classes} - HARMLESS)
