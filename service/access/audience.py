"""Audiences: a data class with a set of matters as one value, so that the firewall is one comparison."""

from collections.abc import Iterable

from graph_schema.fields import DataClass

ADMINISTRATION = "administration"
"""The audience of what was done to principals and keys: those who have the scope admin."""

_ORDER = {one: rank for rank, one in enumerate(DataClass)}


def audience_of(data_class: DataClass | str, matter_ids: Iterable[str]) -> str:
    """The value that a record of this class and these matters carries: `privileged|ent_a,ent_b`."""
    return f"{DataClass(data_class).value}|{','.join(sorted(set(matter_ids)))}"


def stub_audience(principal_id: str) -> str:
    """The value of a record whose class and matters are not known yet: its reporter and administrators see it."""
    return f"stub|{principal_id}"


def strictest(classes: Iterable[DataClass | str]) -> DataClass:
    return max((DataClass(one) for one in classes), key=_ORDER.__getitem__)


def cleared(clearance: DataClass, data_class: DataClass | str) -> bool:
    return _ORDER[clearance] >= _ORDER[DataClass(data_class)]


def rank_of(data_class: DataClass) -> int:
    return _ORDER[data_class]
