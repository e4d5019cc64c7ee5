"""What is learned by type of task, by class of context and by goal."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.views import view_type
from service.learning.utility.goals import GoalLearning, GoalUtility
from service.learning.utility.outputs import MOST, OutputArchetypes, OutputUtility
from service.learning.utility.questions import QuestionUtilities, QuestionWorth

TaskType = Annotated[str | None, strawberry.argument(description="Of this type of task only.")]
First = Annotated[int, strawberry.argument(description=f"How many at most, up to {MOST}.")]


@strawberry.type
class UtilityQuery:
    @strawberry.field(
        graphql_type=view_type(OutputArchetypes),
        description="Which outputs people want, by type of task: what runs made and what of it was taken up. It "
        "stores nothing.",
    )
    async def output_archetypes(self, info: RecordInfo, task_type: TaskType = None, first: First = 50) -> Any:
        return shaped(info, await service_of(info, OutputUtility).of(viewer_of(info), task_type, first))

    @strawberry.field(
        graphql_type=view_type(GoalLearning),
        description="What became of a goal, by type of task and template, as assessments tell. It stores nothing.",
    )
    async def goal_learning(
        self, info: RecordInfo, goal: Annotated[RecordRefInput, strawberry.argument(description="The goal.")]
    ) -> Any:
        found = await id_of(info, goal.ref(), "goal", "Goal")
        return shaped(info, await service_of(info, GoalUtility).of(viewer_of(info), found))

    @strawberry.field(
        graphql_type=view_type(QuestionUtilities),
        description="Which questions are worth asking in a class of context, smoothed, with counts. It stores nothing.",
    )
    async def question_utility(
        self,
        info: RecordInfo,
        context_class: Annotated[str, strawberry.argument(description="The class of context.")],
        task_type: TaskType = None,
    ) -> Any:
        return shaped(info, await service_of(info, QuestionWorth).of(viewer_of(info), context_class, task_type))
