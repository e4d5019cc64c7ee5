"""User models: what their owners tell of how they like to be helped. The latest word on a dimension holds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graph_schema.attention.users import UserModel
from graph_schema.model.fields import DataClass
from service import clock
from service.access.audience import Access
from service.attention.errors import OwnerNeeded
from service.attention.reporting.events import HeardEvent
from service.commands.validation import validated
from service.ids import new_id

Values = dict[str, Any]
CERTAIN = 1.0


@dataclass(frozen=True, slots=True)
class Told:
    """What an event tells of its reporter."""

    owner: str
    dimension: str
    value: float
    confidence: float
    at: str
    event: Values
    """The event as a record."""

    @property
    def stamp(self) -> str:
        return f"{self.at} {self.event['event_id']}"

    def link(self) -> Values:
        return {"dimension": self.dimension, "value": self.value, "confidence": self.confidence, "at": self.at}


def check_owner(event: HeardEvent, owner: str, reporter: str) -> None:
    """What a user model says comes from its owner alone."""
    if "dimension" in event.payload and reporter != owner:
        raise OwnerNeeded("The user model", "payload.dimension")


def told_of(event: HeardEvent, owner: str, row: Values) -> Told | None:
    said = event.payload
    if "dimension" not in said:
        return None
    sure = said.get("confidence", CERTAIN)
    return Told(owner, said["dimension"], said["value"], sure, row["occurred_at"], row)


def folded(model: Values | None, told: Iterable[Told], owner: str, at: str) -> tuple[Values, bool]:
    """The model with what was told, and whether anything changed: the same in whatever order it comes."""
    values = dict(model or _new(owner, at))
    stamps = dict(one.split("\t", 1) for one in values.get("stamps", ()))
    changed = model is None
    for one in told:
        if stamps.get(one.dimension, "") < one.stamp:
            stamps[one.dimension] = one.stamp
            values[one.dimension] = one.value
            values[f"{one.dimension}_confidence"] = one.confidence
            changed = True
    values["stamps"] = [f"{name}\t{stamp}" for name, stamp in sorted(stamps.items())]
    if changed and model is not None:
        values["version"] += 1
        values["updated_at"] = clock.not_before(model["updated_at"])
    return values, changed


def _new(owner: str, at: str) -> Values:
    access = Access(DataClass.internal)
    own = {"id": new_id("usmo"), "name": "User model", "created_at": at, "updated_at": at, "owner_id": owner}
    return validated(UserModel, {**own, **access.values(), **access.as_own()})
