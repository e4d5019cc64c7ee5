"""What signals come to, for whoever asks. A query: it stores nothing, and says nothing below the thresholds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.learning.words import DesignSignalKind
from graph_schema.library.words import CrossModelApplicability, ModelClass
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.graph.database import Database
from service.learning.aggregates import cypher
from service.learning.aggregates.rules import (
    KINDS,
    RULES,
    Counted,
    Sum,
    Thresholds,
    add_up,
    sentence,
    surfaced,
)
from service.settings import Settings
from service.views import Id, Linked

MOST_SIGNALS = 20_000
MOST = 200
MOST_TOLD = 50
"""What is told where nobody says how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignAggregate:
    """What signals on one record come to, beyond all thresholds."""

    question: Annotated[str, "What was asked of the signals: chosen, works, second_pass, needed and so on."]
    statement: Annotated[str, "What it comes to, in a sentence."]
    record_id: Annotated[Id, "The record that it is about."]
    context_class_key: Annotated[str | None, "The class of context."]
    model_class: Annotated[ModelClass | None, "The class of model that was at work; null where nobody said."]
    cross_model_applicability: Annotated[CrossModelApplicability, "Whether it holds for other classes of model."]
    for_count: Annotated[int, "Signals for it."]
    against_count: Annotated[int, "Signals against it."]
    subject: Annotated[str | None, "What of the record they are about, where each is counted by itself: an output."]
    runs: Annotated[int, "Different runs that they come from."]
    occasions: Annotated[int, "Different runs, designs, searches and decisions that they come from."]
    tasks: Annotated[int, "Different tasks that these are of, or led to."]
    share: Annotated[float, "The share of signals for it."]
    low: Annotated[float, "The lower end of where the true share lies, nine times in ten."]
    high: Annotated[float, "The upper end."]
    record: ClassVar = Linked("record_id", "The record itself.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignAggregates:
    """What signals come to, as far as it is beyond the thresholds."""

    items: Annotated[tuple[DesignAggregate, ...], "What is beyond all thresholds, surest first."]
    counted: Annotated[int, "Signals that were added up."]
    truncated: Annotated[bool, f"Whether there are more than {MOST_SIGNALS:,}; the newest were."]
    min_runs: Annotated[int, "Runs or other occasions that it takes."]
    min_distinct_tasks: Annotated[int, "Different tasks that it takes."]
    min_success_confidence: Annotated[float, "What the lower end of the interval has to reach."]
    max_regression_rate: Annotated[float, "The share of signals that may speak against it."]
    rules: Annotated[str, "Name and version of the rules that add up."]


def thresholds_of(settings: Settings) -> Thresholds:
    return Thresholds(
        settings.learning_surfacing_runs,
        settings.learning_surfacing_tasks,
        settings.learning_surfacing_confidence,
        settings.learning_surfacing_regressions,
    )


class Aggregates:
    def __init__(self, database: Database, thresholds: Thresholds) -> None:
        self._database = database
        self.thresholds = thresholds

    async def of(
        self, viewer: Viewer, *, context_class: str | None = None, first: int = MOST_TOLD, at: str | None = None
    ) -> DesignAggregates:
        if not 1 <= first <= MOST:
            raise InputInvalid("first", f"it is from 1 to {MOST}")
        sums, counted = await self.sums(viewer, context_class=context_class, at=at)
        found = surfaced(sums, self.thresholds)[:first]
        return DesignAggregates(
            items=tuple(told_of(one, holds) for one, holds in found),
            counted=min(counted, MOST_SIGNALS),
            truncated=counted > MOST_SIGNALS,
            min_runs=self.thresholds.runs,
            min_distinct_tasks=self.thresholds.tasks,
            min_success_confidence=self.thresholds.confidence,
            max_regression_rate=self.thresholds.regressions,
            rules=RULES,
        )

    async def sums(
        self, viewer: Viewer, *, context_class: str | None = None, at: str | None = None
    ) -> tuple[list[Sum], int]:
        """All that signals add up to, and how many there are."""
        row = await self._database.read_one(
            cypher.COUNTED,
            kinds=KINDS,
            context_class=context_class,
            at=at,
            most=MOST_SIGNALS + 1,
            audiences=viewer.audiences,
        )
        rows: list[Mapping[str, Any]] = row["found"] if row else []
        return add_up(_counted(one) for one in rows), len({one["id"] for one in rows})


def _counted(row: Mapping[str, Any]) -> Counted:
    told: dict[str, Any] = {**row, "kind": DesignSignalKind(row["kind"]), "matter_ids": tuple(row["matter_ids"] or ())}
    return Counted(**told)


def told_of(one: Sum, holds: CrossModelApplicability) -> DesignAggregate:
    low, high = one.interval
    return DesignAggregate(
        question=one.question.name,
        statement=sentence(one, holds),
        record_id=one.on,
        context_class_key=one.context_class,
        model_class=ModelClass(one.model_class) if one.model_class else None,
        cross_model_applicability=holds,
        for_count=len(one.for_it),
        against_count=len(one.against),
        subject=one.subject,
        runs=one.runs,
        occasions=one.occasions,
        tasks=one.tasks,
        share=round(one.share, 4),
        low=low,
        high=high,
    )
