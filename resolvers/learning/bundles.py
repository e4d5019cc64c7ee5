"""What was drawn from a design, a run, an assessment or a change."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.naming import id_of
from resolvers.generated.views import view_type
from service.commands import RecordRef
from service.learning.bundles.read import SOURCES, ExtractionBundles, TaskDesignExtractionBundle

Source = Annotated[
    RecordRefInput,
    strawberry.argument(description=f"What it was drawn from: a {', '.join(SOURCES)}. With source and key, its kind."),
]


@strawberry.type
class BundleQuery:
    @strawberry.field(
        graphql_type=view_type(TaskDesignExtractionBundle),
        description="What was drawn from a design, a run, a task, an assessment, a note or a change: cases, shapes, "
        "preferences, goals, signals and proposals. It stores nothing.",
    )
    async def extraction_bundle(self, info: RecordInfo, of: Source) -> Any:
        found = RecordRef(id=await id_of(info, of.ref(), "of"))
        return shaped(info, await service_of(info, ExtractionBundles).of(viewer_of(info), found))
