"""Audiences: a data class with a set of matters as one value, so that the firewall is one comparison."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graph_schema.model.fields import DataClass

ADMINISTRATION = "administration"
"""The audience of what was done to principals and keys: those who have the scope admin."""

MOST_MATTERS_OF_A_STUB = 8
"""What is named from more matters than this is of none of them: its reporters and administrators alone see it."""

LONGEST = 200
"""An index takes no value of more than some 8,000 bytes; beyond this many characters the matters are told by a hash."""

_STUB = "stub|"
_ORDER = {one: rank for rank, one in enumerate(DataClass)}


@lru_cache(maxsize=10_000)
def _audience(data_class: str, matter_ids: frozenset[str]) -> str:
    matters = sorted(matter_ids)
    listed = ",".join(matters)
    if len(listed) > LONGEST:
        # The first matter stays in front: whoever is looked up by their matters is found by this one.
        listed = f"{matters[0]},#{hashlib.sha256(listed.encode()).hexdigest()}"
    return f"{data_class}|{listed}"


def audience_of(data_class: DataClass | str, matter_ids: Iterable[str]) -> str:
    """The value that a record of this class and these matters carries: `privileged|ent_a,ent_b`."""
    return _audience(DataClass(data_class).value, frozenset(matter_ids))


def stub_audience(principal_ids: Iterable[str]) -> str:
    """The value of what is named from too many matters: those who reported it and administrators see it."""
    return _STUB + ",".join(sorted(set(principal_ids)))


def is_stub_audience(audience: str) -> bool:
    return audience.startswith(_STUB)


def strictest(classes: Iterable[DataClass | str]) -> DataClass:
    return max((DataClass(one) for one in classes), key=_ORDER.__getitem__)


def cleared(clearance: DataClass, data_class: DataClass | str) -> bool:
    return _ORDER[clearance] >= _ORDER[DataClass(data_class)]


def rank_of(data_class: DataClass) -> int:
    return _ORDER[data_class]


@dataclass(frozen=True, slots=True)
class Access:
    """Who may see a record: whoever is cleared for its class and has all of its matters."""

    data_class: DataClass = DataClass.public
    matter_ids: frozenset[str] = frozenset()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Access":
        """That of a record, with what it inherits."""
        return cls(DataClass(values["data_class"]), frozenset(values["matter_ids"]))

    @classmethod
    def own(cls, values: Mapping[str, Any]) -> "Access":
        """That which a record was given, before it inherits."""
        return cls(DataClass(values["own_data_class"]), frozenset(values["own_matter_ids"]))

    def joined(self, *others: "Access") -> "Access":
        """As closed as all of them: the strictest class, the union of the matters."""
        ones = (self, *others)
        matters = frozenset[str]().union(*(one.matter_ids for one in ones))
        return Access(strictest(one.data_class for one in ones), matters)

    def covers(self, other: "Access") -> bool:
        """Whether whoever may see this may see the other."""
        return self.matter_ids >= other.matter_ids and _ORDER[self.data_class] >= _ORDER[other.data_class]

    @property
    def audience(self) -> str:
        return audience_of(self.data_class, self.matter_ids)

    def values(self) -> dict[str, Any]:
        """As properties of a record."""
        return {
            "data_class": self.data_class.value,
            "matter_ids": sorted(self.matter_ids),
            "audience": self.audience,
        }

    def as_own(self) -> dict[str, Any]:
        return {"own_data_class": self.data_class.value, "own_matter_ids": sorted(self.matter_ids)}


def of_stub(access: Access, reporters: Iterable[str]) -> dict[str, Any]:
    """Properties of what is only named so far: as closed as all that names it, while that are few matters."""
    if len(access.matter_ids) <= MOST_MATTERS_OF_A_STUB:
        return access.values()
    return {"data_class": access.data_class.value, "matter_ids": [], "audience": stub_audience(reporters)}


def audience_row(values: Mapping[str, Any]) -> dict[str, Any]:
    """The node for the audience of a record with these properties."""
    data_class = DataClass(values["data_class"])
    audience: str = values["audience"]
    reporters = audience.removeprefix(_STUB).split(",") if is_stub_audience(audience) else list[str]()
    return {
        "audience": audience,
        "data_class": data_class.value,
        "rank": rank_of(data_class),
        "matter_ids": list(values["matter_ids"]),
        "principal_ids": reporters,
    }
