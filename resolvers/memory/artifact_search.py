"""Search for artifacts, as the API shows it."""

from dataclasses import fields
from typing import Annotated, Any

import strawberry

from graph_schema.memory.words import ArtifactKind, IntakeLevel
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from resolvers.memory.history import plain
from service.memory.artifact_search import ArtifactFilter, ArtifactSearch, ArtifactSearchRequest
from service.memory.artifact_search.request import DEFAULT, MOST
from service.search import SearchAnswer
from service.search.request import LONGEST_TEXT


def _given(description: str) -> Any:
    return strawberry.field(default=None, description=description)


@strawberry.input(
    description="Which artifacts take part: those that pass every filter that is given. One of a list is enough."
)
class ArtifactSearchFilter:
    runs: list[RecordRefInput] | None = _given("Artifacts of these runs.")
    tasks: list[RecordRefInput] | None = _given("Artifacts of runs of these tasks.")
    about: list[RecordRefInput] | None = _given("Artifacts of runs about these entities.")
    kinds: list[ArtifactKind] | None = _given("Artifacts of these kinds.")
    intake_levels: list[IntakeLevel] | None = _given("Artifacts that go so far beyond their run.")
    produced_from: Timestamp | None = _given("Artifacts that were made then or later.")
    produced_before: Timestamp | None = _given("Artifacts that were made before.")

    def wanted(self) -> ArtifactFilter:
        values = {one.name: getattr(self, one.name) for one in fields(ArtifactFilter)}
        return ArtifactFilter(**{name: plain(value) for name, value in values.items() if value is not None})


@strawberry.type
class ArtifactSearchQuery:
    @strawberry.field(
        graphql_type=view_type(SearchAnswer),
        description="Find artifacts by name, words and meaning, or learn why none is found.",
    )
    async def search_artifacts(
        self,
        info: RecordInfo,
        text: Annotated[
            str,
            strawberry.argument(
                description=f"What to look for, up to {LONGEST_TEXT:,} characters. Without a text all that passes the "
                "filters fits, the newest first."
            ),
        ] = "",
        filter: Annotated[
            ArtifactSearchFilter | None, strawberry.argument(description="Which artifacts take part; without it, all.")
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many hits, up to {MOST}.")] = DEFAULT,
    ) -> Any:
        request = ArtifactSearchRequest(text, filter.wanted() if filter else ArtifactFilter(), first)
        return shaped(info, await service_of(info, ArtifactSearch).search(viewer_of(info), request))
