"""The viewer of a request: what every statement needs to know about who is asking."""

from dataclasses import dataclass
from enum import StrEnum

from graph_schema.fields import DataClass


class KeyScope(StrEnum):
    """What a key may be used for."""

    read = "read"
    report = "report"
    curate = "curate"
    admin = "admin"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A principal as the firewall sees it. `audiences` is what `audience IN $audiences` is tested against."""

    principal_id: str
    name: str
    scopes: frozenset[KeyScope]
    clearance: DataClass
    matter_ids: frozenset[str]
    all_matters: bool
    audiences: tuple[str, ...]
