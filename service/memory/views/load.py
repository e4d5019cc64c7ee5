"""The facts of a run, by at most five statements."""

import asyncio
from collections.abc import Collection, Iterable
from typing import Any, LiteralString, TypeVar

from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.memory.views import circumstances as held
from service.memory.views import cypher, facts
from service.memory.views.facts import Part, RunFacts

MOST = 5_000
"""Entries of one list that are looked at. A run with more says which lists were cut."""

STATEMENTS: dict[Part, LiteralString] = {
    Part.run: cypher.RUN,
    Part.flow: cypher.FLOW,
    Part.trace: cypher.TRACE,
    Part.made: cypher.MADE,
    Part.held: cypher.HELD,
}
_MODELS: dict[str, type[Any]] = {
    "about": facts.Named,
    "goals": facts.GoalLink,
    "documents": facts.DocumentUse,
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
T = TypeVar("T")


async def load_run(
    database: Database, viewer: Viewer, run_id: str, parts: Collection[Part] = tuple(Part), *, most: int = MOST
) -> RunFacts | None:
    """What the viewer may see of a run, or None when they may not see it or there is none."""
    wanted = [part for part in Part if part is Part.run or part in parts]
    values = {"run_id": run_id, "audiences": viewer.audiences, "most": most + 1}
    values["receipts"] = most + 1 if Part.receipts in wanted else 0
    asked: list[LiteralString] = [STATEMENTS[part] for part in wanted if part in STATEMENTS]
    rows = await asyncio.gather(*(database.read_one(one, **values) for one in asked))
    found = [row for row in rows if row is not None]
    # A run may go, or be seen no more, between two statements: then it is not there.
    return _facts(found, frozenset(wanted), most) if len(found) == len(asked) else None


def _facts(rows: Iterable[Row], loaded: frozenset[Part], most: int) -> RunFacts:
    listed: dict[str, list[Row]] = {}
    single: Row = {}
    for row in rows:
        for name, value in row.items():
            if name in _MODELS:
                listed[name] = [*listed.get(name, ()), *value]
            else:
                single[name] = value
    return RunFacts(
        run=_made(facts.Run, single["run"]),
        task=single["task"] and _made(facts.Named, single["task"]),
        template=single["template"] and _made(facts.Named, single["template"]),
        loaded=loaded,
        cut=frozenset(name for name, values in listed.items() if len(values) > most),
        **{name: tuple(_made(_MODELS[name], one) for one in values[:most]) for name, values in listed.items()},
    )


def _made(model: type[T], row: Row) -> T:
    """Absent values take the model's defaults."""
    return model(
        **{
            name: tuple(value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownArgumentType]
            for name, value in row.items()
            if value is not None
        }
    )
