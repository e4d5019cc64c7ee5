"""How a task or a template does in operation, over the runs that the viewer may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, LiteralString

from graph_schema.model.fields import Timestamp
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.graph.reads.cursors import decode, encode
from service.memory.statistics import cypher
from service.memory.statistics.paging import COMMON, EARLIEST, RECENT, check_first
from service.views import CountedPage, Id, page_facts

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


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationalStatistics:
    """Figures of the runs of a task or template that the viewer may see, computed when asked for."""

    kind: Annotated[str, "Whether it is about a Task or a Template."]
    source: Annotated[str | None, "The executor's system; null for a task that none has named."]
    key: Annotated[str, "What that system calls it; its id when none has named it."]
    record_id: Annotated[Id | None, "Id of the task or template; null when you may not see it."]
    latest_assessment_id: Annotated[Id | None, "Id of the newest assessment of it or of a run of it."] = None
    display_name: Annotated[str, "What people call it, as far as its latest runs say."]
    run_count: Annotated[int, "Runs that have started."]
    success_count: Annotated[int, "Runs that completed."]
    failure_count: Annotated[int, "Runs that failed."]
    success_rate: Annotated[float | None, "Completed runs among those that completed or failed."]
    avg_duration_ms: Annotated[float | None, "Mean time of the runs that ended."]
    p50_duration_ms: Annotated[float | None, "Half of the runs that ended took no longer."]
    p90_duration_ms: Annotated[float | None, "Nine in ten of the runs that ended took no longer."]
    avg_cost_usd: Annotated[float | None, "Mean cost of the runs whose cost is known."]
    p50_cost_usd: Annotated[float | None, "Half of the runs whose cost is known cost no more."]
    p90_cost_usd: Annotated[float | None, "Nine in ten of the runs whose cost is known cost no more."]
    last_run_at: Annotated[Timestamp | None, "When a run last started."]
    last_success_at: Annotated[Timestamp | None, "When a run last completed."]
    last_failure_at: Annotated[Timestamp | None, "When a run last failed."]
    common_output_kinds: Annotated[
        tuple[str, ...],
        f"Kinds of artifact that its latest {RECENT} runs gave out, the commonest first, up to {COMMON}.",
    ]
    common_failure_modes: Annotated[
        tuple[str, ...], f"Codes that its runs failed with, the commonest first, up to {COMMON}."
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTaskKind:
    """What kind of saved task it is."""

    task_id: Annotated[Id, "Id of the task."]
    name: Annotated[str, "What people call it."]
    user_facing_label: Annotated[str | None, "What its kind is called, from the facts below."]
    reusable: Annotated[bool, "Whether it is meant to be used again, like a template."]
    scheduled: Annotated[bool, "Whether a schedule runs it."]
    trigger_enabled: Annotated[bool, "Whether an event of the outside world runs it."]
    archived: Annotated[bool, "Whether it was put away."]
    source_template_id: Annotated[Id | None, "The template that it was made from."]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTaskEdge:
    """A task in a list."""

    cursor: Annotated[str, "Where the task stands in the list."]
    node: Annotated[OperationalStatistics, "The task, and how it does."]
    saved: Annotated[SavedTaskKind | None, "What is saved of it; null when it was only reported."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTaskConnection(CountedPage):
    """Tasks with how they do."""

    edges: Annotated[tuple[SavedTaskEdge, ...], "The tasks of the page with their cursors."]

    @property
    def nodes(self) -> Annotated[tuple[OperationalStatistics, ...], "The tasks of the page, and how they do."]:
        return tuple(one.node for one in self.edges)


ByName = Mapping[tuple[str | None, str], OperationalStatistics]
"""Figures by what executors call the task: its source and key."""


class TasksInOperation:
    """How tasks and templates do, computed from their runs whenever it is asked for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, ref: RecordRef, since: str | None = None) -> OperationalStatistics | None:
        """None for what has no run that the viewer may see: it reads the same as what is not there."""
        ref.check("of", *_STATEMENTS)
        named = await self._named(viewer, ref)
        if named is None or named["kind"] not in _STATEMENTS:
            return None
        found = await self._computed(viewer, named["kind"], [named], since)
        return found[0] if found else None

    async def saved(
        self, viewer: Viewer, asked: TasksAsked, *, first: int = 20, after: str | None = None
    ) -> SavedTaskConnection:
        """Tasks with runs that the viewer may see, and saved ones without."""
        check_first(first)
        tag = asked.order.tag
        place = decode(after, tag, field="after", linked=False, nullable=False) if after is not None else None
        row = await self._database.read_one(
            cypher.TASKS_FALLING if asked.order.falling else cypher.TASKS_RISING,
            audiences=viewer.audiences,
            to=place.value if place else None,
            after=place.id if place else "",
            limit=first + 1,
            **asked.parameters(),
        )
        found: list[dict[str, Any]] = row["found"] if row else []
        computed = await self._by_name(viewer, [one for one in found[:first] if one["last_run_at"]])
        edges = tuple(_edge(tag, one, computed) for one in found[:first])
        return SavedTaskConnection(
            edges=edges,
            page_info=page_facts([one.cursor for one in edges], after, has_next=len(found) > first),
            count=partial(self._count, viewer, asked),
        )

    async def of_tasks(self, viewer: Viewer, ids: Sequence[str]) -> list[OperationalStatistics | None]:
        """The figures of saved tasks, in their order; None for one that has no run that the viewer may see."""
        named = await self._named_all(viewer, ids)
        computed = await self._by_name(viewer, named)
        by_id = {one["id"]: computed.get((one["source"], one["key"])) for one in named}
        return [by_id.get(one) for one in ids]

    async def last_runs(self, viewer: Viewer, ids: Sequence[str]) -> list[str | None]:
        """Ids of the runs of these tasks that started last, as far as the viewer may see them."""
        named = await self._named_all(viewer, ids)
        row = await self._database.read_one(cypher.LAST_RUNS, of=named, audiences=viewer.audiences)
        found: dict[str, str] = dict(row["found"]) if row else {}
        return [found.get(one) for one in ids]

    async def _count(self, viewer: Viewer, asked: TasksAsked) -> int:
        row = await self._database.read_one(cypher.TASKS_COUNT, audiences=viewer.audiences, **asked.parameters())
        return row["found"] if row else 0

    async def _named(self, viewer: Viewer, ref: RecordRef) -> dict[str, Any] | None:
        """What executors call it. Who sees the runs of a task can ask by its key, whether they see the task or not."""
        if ref.kind is not None:
            return {"kind": ref.kind, "source": ref.source, "key": ref.key}
        name = {"id": ref.id, "source": ref.source, "key": ref.key}
        row = await self._database.read_one(cypher.OF_RECORD, **name, audiences=viewer.audiences)
        if row is None and ref.id is None:
            return {"kind": "Task", "source": ref.source, "key": ref.key}
        return row["found"] if row else None

    async def _named_all(self, viewer: Viewer, ids: Sequence[str]) -> list[dict[str, Any]]:
        row = await self._database.read_one(cypher.OF_RECORDS, ids=list(ids), audiences=viewer.audiences)
        return row["found"] if row else []

    async def _by_name(self, viewer: Viewer, tasks: Sequence[dict[str, Any]]) -> ByName:
        return {(one.source, one.key): one for one in await self._computed(viewer, "Task", tasks, None)}

    async def _computed(
        self, viewer: Viewer, kind: str, of: Sequence[dict[str, Any]], since: str | None
    ) -> list[OperationalStatistics]:
        if not of:
            return []
        row = await self._database.read_one(
            _STATEMENTS[kind],
            of=[{"source": one["source"], "key": one["key"]} for one in of],
            audiences=viewer.audiences,
            **{"from": since or EARLIEST},
            recent=RECENT,
            common=COMMON,
        )
        return [_statistics(kind, one) for one in (row["found"] if row else ()) if one["run_count"]]


def _edge(tag: str, one: dict[str, Any], computed: ByName) -> SavedTaskEdge:
    figures = computed.get((one["source"], one["key"])) or _never_run(one)
    return SavedTaskEdge(
        cursor=encode(tag, one["rank"], one["place"], None),
        node=replace(figures, display_name=one["called"]),
        saved=SavedTaskKind(**one["saved"]) if one["saved"] else None,
    )


def _never_run(one: dict[str, Any]) -> OperationalStatistics:
    counts = dict.fromkeys(("run_count", "success_count", "failure_count"), 0)
    return OperationalStatistics(
        kind="Task",
        source=one["source"],
        key=one["key"],
        record_id=one["saved"] and one["saved"]["task_id"],
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


def _statistics(kind: str, found: dict[str, Any]) -> OperationalStatistics:
    ended = found["success_count"] + found["failure_count"]
    task_name = found.pop("task_name")
    lists = {name: tuple(found.pop(name)) for name in ("common_output_kinds", "common_failure_modes")}
    return OperationalStatistics(
        kind=kind,
        display_name=task_name if kind == "Task" and task_name else found["key"],
        success_rate=found["success_count"] / ended if ended else None,
        **lists,
        **found,
    )
