"""What a portfolio looks at: tasks, templates, presets and directives, as their reader sees them, with a few runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, LiteralString

from graph_schema.learning.assessment_words import ObservedEffect, PortfolioScope
from graph_schema.model.record import HIDDEN_STATES
from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database
from service.learning.assessments import cypher
from service.learning.assessments.prompt_facts import KeptPrompt, kept_prompts
from service.learning.assessments.rules.artifacts import SAVED, USED_OFTEN

RECENT = 10
"""Runs of each task that are looked at, the newest."""
MOST = 2_000
"""Tasks, templates and presets that are looked at, at most."""
QUIET = timedelta(days=90)
"""Without a run for so long, a task counts as unused."""
STALE = timedelta(days=180)
"""Without a run for so long, a template counts as stale."""
Plain = Mapping[str, Any]


class _Run:
    """Of what has runs: the newest first."""

    __slots__ = ()
    runs: Sequence[Plain]

    @property
    def last(self) -> str | None:
        return self.runs[0]["started_at"] if self.runs else None

    def ended(self, status: str) -> list[str]:
        return [one["id"] for one in self.runs if one["status"] == status]


@dataclass(frozen=True, slots=True)
class TaskFacts(_Run):
    """A task, its last runs, and what is around it. Lists are of plain rows with an id and a name."""

    id: str
    name: str
    audience: str
    created_at: str
    lifecycle_state: str
    task_type: str | None = None
    graph_hash: str | None = None
    reusable: bool | None = None
    scheduled: bool | None = None
    trigger_enabled: bool | None = None
    archived: bool | None = None
    stub: bool | None = None
    judged: bool = False
    runs: Sequence[Plain] = ()
    blueprint: Plain | None = None
    template: Plain | None = None
    lacking: Sequence[Plain] = ()
    left: Sequence[Plain] = ()
    taken: Sequence[Plain] = ()
    recurring: Sequence[Plain] = ()
    goals: Sequence[Plain] = ()
    """What assessments of its runs told of goals, the newest first."""


@dataclass(frozen=True, slots=True)
class AssetFacts(_Run):
    """A template or preset, and its last runs."""

    id: str
    name: str
    audience: str
    kind: str
    created_at: str
    updated_at: str
    lifecycle_state: str
    task_type: str | None = None
    graph_hash: str | None = None
    config_hash: str | None = None
    runs: Sequence[Plain] = ()
    used: bool = False
    blueprint: bool = False
    judged: bool = False


@dataclass(frozen=True, slots=True)
class DirectiveFacts:
    """A directive on suggestions: what it leads to that is out of use, and what people answered in its class."""

    id: str
    name: str
    audience: str
    context_class: str | None = None
    invocation_policy: str | None = None
    lost: Sequence[Plain] = ()
    refused: Sequence[str] = ()
    accepted: int = 0


@dataclass(frozen=True, slots=True)
class GoalFacts:
    """A goal, and what became of it: of each run what was told last."""

    id: str
    name: str
    effects: Mapping[str, ObservedEffect]
    """By run."""
    assessments: tuple[str, ...]
    tasks: Mapping[str, str]
    """Names of the tasks by their ids."""

    @property
    def known(self) -> int:
        return sum(one is not ObservedEffect.unknown for one in self.effects.values())

    def count(self, effect: ObservedEffect) -> int:
        return sum(one is effect for one in self.effects.values())


@dataclass(frozen=True, slots=True)
class Portfolio:
    """All that is looked at together, as of one moment."""

    now: datetime
    tasks: Sequence[TaskFacts] = ()
    assets: Sequence[AssetFacts] = ()
    directives: Sequence[DirectiveFacts] = ()
    prompts: Sequence[KeptPrompt] = ()
    """Prompts that live in these, with what was told of them."""
    of_prompts: bool = False
    """Whether nothing but these prompts is asked about."""
    cut: bool = False
    """Whether there is more than was looked at."""

    @property
    def all(self) -> list[TaskFacts | AssetFacts | DirectiveFacts]:
        return [*self.tasks, *self.assets, *self.directives]

    @property
    def goals(self) -> list[GoalFacts]:
        """Goals that runs of these tasks were assessed by."""
        grouped: dict[str, list[tuple[TaskFacts, Plain]]] = {}
        for task in self.tasks:
            for one in task.goals:
                grouped.setdefault(one["id"], []).append((task, one))
        return [_goal(each) for _, each in sorted(grouped.items())]

    def quiet(self, moment: str | None, span: timedelta) -> bool:
        return moment is not None and clock.parse(moment) < self.now - span


def _goal(told: Sequence[tuple[TaskFacts, Plain]]) -> GoalFacts:
    last: dict[str, Plain] = {}
    for _, one in told:
        last.setdefault(one["run"], one)
    effects = {run: ObservedEffect(one["effect"]) for run, one in last.items()}
    shown = tuple(sorted(one["assessment"] for one in last.values()))
    first = told[0][1]
    return GoalFacts(first["id"], first["name"], effects, shown, {task.id: task.name for task, _ in told})


async def load_portfolio(
    database: Database, viewer: Viewer, scope: PortfolioScope, selected: Sequence[str] = ()
) -> Portfolio:
    now = clock.parse(clock.now())
    tasks, assets, directives = [], [], []
    cut = False
    if scope is PortfolioScope.task_invocation_policy:
        rows = await _rows(database, viewer, cypher.INVOCATION, hidden=[one.value for one in HIDDEN_STATES])
        directives, cut = [_fact(DirectiveFacts, one) for one in rows[:MOST]], len(rows) > MOST
    of_prompts = scope is PortfolioScope.prompt_quality
    if of_prompts or scope in {PortfolioScope.all_tasks, PortfolioScope.template_library}:
        rows = await _rows(database, viewer, cypher.LIBRARY, recent=RECENT)
        assets, cut = [_fact(AssetFacts, one) for one in rows[:MOST]], len(rows) > MOST
    if scope not in {PortfolioScope.template_library, PortfolioScope.task_invocation_policy}:
        rows = await _tasks(database, viewer, scope, selected)
        found, cut = [_fact(TaskFacts, one) for one in rows[:MOST]], cut or len(rows) > MOST
        tasks = [one for one in found if _within(scope, one, now)]
    prompts = await kept_prompts(database, viewer, [one.id for one in (*tasks, *assets)])
    if of_prompts:
        homes = {one.home for one in prompts}
        tasks, assets = ([one for one in some if one.id in homes] for some in (tasks, assets))
    return Portfolio(now, tasks, assets, directives, prompts, of_prompts, cut)


async def _tasks(database: Database, viewer: Viewer, scope: PortfolioScope, selected: Sequence[str]) -> list[Plain]:
    more = {"recent": RECENT, "saved": sorted(SAVED), "often": USED_OFTEN}
    if scope is PortfolioScope.selected_tasks:
        return await _rows(database, viewer, cypher.TASKS_NAMED, ids=[*selected], **more)
    return await _rows(database, viewer, cypher.TASKS, **more)


async def _rows(database: Database, viewer: Viewer, statement: LiteralString, **values: Any) -> list[Plain]:
    given = {"most": MOST + 1, **values} if "ids" not in values else values
    row = await database.read_one(statement, audiences=viewer.audiences, **given)
    return list(row["found"]) if row else []


def _fact(kind: type[Any], row: Plain) -> Any:
    names = {one.name for one in fields(kind)}
    return kind(**{name: value for name, value in row.items() if name in names and value is not None})


def _within(scope: PortfolioScope, one: TaskFacts, now: datetime) -> bool:
    if scope is PortfolioScope.active_tasks:
        recent = one.last is not None and clock.parse(one.last) >= now - QUIET
        return recent or bool(one.scheduled or one.trigger_enabled)
    if scope is PortfolioScope.recent_failed_runs:
        return bool(one.ended("failed"))
    return True
