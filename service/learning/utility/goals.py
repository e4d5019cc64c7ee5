"""What became of a goal, by the work that was to serve it: so that a design is chosen for what it brings."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.learning.assessment_words import ObservedEffect
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.aggregates.rules import wilson
from service.learning.utility import cypher
from service.memory.views.words import counted
from service.routing.decision.context_class import context_class
from service.views import Id, Linked

RULES = "goal_learning 1"
MOST = 2_000
SAMPLES = 20
Told = Mapping[str, Any]
_E = ObservedEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRecord:
    """What became of a goal in work of one type, by one template."""

    task_type: Annotated[str | None, "The type of task."]
    context_class_key: Annotated[str | None, "The class of context."]
    template_id: Annotated[Id | None, "The template that the work followed."]
    pattern_ids: Annotated[tuple[Id, ...], "Patterns that this follows."]
    preset_ids: Annotated[tuple[Id, ...], "Presets that were at work."]
    observed_effect: Annotated[ObservedEffect, "What it comes to: what was told most often, where anything was."]
    advanced: Annotated[int, "Runs that advanced it."]
    partially_advanced: Annotated[int, "Runs that advanced it in part."]
    not_advanced: Annotated[int, "Runs that did not."]
    unknown: Annotated[int, "Runs of which nobody said."]
    evidence_summary: Annotated[str, "What it comes to, in a sentence."]
    confidence: Annotated[float, "The lower end of the share of runs that advanced it, nine times in ten."]
    assessment_ids: Annotated[tuple[Id, ...], f"The assessments that tell so, {SAMPLES} at most, newest first."]
    template: ClassVar = Linked("template_id", "The template.", "Template")
    patterns: ClassVar = Linked("pattern_ids", "The patterns.", "Pattern", many=True)
    presets: ClassVar = Linked("preset_ids", "The presets.", "Preset", many=True)
    assessments: ClassVar = Linked("assessment_ids", "The assessments.", "Assessment", many=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalLearning:
    """What became of a goal, of each run by its last assessment."""

    goal_id: Annotated[Id, "The goal."]
    name: Annotated[str, "What people call it."]
    records: Annotated[tuple[GoalRecord, ...], "By type of task and template, what serves it most surely first."]
    rules: Annotated[str, "Name and version of the rules."] = RULES
    goal: ClassVar = Linked("goal_id", "The goal.", "Goal")


class GoalUtility:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, goal_id: str) -> GoalLearning:
        row = await self._database.read_one(cypher.GOAL, id=goal_id, most=MOST, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=goal_id), "goal")
        return GoalLearning(goal_id=goal_id, name=row["goal"]["name"], records=tuple(records(row["found"])))


def records(told: Iterable[Told]) -> list[GoalRecord]:
    """The same assessments, in any order, come to the same. Of each run the last one counts."""
    last: dict[str, Told] = {}
    for one in sorted(told, key=lambda one: (one["at"], one["id"])):
        last[one["run"]] = one
    grouped: dict[tuple[str, str], list[Told]] = {}
    for one in last.values():
        grouped.setdefault((one["task"] or "", one["template"] or ""), []).append(one)
    found = [_record(task or None, template or None, each) for (task, template), each in grouped.items()]
    return sorted(found, key=lambda one: (-one.confidence, one.task_type or "", one.template_id or ""))


def _record(task_type: str | None, template: str | None, told: list[Told]) -> GoalRecord:
    counts = Counter(_E(one["effect"]) for one in told)
    known = sum(count for effect, count in counts.items() if effect is not _E.unknown)
    newest = sorted(told, key=lambda one: (one["at"], one["id"]), reverse=True)
    order = (_E.advanced_goal, _E.partially_advanced_goal, _E.did_not_advance_goal)
    most = max(order, key=lambda one: (counts[one], -order.index(one))) if known else _E.unknown
    return GoalRecord(
        task_type=task_type,
        context_class_key=context_class(task_type) if task_type else None,
        template_id=template,
        pattern_ids=tuple(sorted({one for each in told for one in each["patterns"]})),
        preset_ids=tuple(sorted({one for each in told for one in each["presets"]})),
        observed_effect=most,
        advanced=counts[_E.advanced_goal],
        partially_advanced=counts[_E.partially_advanced_goal],
        not_advanced=counts[_E.did_not_advance_goal],
        unknown=counts[_E.unknown],
        evidence_summary=f"Of {counted(len(told), 'run')} {counts[_E.advanced_goal]} advanced it, "
        f"{counts[_E.partially_advanced_goal]} in part, {counts[_E.did_not_advance_goal]} did not; of "
        f"{counts[_E.unknown]} nobody said.",
        confidence=wilson(counts[_E.advanced_goal], known)[0],
        assessment_ids=tuple(one["id"] for one in newest[:SAMPLES]),
    )
