"""The history of runs: which fit, newest first, a page at a time, or why none does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar, LiteralString

from graph_schema.memory.words import IntakeLevel
from graph_schema.model.names import api_name
from service.access.viewer import Viewer
from service.graph.database import Database
from service.graph.reads.cursors import Place
from service.memory.history import cypher
from service.memory.history.request import EARLIEST, KINDS, LATEST, HistoryFilter, HistoryRequest, cursor_of
from service.views import CountedPage, Linked, page_facts

WITHIN_RUN = (IntakeLevel.no_capture, IntakeLevel.run_only)
BEYOND_RUN = [one.value for one in IntakeLevel if one not in WITHIN_RUN]
MOST_SEEKS = 500
"""So many places in an index are sought; for more, the list is read in its order."""

Anchor = tuple[LiteralString, LiteralString]
_WIDEST = 1.7e308
_BY_OWN_KEY = frozenset({"tasks", "templates"})
"""A run itself says what the executor calls its task: who sees the run can ask by that, whether they see the task."""


class HistoryEmptyReason(StrEnum):
    """Why no run is shown."""

    no_data = "no_data"
    all_filtered = "all_filtered"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHistoryEdge:
    """A run in the history."""

    run_id: str
    cursor: Annotated[str, "Where the run stands in the history."]
    node: ClassVar = Linked("run_id", "The run.", "Run")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHistoryConnection(CountedPage):
    """Runs, the latest start first, or why there are none."""

    edges: Annotated[tuple[TaskHistoryEdge, ...], "The runs of the page with their cursors."]
    empty_reason: Annotated[HistoryEmptyReason | None, "Why there are no runs; null when there are some."]
    explanation: Annotated[str | None, "The reason in a sentence."]
    nodes: ClassVar = Linked("run_ids", "The runs of the page.", "Run", many=True)

    @property
    def run_ids(self) -> list[str]:
        return [one.run_id for one in self.edges]


class TaskHistory:
    """Runs that have started, a page at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, viewer: Viewer, request: HistoryRequest) -> TaskHistoryConnection:
        place = request.place()
        found = await runs_found(self._database, viewer, request.filter, request.first + 1, place)
        edges = tuple(
            TaskHistoryEdge(run_id=run_id, cursor=cursor_of(at, run_id)) for run_id, at in found[: request.first]
        )
        reason, explanation = None, None
        if not edges and place is None:
            reason, explanation = await _why_empty(self._database, viewer, request.filter)
        return TaskHistoryConnection(
            edges=edges,
            page_info=page_facts([one.cursor for one in edges], request.after, has_next=len(found) > request.first),
            count=partial(_counted, self._database, viewer, request.filter),
            empty_reason=reason,
            explanation=explanation,
        )


async def runs_found(
    database: Database, viewer: Viewer, wanted: HistoryFilter, limit: int, place: Place | None = None
) -> list[tuple[str, str]]:
    """Id and start of the runs that fit, newest first."""
    found = await _read(cypher.page, database, viewer, wanted, limit, place)
    return [(run_id, at) for run_id, at in found or ()]


async def _counted(database: Database, viewer: Viewer, wanted: HistoryFilter) -> int:
    """How many runs fit."""
    return await _read(cypher.count, database, viewer, wanted) or 0


async def _read(  # noqa: PLR0917 - what a page needs beyond a count comes last
    write: Callable[[Anchor, list[LiteralString]], LiteralString],
    database: Database,
    viewer: Viewer,
    wanted: HistoryFilter,
    limit: int = 0,
    place: Place | None = None,
) -> Any:
    """What the statement finds; None where a filter names nothing that the viewer sees."""
    named = await _named(database, viewer, wanted)
    given = wanted.given()
    if any(name in named and not named[name] for name in given):
        return None
    parameters = {**_values(wanted), **named, **_bounds(wanted, place), "audiences": viewer.audiences, "limit": limit}
    row = await database.read_one(write(*_parts(given, parameters, len(viewer.audiences))), **parameters)
    return row["found"] if row else None


async def _named(database: Database, viewer: Viewer, wanted: HistoryFilter) -> dict[str, list[Any]]:
    """The records that the filters name: tasks and templates by what executors call them, others by their ids."""
    named: dict[str, list[Any]] = {name: [] for name in KINDS if getattr(wanted, name)}
    refs: list[dict[str, Any]] = []
    for name in named:
        for one in getattr(wanted, name):
            if name in _BY_OWN_KEY and one.id is None:
                named[name] += [{"source": one.source, "key": one.key}]
            else:
                refs.append({"filter": name, "kind": KINDS[name], "id": one.id, "source": one.source, "key": one.key})
    row = await database.read_one(cypher.NAMED, refs=refs, audiences=viewer.audiences) if refs else None
    for one in row["found"] if row else ():
        own = {"source": one["source"], "key": one["key"]}
        named[one["filter"]].append(own if one["filter"] in _BY_OWN_KEY else one["id"])
    return named


def _parts(given: Sequence[str], parameters: dict[str, Any], audiences: int) -> tuple[Anchor, list[LiteralString]]:
    """How runs are found, and what narrows them down."""
    anchor = next((name for name in cypher.ANCHORS if name in given), None)
    seeks = audiences * (len(parameters[anchor]) if anchor else 1)
    if anchor != "about" and seeks > MOST_SEEKS:
        return cypher.BY_START, [cypher.PREDICATES[name] for name in given]
    found = cypher.ANCHORS[anchor] if anchor else cypher.BY_AUDIENCE
    return found, [cypher.PREDICATES[name] for name in given if name != anchor]


def _values(wanted: HistoryFilter) -> dict[str, Any]:
    lists = {name: list(getattr(wanted, name)) for name in _WORDS}
    return {
        **lists,
        "artifacts_kept": wanted.artifacts_kept,
        "beyond_run": BEYOND_RUN,
        "min_score": _or(wanted.min_score, -_WIDEST),
        "max_score": _or(wanted.max_score, _WIDEST),
        "min_cost_usd": _or(wanted.min_cost_usd, 0),
        "max_cost_usd": _or(wanted.max_cost_usd, _WIDEST),
        "with_errors": wanted.with_errors,
        "assessed": wanted.assessed,
        "min_quality": _or(wanted.min_quality, 0),
        "max_quality": _or(wanted.max_quality, 1),
    }


_WORDS = ("statuses", "trigger_kinds", "output_kinds", "failure_codes")


def _bounds(wanted: HistoryFilter, place: Place | None) -> dict[str, Any]:
    return {
        "from": wanted.started_from or EARLIEST,
        "before": wanted.started_before or LATEST,
        "to": place.value if place else LATEST,
        "after": place.id if place else "",
    }


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


async def _why_empty(database: Database, viewer: Viewer, wanted: HistoryFilter) -> tuple[HistoryEmptyReason, str]:
    """From what the viewer may see alone: what is hidden from them and what is not there read the same."""
    row = await database.read_one(cypher.ANY_RUN, audiences=viewer.audiences)
    if not row or not row["there"]:
        return HistoryEmptyReason.no_data, "There is no run yet that you may see."
    given = wanted.given()
    alone = [name for name in given if not await runs_found(database, viewer, wanted.only(name), 1)]
    if alone:
        return HistoryEmptyReason.all_filtered, f"No run that you may see passes {_listed(alone)}."
    return HistoryEmptyReason.all_filtered, f"Some runs pass each of {_listed(given)}, but none passes all of them."


def _listed(names: Sequence[str]) -> str:
    kind = "the filters" if len(names) > 1 else "the filter"
    return f"{kind} {', '.join(api_name(name) for name in names)}"
