"""Datasets that changes are tried on."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.commands import Outcome
from service.learning.datasets.commands import Datasets
from service.learning.datasets.draw import DrawnDatasets
from service.learning.datasets.inputs import EvalDatasetInput, EvalDrawInput, EvalExampleInput, EvalScoreInput
from service.learning.datasets.read import DatasetResults, EvalResults

Dataset = Annotated[RecordRefInput, strawberry.argument(description="The dataset.")]
Made = Annotated[
    EvalDatasetInput, strawberry.argument(description="The dataset.", graphql_type=input_type(EvalDatasetInput))
]
Drawn = Annotated[
    EvalDrawInput, strawberry.argument(description="The dataset.", graphql_type=input_type(EvalDrawInput))
]
Examples = Annotated[
    list[EvalExampleInput],
    strawberry.argument(description="Further cases.", graphql_type=list[input_type(EvalExampleInput)]),
]
Scores = Annotated[
    list[EvalScoreInput],
    strawberry.argument(description="What was given.", graphql_type=list[input_type(EvalScoreInput)]),
]
Candidate = Annotated[str, strawberry.argument(description="What was tried, as its maker calls it.")]

if TYPE_CHECKING:
    DatasetPayload = RecordPayload
else:
    DatasetPayload = payload_of("EvalDataset", "EvalDatasetPayload", "The dataset after the command.")


@strawberry.type
class DatasetQuery:
    @strawberry.field(
        graphql_type=view_type(EvalResults),
        description="What was given on a dataset, candidate by candidate. It stores nothing.",
    )
    async def eval_results(self, info: RecordInfo, dataset: Dataset) -> Any:
        found = await id_of(info, dataset.ref(), "dataset", "EvalDataset")
        return shaped(info, await service_of(info, DatasetResults).of(viewer_of(info), found))


@strawberry.type
class DatasetMutation:
    @strawberry.mutation(
        description="Make a dataset with its first cases. Cases are added until it is frozen. Needs curate."
    )
    async def create_eval_dataset(
        self,
        info: RecordInfo,
        input: Made,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> DatasetPayload:
        outcome = await service_of(info, Datasets).create(viewer_of(info), input, command_id=command_id)
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Make a dataset whose cases are drawn from what was recorded: traces, experiments, what judges "
        "found wanting, what people said, designs, assessments. Needs curate."
    )
    async def draw_eval_dataset(
        self,
        info: RecordInfo,
        input: Drawn,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> DatasetPayload:
        task = await id_of(info, input.task, "task", "Task") if input.task else None
        template = await id_of(info, input.template, "template", "Template") if input.template else None
        outcome = await service_of(info, DrawnDatasets).draw(
            viewer_of(info), input, task, template, command_id=command_id
        )
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Add cases to a dataset. Refused once it is frozen, and for a case of the same key with other "
        "content. Needs curate."
    )
    async def add_eval_examples(
        self, info: RecordInfo, dataset: Dataset, examples: Examples, command_id: CommandId = None
    ) -> DatasetPayload:
        outcome = await service_of(info, Datasets).add(viewer_of(info), dataset.ref(), examples, command_id=command_id)
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Freeze a dataset: nothing of it changes any more, and its hash says that it is the same. Needs "
        "curate."
    )
    async def freeze_eval_dataset(
        self, info: RecordInfo, dataset: Dataset, command_id: CommandId = None
    ) -> DatasetPayload:
        outcome = await service_of(info, Datasets).freeze(viewer_of(info), dataset.ref(), command_id=command_id)
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Tell what judges or people outside gave a candidate on a frozen dataset, case by case: a trace "
        "and a score each. Needs curate."
    )
    async def record_eval_scores(
        self, info: RecordInfo, dataset: Dataset, candidate: Candidate, scores: Scores, command_id: CommandId = None
    ) -> DatasetPayload:
        outcome = await service_of(info, Datasets).score(
            viewer_of(info), dataset.ref(), candidate, scores, command_id=command_id
        )
        return _payload(await settle(info, outcome))


def _payload(outcome: Outcome) -> DatasetPayload:
    return record_payload(outcome, DatasetPayload)
