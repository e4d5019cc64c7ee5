"""What a replay answers: something that was decided once is decided again, from what was known at the time."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from service.views import Id


class ReplayOutcome(StrEnum):
    """What came of a replay."""

    identical = "identical"
    different = "different"
    not_in_full = "not_in_full"
    not_kept = "not_kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayDifference:
    """Something that comes out otherwise."""

    record_id: Annotated[Id, "The record."]
    name: Annotated[str, "What people call it."]
    then: Annotated[str, "What became of it then."]
    now: Annotated[str, "What becomes of it now."]
