"""The viewer of a request: what every statement needs to know about who is asking."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service.access.audience import ADMINISTRATION, Access, cleared
from service.views import Id


class KeyScope(StrEnum):
    """What a key may be used for."""

    read = "read"
    report = "report"
    curate = "curate"
    declassify = "declassify"
    admin = "admin"


class PrincipalKind(StrEnum):
    """What a principal is in the world."""

    person = "person"
    agent = "agent"
    executor = "executor"
    service = "service"


@dataclass(frozen=True, slots=True)
class KeyDefaults:
    """What reports with a key are taken to say where they say nothing: how a new run is remembered, and of what system.

    They are no rights: whoever reports gives away no more than they hold, by default or otherwise.
    """

    memory_mode: MemoryMode | None = None
    data_class: DataClass | None = None
    matter_ids: tuple[str, ...] | None = None
    source: str | None = None

    def policy(self) -> dict[str, Any]:
        """What they say about how a run is remembered."""
        said = {"memory_mode": self.memory_mode, "data_class": self.data_class, "matter_ids": self.matter_ids}
        return {name: value for name, value in said.items() if value is not None}


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
    key_id: str | None = None
    """The key that was used; None for the service's own viewers."""
    kind: PrincipalKind = PrincipalKind.person
    """What only a person may decide, an agent's or a service's key cannot."""
    defaults: KeyDefaults = KeyDefaults()
    hashed: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]], hash=False)
    """The matters of those audiences that have too many to tell them."""

    def matters_of(self, audience: str) -> frozenset[str]:
        """The matters of one of the audiences."""
        listed = self.hashed.get(audience)
        return frozenset(audience.rpartition("|")[2].split(",")) - {""} if listed is None else listed

    def may_see(self, access: Access) -> bool:
        """The rule of the firewall, literally: clearance for the class, and all of the matters."""
        return cleared(self.clearance, access.data_class) and self.is_in(access.matter_ids)

    def is_in(self, matter_ids: Iterable[str]) -> bool:
        return self.all_matters or self.matter_ids.issuperset(matter_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewerInfo:
    """Who is asking, and what they may see and do."""

    name: Annotated[str, "Name of the principal."]
    principal_id: Annotated[Id, "Id of the principal."]
    kind: Annotated[PrincipalKind, "What they are: some things are decided by a person only, whatever the key."]
    scopes: Annotated[tuple[KeyScope, ...], "What the key may be used for."]
    clearance: Annotated[DataClass, "The most sensitive class that they may see."]
    matters: Annotated[tuple[Id, ...] | None, "Ids of the matters that they are a member of; null means all matters."]

    @classmethod
    def of(cls, viewer: Viewer) -> "ViewerInfo":
        return cls(
            name=viewer.name,
            principal_id=viewer.principal_id,
            kind=viewer.kind,
            scopes=tuple(sorted(viewer.scopes)),
            clearance=viewer.clearance,
            matters=None if viewer.all_matters else tuple(sorted(viewer.matter_ids)),
        )


def _of_the_service(name: str) -> Viewer:
    """A viewer that the service itself acts as. It has no node and no key, and sees no records."""
    return Viewer(
        name,
        name,
        frozenset({KeyScope.admin}),
        DataClass.public,
        frozenset(),
        False,
        (ADMINISTRATION,),
        kind=PrincipalKind.service,
    )


OPERATOR = _of_the_service("operator")
"""Whoever has the database's password and uses the command line: they could write to the graph directly."""

SIGN_IN = _of_the_service("sign_in")
"""The sign-in page, which turns a one-time token into a session."""

SHARING = _of_the_service("sharing")
"""Somebody who has the link of a share, and is nobody else here: what they do is kept."""
