"""Which event each reported value of a record came from, as the record keeps it."""

from typing import Any


def read_marks(stamps: Any) -> dict[str, str]:
    """`["name,summary 2026… 5 e1 ab12"]` as `{"name": "2026… 5 e1 ab12", …}`."""
    marks: dict[str, str] = {}
    for entry in stamps:
        names, _, stamp = entry.partition(" ")
        marks.update(dict.fromkeys(names.split(","), stamp))
    return marks


def write_marks(marks: dict[str, str]) -> list[str]:
    """One entry for each event that still has a value here: most records are the work of two or three."""
    by_stamp: dict[str, list[str]] = {}
    for name in sorted(marks):
        by_stamp.setdefault(marks[name], []).append(name)
    return [f"{','.join(names)} {stamp}" for stamp, names in sorted(by_stamp.items())]
