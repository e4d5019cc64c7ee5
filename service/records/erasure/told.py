"""What a run told about records that stay when it is erased."""

from collections.abc import Iterable, Mapping
from typing import Any

from graph_schema.model.parts import ERASED
from graph_schema.model.record import RecordType
from service.records.stamps import read_marks, write_marks

Values = dict[str, Any]


def without(
    kind: RecordType, values: Mapping[str, Any], told: frozenset[str], artifacts: frozenset[str]
) -> Values | None:
    """The values of a record without those that came from these events, and without the keys of these artifacts.

    The place of such an event in the order of all stays known, its name does not. None when nothing has to go.
    """
    marks = read_marks(values.get("stamps", ()))
    taken = {name for name, stamp in marks.items() if _event(stamp) in told}
    named = {"artifact_key"} if values.get("artifact_key") in artifacts else set[str]()
    if not taken and not named:
        return None
    left = {name: value for name, value in values.items() if name not in taken | named}
    kept = {name: _unnamed(stamp) if name in taken else stamp for name, stamp in marks.items()}
    return {**_needed(kind, values, taken), **left, "stamps": write_marks(kept)}


def _is_needed(kind: RecordType, name: str) -> bool:
    return name in kind.fields and kind.fields[name].required


def _needed(kind: RecordType, values: Mapping[str, Any], taken: Iterable[str]) -> Values:
    """Words for what a record cannot be without: its outside key stands for its name."""
    return {name: str(values.get("source_key", ERASED))[:200] for name in taken if _is_needed(kind, name)}


def _event(stamp: str) -> str:
    """`2026… 5 e1 ab12` without its time and rank: what the event was called, and the beginning of its hash."""
    return stamp.split(" ", 2)[-1]


def _unnamed(stamp: str) -> str:
    at, rank, event = stamp.split(" ", 2)
    return f"{at} {rank} {event.rpartition(' ')[2]}"
