"""What a record is called, and what it was before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph_schema.registry import Registry
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.records import cypher


@dataclass(frozen=True, slots=True)
class FormerState:
    """A state that a record was in, until it was replaced."""

    version: int
    replaced_at: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FormerLink:
    """A link as it was, until it was changed or taken away."""

    type: str
    head: str
    replaced_at: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class History:
    states: list[FormerState]
    links: list[FormerLink]


@dataclass(frozen=True, slots=True)
class Named:
    """All that a record is called."""

    id: str
    source: str | None
    key: str | None


async def named(
    database: Database, viewer: Viewer, refs: Sequence[RecordRef], kinds: Sequence[str] = ()
) -> dict[str, Named]:
    """The records that references name, if they are of such kinds. What is hidden reads as what is not there."""
    rows = [
        {"handle": str(one), "id": one.id, "source": one.source, "key": one.key, "kinds": list(kinds)} for one in refs
    ]
    found = await database.read_one(cypher.NAMED, refs=rows, audiences=viewer.audiences)
    return {handle: Named(*names) for handle, *names in found["found"]} if found else {}


async def history(database: Database, registry: Registry, viewer: Viewer, record_id: str, first: int) -> History:
    """Former states and links of a record, newest first. A record that is not there has none."""
    row = await database.read_one(cypher.HISTORY, id=record_id, audiences=viewer.audiences, first=first)
    if row is None:
        return History([], [])
    kind = registry.type_of_id(record_id)
    shown = {name for name, one in kind.fields.items() if not one.hidden} if kind else set[str]()
    return History([_state(one, shown) for one in row["states"]], [_link(one) for one in row["links"]])


def _state(former: dict[str, Any], shown: set[str]) -> FormerState:
    values = {name: value for name, value in sorted(former.items()) if name in shown}
    return FormerState(former["version"], former["replaced_at"], values)


_LINK_OWN = {"record_id", "link_type", "link_head", "replaced_at"}


def _link(former: dict[str, Any]) -> FormerLink:
    values = {name: value for name, value in sorted(former.items()) if name not in _LINK_OWN}
    return FormerLink(former["link_type"], former["link_head"], former["replaced_at"], values)
