"""One run with all its read models. The facts are loaded once for each `run` that a document asks for."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import strawberry

from graph_schema.memory.words import StepStatus
from resolvers.engine.loading import RecordInfo, load_record, raw_of, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.construction import optional
from resolvers.generated.naming import Key, Source, id_of
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from service.commands import RecordRef
from service.memory.questions import QUESTIONS_NEED, RunQuestions
from service.memory.views import VIEWS, Part, RunIndex, Runs, RunSteps, StepsRequest, View
from service.memory.views.steps import DEFAULT, MOST

if TYPE_CHECKING:
    from resolvers.engine.execution import ReadSchema

Id = Annotated[strawberry.ID | None, strawberry.argument(description="Id of the run.")]
Search = Annotated[
    str | None,
    strawberry.argument(description="Words that a step must all hold: in its names, summaries, reasons or outputs."),
]
Statuses = Annotated[
    list[Annotated[StepStatus, enum_type(StepStatus)]] | None,
    strawberry.argument(description="Only steps that stand so."),
]
Kinds = Annotated[list[str] | None, strawberry.argument(description="Only steps of modules of these types.")]
First = Annotated[int, strawberry.argument(description=f"At most so many steps, up to {MOST}.")]
After = Annotated[str | None, strawberry.argument(description="Only steps after this cursor.")]


def _field(name: str, view: View) -> Any:
    def resolve(self: Any, info: RecordInfo) -> Any:
        return shaped(info, view.make(self.index))

    return strawberry.field(
        resolver=resolve, name=name, graphql_type=view_type(view.gives), description=view.description
    )


@strawberry.type
class _RunFields:
    """The fields of a run view that are written out; those of the table of views are put beside them."""

    index: strawberry.Private[RunIndex]
    id: strawberry.ID = strawberry.field(description="Id of the run.")

    @strawberry.field(graphql_type=optional(record_type("Run")), description="The run itself, with its relations.")
    async def record(self, info: RecordInfo) -> Any:
        return await load_record(info, self.id)

    @strawberry.field(
        graphql_type=view_type(RunSteps),
        description="Its steps as rows, each branch and each loop kept together, page by page. "
        "Arguments narrow them down.",
    )
    async def steps(  # noqa: PLR0917 - the arguments of the field
        self,
        info: RecordInfo,
        search: Search = None,
        status: Statuses = None,
        kinds: Kinds = None,
        first: First = DEFAULT,
        after: After = None,
    ) -> Any:
        request = StepsRequest(search=search, status=status, kinds=kinds, first=first, after=after)
        return shaped(info, await service_of(info, Runs).steps(viewer_of(info), self.index, request))

    @strawberry.field(
        graphql_type=view_type(RunQuestions), description="Questions about the run that are answered without a model."
    )
    def questions(self, info: RecordInfo) -> Any:
        return shaped(info, RunQuestions(self.index.facts))


RunView: Any = strawberry.type(
    type("RunView", (_RunFields,), {name: _field(name, view) for name, view in VIEWS.items()}),
    description="One run and all that is said of it. Every part says which evidence it rests on and what is missing.",
)


@strawberry.type
class RunQuery:
    @strawberry.field(
        graphql_type=optional(RunView),
        description="One run with its read models: by id, or by source and key. Null when there is none that you see.",
    )
    async def run(self, info: RecordInfo, id: Id = None, source: Source = None, key: Key = None) -> Any:
        run_id = await id_of(info, RecordRef(id=id, source=source, key=key), "run", "Run")
        index = await service_of(info, Runs).index(viewer_of(info), run_id, _needed(info))
        return RunView(index=index, id=strawberry.ID(index.run.id)) if index else None


def _needed(info: RecordInfo) -> frozenset[Part]:
    """The parts of the facts that the fields which are asked for look at."""
    asked = cast("ReadSchema", info.schema).shaping.fields_asked(raw_of(info))
    needs = [VIEWS[name].needs for name in asked if name in VIEWS]
    return frozenset[Part]().union(*needs, QUESTIONS_NEED if "questions" in asked else ())
