"""How a task or a template does in operation, over the runs that the viewer may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, LiteralString

from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.graph.reads.cursors import decode, encode
from service.memory.statistics import cypher
from service.memory.statistics.paging import COMMON, EARLIEST, RECENT, check_first

_STATEMENTS: dict[str, LiteralString] = {"Task": cypher.OF_TASKS, "Template": cypher.OF_TEMPLATES}


class TaskTab(StrEnum):
    """Which tasks a list shows."""

    active = "active"
    scheduled = "scheduled"
    saved = "saved"


class TaskOrderField(StrEnum):
    """What lists of tasks can be ordered by."""

    by_last_run = "last_run_at"
    by_name = "name"
    by_run_count = "run_count"


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """The order of a list of tasks: unless told otherwise, the one with the latest run first."""

    field: TaskOrderField = TaskOrderField.by_last_run
    falling: bool = True

    @property
    def tag(self) -> str:
        """Names the order inside a cursor, so that a cursor of another order is recognised."""
        return f"tasks:{'-' if self.falling else ''}{self.field.value}"


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures of the runs of one task or template. Averages and percentiles are of runs that have the figure."""

    kind: str
    source: str | None
    key: str
    display_name: str
    run_count: int
    success_count: int
    failure_count: int
    success_rate: float | None
    avg_duration_ms: float | None
    p50_duration_ms: float | None
    p90_duration_ms: float | None
    avg_cost_usd: float | None
    p50_cost_usd: float | None
    p90_cost_usd: float | None
    last_run_at: str | None
    last_success_at: str | None
    last_failure_at: str | None
    common_output_kinds: tuple[str, ...]
    common_failure_modes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SavedTask:
    """What is saved of a task, beside how its runs do."""

    task_id: str
    name: str
    user_facing_label: str | None
    reusable: bool
    scheduled: bool
    trigger_enabled: bool
    archived: bool
    source_template_id: str | None


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Which saved tasks to show. A task that nobody saved has none of the facts; archived ones have to be asked for."""

    reusable: bool | None = None
    scheduled: bool | None = None
    trigger_enabled: bool | None = None
    archived: bool = False
    user_facing_labels: Sequence[str] | None = None
    task_type: str | None = None
    matter_id: str | None = None
    template_id: str | None = None

    def parameters(self) -> dict[str, Any]:
        facts = {name: getattr(self, name) for name in ("reusable", "scheduled", "trigger_enabled", "archived")}
        labels = list(self.user_facing_labels) if self.user_facing_labels is not None else None
        return {
            "facts": {name: value for name, value in facts.items() if value is not None},
            "labels": labels,
            "task_type": self.task_type,
            "matter_id": self.matter_id,
            "template_id": self.template_id,
        }


@dataclass(frozen=True, slots=True)
class TaskRow:
    cursor: str
    statistics: Statistics
    saved: SavedTask | None = None


@dataclass(frozen=True, slots=True)
class TaskPage:
    rows: tuple[TaskRow, ...]
    has_next: bool


async def statistics_of(
    database: Database, viewer: Viewer, ref: RecordRef, since: str | None = None
) -> Statistics | None:
    """None for what has no run that the viewer may see: it reads the same as what is not there."""
    ref.check("of", *_STATEMENTS)
    named = await _named(database, viewer, ref)
    if named is None or named["kind"] not in _STATEMENTS:
        return None
    found = await _computed(database, viewer, named["kind"], [named], since)
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class TasksAsked:
    """Which tasks a list shows. `search` is looked for in their names and keys, in whatever case."""

    tab: TaskTab = TaskTab.saved
    where: TaskFilter = TaskFilter()
    search: str | None = None
    order: TaskOrder = TaskOrder()

    def parameters(self) -> dict[str, Any]:
        search = self.search.strip().lower() if self.search else None
        return {
            "tab": self.tab.value,
            "order": self.order.field.value,
            "search": search or None,
            **self.where.parameters(),
        }


async def saved_tasks(
    database: Database, viewer: Viewer, asked: TasksAsked, *, first: int = 20, after: str | None = None
) -> TaskPage:
    """Tasks with runs that the viewer may see, and saved ones without."""
    check_first(first)
    tag = asked.order.tag
    place = decode(after, tag, field="after", linked=False, nullable=False) if after is not None else None
    row = await database.read_one(
        cypher.TASKS_FALLING if asked.order.falling else cypher.TASKS_RISING,
        audiences=viewer.audiences,
        to=place.value if place else None,
        after=place.id if place else "",
        limit=first + 1,
        **asked.parameters(),
    )
    found: list[dict[str, Any]] = row["found"] if row else []
    run = [one for one in found[:first] if one["last_run_at"]]
    computed = {(one.source, one.key): one for one in await _computed(database, viewer, "Task", run, None)}
    return TaskPage(tuple(_row(tag, one, computed) for one in found[:first]), len(found) > first)


async def tasks_counted(database: Database, viewer: Viewer, asked: TasksAsked) -> int:
    """How many tasks there are on all pages."""
    row = await database.read_one(cypher.TASKS_COUNT, audiences=viewer.audiences, **asked.parameters())
    return row["found"] if row else 0


async def task_statistics(database: Database, viewer: Viewer, ids: Sequence[str]) -> list[Statistics | None]:
    """The figures of saved tasks, in their order; None for one that has no run that the viewer may see."""
    named = await _named_all(database, viewer, ids)
    computed = {(one.source, one.key): one for one in await _computed(database, viewer, "Task", named, None)}
    by_id = {one["id"]: computed.get((one["source"], one["key"])) for one in named}
    return [by_id.get(one) for one in ids]


async def last_runs(database: Database, viewer: Viewer, ids: Sequence[str]) -> list[str | None]:
    """Ids of the runs of these tasks that started last, as far as the viewer may see them."""
    named = await _named_all(database, viewer, ids)
    row = await database.read_one(cypher.LAST_RUNS, of=named, audiences=viewer.audiences)
    found: dict[str, str] = dict(row["found"]) if row else {}
    return [found.get(one) for one in ids]


async def _named_all(database: Database, viewer: Viewer, ids: Sequence[str]) -> list[dict[str, Any]]:
    row = await database.read_one(cypher.OF_RECORDS, ids=list(ids), audiences=viewer.audiences)
    return row["found"] if row else []


def _row(tag: str, one: dict[str, Any], computed: Mapping[tuple[str | None, str], Statistics]) -> TaskRow:
    saved = SavedTask(**one["saved"]) if one["saved"] else None
    figures = replace(computed.get((one["source"], one["key"])) or _never_run(one), display_name=one["called"])
    return TaskRow(encode(tag, one["rank"], one["place"], None), figures, saved)


def _never_run(one: dict[str, Any]) -> Statistics:
    counts = dict.fromkeys(("run_count", "success_count", "failure_count"), 0)
    return Statistics(
        kind="Task",
        source=one["source"],
        key=one["key"],
        display_name=one["key"],
        success_rate=None,
        avg_duration_ms=None,
        p50_duration_ms=None,
        p90_duration_ms=None,
        avg_cost_usd=None,
        p50_cost_usd=None,
        p90_cost_usd=None,
        last_run_at=None,
        last_success_at=None,
        last_failure_at=None,
        common_output_kinds=(),
        common_failure_modes=(),
        **counts,
    )


async def _named(database: Database, viewer: Viewer, ref: RecordRef) -> dict[str, Any] | None:
    """What executors call it. Who sees the runs of a task can ask by its key, whether they see the task or not."""
    if ref.kind is not None:
        return {"kind": ref.kind, "source": ref.source, "key": ref.key}
    name = {"id": ref.id, "source": ref.source, "key": ref.key}
    row = await database.read_one(cypher.OF_RECORD, **name, audiences=viewer.audiences)
    if row is None and ref.id is None:
        return {"kind": "Task", "source": ref.source, "key": ref.key}
    return row["found"] if row else None


async def _computed(
    database: Database, viewer: Viewer, kind: str, of: Sequence[dict[str, Any]], since: str | None
) -> list[Statistics]:
    if not of:
        return []
    row = await database.read_one(
        _STATEMENTS[kind],
        of=[{"source": one["source"], "key": one["key"]} for one in of],
        audiences=viewer.audiences,
        **{"from": since or EARLIEST},
        recent=RECENT,
        common=COMMON,
    )
    return [_statistics(kind, one) for one in (row["found"] if row else ()) if one["run_count"]]


def _statistics(kind: str, found: dict[str, Any]) -> Statistics:
    ended = found["success_count"] + found["failure_count"]
    task_name = found.pop("task_name")
    lists = {name: tuple(found.pop(name)) for name in ("common_output_kinds", "common_failure_modes")}
    return Statistics(
        kind=kind,
        display_name=task_name if kind == "Task" and task_name else found["key"],
        success_rate=found["success_count"] / ended if ended else None,
        **lists,
        **found,
    )
