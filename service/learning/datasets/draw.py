"""Drawing the cases of a dataset from what was recorded: one statement for each source that is not a person's hand."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

from graph_schema.learning.dataset_words import DatasetSource
from graph_schema.model.fields import TEXT_LENGTH
from graph_schema.model.times import TimeUnreadable, read_time
from service.access.viewer import Viewer
from service.commands import Outcome, RecordRef
from service.commands.errors import InputInvalid, RecordMissing, TimeInvalid
from service.graph.database import Database
from service.learning.assessments.rules.quality import AGAINST, POOR
from service.learning.datasets import cypher
from service.learning.datasets.commands import MOST, Datasets
from service.learning.datasets.inputs import EvalDatasetInput, EvalDrawInput, EvalExampleInput
from service.learning.errors import NothingToDraw, SourceByHand

SOURCES: Mapping[DatasetSource, LiteralString] = {
    DatasetSource.production_trace: cypher.TRACES,
    DatasetSource.experiment: cypher.EXPERIMENTS,
    DatasetSource.judge_failure: cypher.FAILURES,
    DatasetSource.user_label: cypher.LABELS,
    DatasetSource.task_creation_eval: cypher.CREATIONS,
    DatasetSource.task_assessment: cypher.ASSESSMENTS,
}
RUNS = 500
"""Runs or assessments that are looked through, the newest."""
_EVER = "0001-01-01T00:00:00.000Z"


class DrawnDatasets:
    def __init__(self, database: Database, datasets: Datasets) -> None:
        self._database = database
        self._datasets = datasets

    async def draw(
        self,
        viewer: Viewer,
        given: EvalDrawInput,
        task: str | None,
        template: str | None,
        *,
        command_id: str | None = None,
    ) -> Outcome:
        """A dataset of what its asker sees, as closed as all that its cases come from."""
        statement = SOURCES.get(given.dataset_source)
        if statement is None:
            raise SourceByHand(given.dataset_source)
        if not 1 <= given.most <= MOST:
            raise InputInvalid("most", f"it is from 1 to {MOST:,}")
        await self._check_seen(viewer, {"task": task, "template": template})
        row = await self._database.read_one(
            statement,
            task=task,
            template=template,
            module=given.module_key,
            since=_since(given.since),
            most=given.most,
            runs=RUNS,
            against=sorted(AGAINST),
            poor=POOR,
            audiences=viewer.audiences,
        )
        examples = tuple(_example(one) for one in (row["found"] if row else ()))
        if not examples:
            raise NothingToDraw(given.dataset_source)
        made = EvalDatasetInput(
            name=given.name,
            dataset_source=given.dataset_source,
            description=given.description,
            task=RecordRef(id=task) if task else None,
            template=RecordRef(id=template) if template else None,
            module_key=given.module_key,
            examples=examples,
            freeze=given.freeze,
        )
        return await self._datasets.create(viewer, made, command_id=command_id)

    async def _check_seen(self, viewer: Viewer, named: Mapping[str, str | None]) -> None:
        ids = {one: field for field, one in named.items() if one}
        rows = await self._database.read(cypher.SEEN, ids=sorted(ids), audiences=viewer.audiences) if ids else []
        for one in ids.keys() - {row["id"] for row in rows}:
            raise RecordMissing(RecordRef(id=one), ids[one])


def _since(told: str | None) -> str:
    try:
        return read_time(told) if told else _EVER
    except TimeUnreadable as error:
        raise TimeInvalid("since", error) from error


def _example(row: Mapping[str, Any]) -> EvalExampleInput:
    return EvalExampleInput(
        example_key=row["key"],
        slice=row.get("slice"),
        input_ref=row.get("input_ref"),
        input_hash=row.get("input_hash"),
        input_summary=_text(row["input"]),
        expected=_text(row["expected"]),
        expected_ref=row.get("expected_ref"),
        drawn_from=tuple(RecordRef(id=one) for one in row["drawn"]),
    )


def _text(parts: Sequence[str | None]) -> str | None:
    """In short, what was told in several parts."""
    return " ".join(one for one in parts if one)[:TEXT_LENGTH] or None
