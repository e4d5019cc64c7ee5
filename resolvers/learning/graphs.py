"""What a design is told from the knowledge, and how two graphs differ."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from resolvers.knowledge.lookup import shared
from resolvers.knowledge.preflights import subject_of
from resolvers.library.graphs import TaskGraph
from service.knowledge.lookup.read import KnowledgeAnswer
from service.learning.design.guidance import DesignGuidance
from service.learning.edits.compare import GraphDifference, GraphDifferences

Saved = Annotated[
    RecordRefInput | None,
    strawberry.argument(description="A task, template or graph that is saved: the old graph is its."),
]
Newer = Annotated[
    RecordRefInput | None,
    strawberry.argument(description="A task, template or graph that is saved: the new graph is its."),
]


@strawberry.type
class DesignKnowledgeQuery:
    @strawberry.field(
        graphql_type=view_type(KnowledgeAnswer),
        description="Doctrine, decisions, hints and worked examples that bear on a design, as far as the education "
        "profile allows.",
    )
    async def design_guidance(
        self,
        info: RecordInfo,
        session: Annotated[RecordRefInput, strawberry.argument(description="The DesignSession.")],
    ) -> Any:
        guidance = service_of(info, DesignGuidance)
        return await shared(info, lambda turn: guidance.of(viewer_of(info), session.ref(), turn))

    @strawberry.field(
        graphql_type=view_type(GraphDifference),
        description="How two graphs differ, edit by edit: modules, cables, settings, prompts, presets.",
    )
    async def diff_graphs(
        self,
        info: RecordInfo,
        old_of: Saved = None,
        old: Annotated[
            TaskGraph | None, strawberry.argument(description="The old graph, where it is not saved.")
        ] = None,
        new_of: Newer = None,
        new: Annotated[
            TaskGraph | None, strawberry.argument(description="The new graph, where it is not saved.")
        ] = None,
    ) -> Any:
        before, after = await subject_of(info, old_of, old, "oldOf"), await subject_of(info, new_of, new, "newOf")
        return shaped(info, await service_of(info, GraphDifferences).between(viewer_of(info), before, after))
