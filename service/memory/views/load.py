"""The facts of a run, by at most five statements."""

import asyncio
from collections.abc import Collection, Iterable
from typing import Any, LiteralString

from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.memory.views import circumstances as held
from service.memory.views import cypher, facts
from service.memory.views.facts import Part, RunFacts
from service.memory.views.index import RunIndex
from service.memory.views.reading import properties_of, reader

MOST = 5_000
"""Entries of one list that are looked at. A run with more says which lists were cut."""

STATEMENTS: dict[Part, LiteralString] = {
    Part.run: cypher.RUN,
    Part.flow: cypher.FLOW,
    Part.trace: cypher.TRACE,
    Part.made: cypher.MADE,
    Part.held: cypher.HELD,
}
_KINDS: dict[str, type[Any]] = {
    "run": facts.Run,
    "task": facts.Named,
    "template": facts.Named,
    "about": facts.Named,
    "goals": facts.GoalLink,
    "documents": facts.DocumentUse,
    "feedback": facts.Named,
    "activations": facts.Activation,
    "gates": facts.Gate,
    "capabilities": facts.CapabilityUse,
    "spans": facts.Span,
    "native_events": facts.NativeEvent,
    "artifacts": facts.Artifact,
    "consumed": facts.Consumption,
    "deliveries": facts.Delivery,
    "snapshots": held.Snapshot,
    "packets": held.Packet,
    "receipts": held.PacketReceipt,
    "checkpoints": held.Checkpoint,
    "sessions": held.Session,
    "interventions": held.Intervention,
    "forks": held.Fork,
    "follow_ups": held.FollowUp,
    "forked_runs": held.ForkedRun,
}
_READERS = {name: reader(kind) for name, kind in _KINDS.items()}
FIELDS = {kind.__name__: names for kind in _KINDS.values() if (names := list(properties_of(kind)))}
"""The properties that are read, for each kind of fact."""
_ASKED = {
    part: {kind: names for kind, names in FIELDS.items() if f"$fields.{kind} |" in text}
    for part, text in STATEMENTS.items()
}


async def load_run(
    database: Database, viewer: Viewer, run_id: str, parts: Collection[Part] = tuple(Part), *, most: int = MOST
) -> RunFacts | None:
    """What the viewer may see of a run, or None when they may not see it or there is none."""
    wanted = [part for part in Part if part is Part.run or part in parts]
    values = {"run_id": run_id, "audiences": viewer.audiences, "most": most + 1}
    values["receipts"] = most + 1 if Part.receipts in wanted else 0
    asked = [part for part in wanted if part in STATEMENTS]
    rows = await asyncio.gather(*(database.read_one(STATEMENTS[part], **values, fields=_ASKED[part]) for part in asked))
    found = [row for row in rows if row is not None]
    # A run may go, or be seen no more, between two statements: then it is not there.
    return _facts(found, frozenset(wanted), most) if len(found) == len(asked) else None


class Runs:
    """Runs as their read models show them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def index(self, viewer: Viewer, run_id: str, parts: Collection[Part]) -> RunIndex | None:
        """A run as of now, or None when there is none that the viewer may see."""
        found = await load_run(self._database, viewer, run_id, parts)
        return RunIndex(found, clock.now()) if found else None


def _facts(rows: Iterable[Row], loaded: frozenset[Part], most: int) -> RunFacts:
    listed: dict[str, list[Row]] = {}
    single: dict[str, Any] = {}
    for row in rows:
        for name, value in row.items():
            if isinstance(value, list):
                listed[name] = [*listed.get(name, ()), *value]
            else:
                single[name] = value and _READERS[name](value)
    lists: dict[str, Any] = {name: tuple(map(_READERS[name], values[:most])) for name, values in listed.items()}
    cut = frozenset(name for name, values in listed.items() if len(values) > most)
    return RunFacts(**single, **lists, loaded=loaded, cut=cut)
