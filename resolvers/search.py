"""Search, as the API shows it."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.views import view_type
from service.search import Search, SearchAnswer, SearchRequest
from service.search.request import DEFAULT_HITS, LONGEST_TEXT, MOST_HITS

Text = Annotated[
    str,
    strawberry.argument(
        description=f"What to look for: a name, a key, words or a sentence, up to {LONGEST_TEXT:,} characters."
    ),
]
Kinds = Annotated[
    list[str] | None,
    strawberry.argument(description="Only records of these types, such as Goal; without it, of all that have cards."),
]
First = Annotated[int, strawberry.argument(description=f"At most so many hits, up to {MOST_HITS}.")]
IncludeArchived = Annotated[
    bool, strawberry.argument(description="Whether to find records that are archived or otherwise retired, too.")
]


@strawberry.type
class SearchQuery:
    @strawberry.field(
        graphql_type=view_type(SearchAnswer), description="Find records by name, alias, key, words and meaning."
    )
    async def search(
        self,
        info: RecordInfo,
        text: Text,
        kinds: Kinds = None,
        first: First = DEFAULT_HITS,
        include_archived: IncludeArchived = False,
    ) -> Any:
        request = SearchRequest(text, kinds or (), first, include_archived)
        return shaped(info, await service_of(info, Search).search(viewer_of(info), request))
