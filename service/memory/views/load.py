"""The facts of a run, by one statement for each part."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, LiteralString, cast

from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.memory.views import circumstances as held
from service.memory.views import cypher, facts
from service.memory.views.facts import Part, RunFacts
from service.memory.views.progress import COMPLETED
from service.memory.views.reading import properties_of, reader

MOST = 5_000
"""Entries of one list that are looked at. A run with more says which lists were cut."""

_BRIEF = {"at_work": 50, "recent": COMPLETED, "finals": 50, "around": 20, "delivered": 200}
"""How much the brief part tells of what there may be any number of."""
_CUT_IN_BRIEF = {"at_work": "at_work", "artifacts": "finals", "deliveries": "delivered"}

STATEMENTS: dict[Part, LiteralString] = {
    Part.run: cypher.RUN,
    Part.brief: cypher.BRIEF,
    Part.flow: cypher.FLOW,
    Part.trace: cypher.TRACE,
    Part.made: cypher.MADE,
    Part.held: cypher.HELD,
}
_KINDS: dict[str, type[Any]] = {
    "run": facts.Run,
    "task": facts.Named,
    "template": facts.Named,
    "tally": facts.Tally,
    "about": facts.Named,
    "goals": facts.GoalLink,
    "documents": facts.DocumentUse,
    "feedback": facts.Named,
    "assessments": facts.Named,
    "signals": facts.Named,
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
    "fork_effects": held.ForkEffect,
}
_INTO = {**dict.fromkeys(("at_work", "ways", "recent", "around"), "activations"), "carried": "artifacts"}
"""Lists of the brief part that hold some of what is in a list of all."""
_ALSO = {**_INTO, "ancestors": "activations"}


_MODULE = reader(facts.SavedModule)


def _graph(row: Row) -> Any:
    return facts.SavedGraph(row["id"], tuple(map(_MODULE, row["modules"])))


_OF_KINDS: dict[str, Callable[[Row], Any]] = {name: reader(kind) for name, kind in _KINDS.items()}
_READERS = {**_OF_KINDS, **{name: _OF_KINDS[into] for name, into in _ALSO.items()}, "graph": _graph}
FIELDS = {kind.__name__: names for kind in _KINDS.values() if (names := list(properties_of(kind)))}
"""The properties that are read, for each kind of fact."""


def asked_of(statement: str) -> dict[str, list[str]]:
    """The properties that a statement is to read, for each kind of fact that it gives."""
    return {kind: names for kind, names in FIELDS.items() if f"$fields.{kind} |" in statement}


_ASKED = {part: asked_of(text) for part, text in STATEMENTS.items()}


async def load_run(
    database: Database, viewer: Viewer, run_id: str, parts: Collection[Part] = tuple(Part), *, most: int = MOST
) -> RunFacts | None:
    """What the viewer may see of a run, or None when they may not see it or there is none."""
    wanted = frozenset((Part.run, *parts))
    found = await _rows(database, viewer, run_id, wanted - {Part.brief} if wanted >= _SAYS_BRIEF else wanted, most)
    if found is None:
        return None
    lacks_brief = Part.brief in wanted and Part.brief not in found and bool(_cut(found, most))
    rest = await _rows(database, viewer, run_id, {Part.brief}, most) if lacks_brief else {}
    return None if rest is None else _facts({**found, **rest}, wanted, most)


_SAYS_BRIEF = frozenset({Part.flow, Part.trace, Part.made})
"""What holds all that the brief part does, unless some of it is cut."""


async def _rows(
    database: Database, viewer: Viewer, run_id: str, parts: Collection[Part], most: int
) -> dict[Part, Row] | None:
    values = {"run_id": run_id, "audiences": viewer.audiences, "most": most + 1}
    values["receipts"] = most + 1 if Part.receipts in parts else 0
    brief = {name: limit + 1 if name in _CUT_IN_BRIEF.values() else limit for name, limit in _BRIEF.items()}
    asked = [part for part in Part if part in parts and part in STATEMENTS]
    own = {part: {**values, **(brief if part is Part.brief else {}), "fields": _ASKED[part]} for part in asked}
    rows = await asyncio.gather(*(database.read_one(STATEMENTS[part], **own[part]) for part in asked))
    found = {part: row for part, row in zip(asked, rows, strict=True) if row is not None}
    # A run may go, or be seen no more, between two statements: then it is not there.
    return found if len(found) == len(asked) else None


def _facts(rows: Mapping[Part, Row], loaded: frozenset[Part], most: int) -> RunFacts:
    brief = rows.get(Part.brief, {})
    cut_in_brief = frozenset(name for name, limit in _CUT_IN_BRIEF.items() if len(brief.get(name, ())) > _BRIEF[limit])
    read = facts_of(rows.values(), most)
    return RunFacts(**read, loaded=loaded, cut=_cut(rows, most), cut_in_brief=cut_in_brief)


def _cut(rows: Mapping[Part, Row], most: int) -> frozenset[str]:
    """The whole lists of which there is more."""
    whole = [row for part, row in rows.items() if part is not Part.brief]
    lists = [
        (name, cast("list[Any]", value)) for row in whole for name, value in row.items() if isinstance(value, list)
    ]
    return frozenset(name for name, values in lists if len(values) > most)


def facts_of(rows: Iterable[Row], most: int) -> dict[str, Any]:
    """What rows hold, by the names of facts. What several lists hold is told once."""
    listed: dict[str, list[Any]] = {}
    found: dict[str, Any] = {}
    for row in rows:
        for name, value in row.items():
            if isinstance(value, list):
                into, some = _INTO.get(name, name), cast("list[Row]", value)[:most]
                listed.setdefault(into, []).extend(map(_READERS[name], some))
            elif name in _READERS:
                found[name] = value and _READERS[name](value)
            else:
                found[name] = value
    return {**found, **{name: tuple(_joined(name, values)) for name, values in listed.items()}}


def _joined(name: str, values: list[Any]) -> Iterable[Any]:
    """The brief part holds some of what the whole lists hold: each once, with all that is known of it."""
    if name not in _IN_BRIEF:
        return values
    found: dict[str, Any] = {}
    for one in values:
        before = found.get(one.id)
        if before is not None and name == "activations":
            triggered = tuple(dict.fromkeys((*before.triggered, *one.triggered)))
            one = replace(one, triggered=triggered, repeated=before.repeated or one.repeated)  # noqa: PLW2901
        found[one.id] = one
    return found.values()


_IN_BRIEF = frozenset({"activations", "gates", "artifacts", "deliveries"})
