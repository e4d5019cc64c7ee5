"""What a broad scope declares to look at, and whether something is within it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.context.relations import OPENABLE
from graph_schema.model.fields import DataClass
from graph_schema.model.record import HIDDEN_STATES
from service.access.viewer import Viewer
from service.context.packets import cypher
from service.graph.database import Database
from service.memory.reporting.fold import ENDED
from service.memory.reporting.policy import PRIVATE

Row = Mapping[str, Any]
MOST = 100
"""So many records are looked at, the latest first."""

_BY_TEXT = frozenset({"Memory", "Task"})
"""What is looked through where a text is all that is declared. Each must fit it."""

_BROUGHT = frozenset({"offered", "declared", "library"})
_CLASSES = frozenset(DataClass)
_EVER = ("", "~")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a broad scope declares: things, kinds of record, a span of time. Without things its text decides."""

    text: str
    reaches: frozenset[str] = frozenset()
    libraries: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    since: str = _EVER[0]
    until: str = _EVER[1]

    @property
    def by_text(self) -> bool:
        """Whether what is within must fit the text: a kind or a span of time says nothing of what it is about."""
        return not (self.reaches or self.libraries)

    @property
    def of_text_alone(self) -> bool:
        return self.by_text and not self.kinds and (self.since, self.until) == _EVER

    def holds(self, label: str, row: Row) -> bool:
        """Whether a candidate that somebody brought up is within. What is only shown on a surface never is."""
        if label not in (self.kinds or OPENABLE) or not {one["way"] for one in row["ways"]} & _BROUGHT:
            return False
        values: Row = row["properties"]
        at = values.get("started_at") or values.get("produced_at") or values["created_at"]
        if not self.since <= at < self.until:
            return False
        if row["in_library"] or values["id"] in self.libraries:
            return True
        return bool(row["touches"]) or not (self.reaches or self.libraries)


def bounds_of(envelope: Row) -> Bounds | None:
    if not envelope.get("broad_scope"):
        return None
    reaches: list[Row] = envelope.get("reaches") or []
    return Bounds(
        text=envelope["broad_scope"],
        reaches=frozenset(one["id"] for one in reaches if not one["library"]),
        libraries=frozenset(one["id"] for one in reaches if one["library"]),
        kinds=frozenset(envelope.get("broad_kinds") or ()),
        since=envelope.get("broad_since") or _EVER[0],
        until=envelope.get("broad_until") or _EVER[1],
    )


async def declared(database: Database, viewer: Viewer, bounds: Bounds, run: Row) -> list[str]:
    """Ids of what lies within the bounds, as far as the viewer sees it."""
    kinds = bounds.kinds or (_BY_TEXT if bounds.of_text_alone else OPENABLE)
    row = await database.read_one(
        cypher.DECLARED,
        audiences=viewer.audiences,
        asked={
            "reaches": sorted(bounds.reaches | bounds.libraries),
            "declared_audiences": _audiences(viewer, bounds),
            "kinds": sorted(kinds),
            "since": bounds.since,
            "until": bounds.until,
            "most": MOST,
            "hidden_states": list(HIDDEN_STATES),
            "run_id": run["id"],
            "began_at": run["began_at"],
            "ended": list(ENDED),
            "forgotten": list(PRIVATE),
        },
    )
    return row["ids"] if row else []


def seen_audiences(viewer: Viewer) -> list[str]:
    """The audiences of all records that somebody sees. Those of stubs and of administration begin with no class."""
    return sorted(one for one in viewer.audiences if one.partition("|")[0] in _CLASSES)


def _audiences(viewer: Viewer, bounds: Bounds) -> list[str]:
    """Of all that the viewer sees, what belongs to a matter that is declared; where nothing is, everything."""
    seen = seen_audiences(viewer)
    if not bounds.reaches and not bounds.libraries:
        return sorted(seen)
    return sorted(one for one in seen if viewer.matters_of(one) & bounds.reaches)
