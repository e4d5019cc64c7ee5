"""Which invocation directives hold for a request."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from service.matching.read import Matching
from service.matching.request import LONGEST
from service.routing.directives.read import MOST, Directives
from service.routing.directives.rules import MatchedDirective

MATCHED: Any = list[view_type(MatchedDirective)]


@strawberry.type
class DirectiveQuery:
    @strawberry.field(
        graphql_type=MATCHED,
        description="Which invocation directives hold for a request, by what it says and by what it means, best first; "
        "one that a condition speaks against comes last. It stores nothing.",
    )
    async def match_invocation_directives(
        self,
        info: RecordInfo,
        text: Annotated[str, strawberry.argument(description=f"What the user said, up to {LONGEST:,} characters.")],
        entities: Annotated[
            list[RecordRefInput] | None, strawberry.argument(description="Entities and matters that it is about.")
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many, up to {MOST}.")] = 10,
    ) -> Any:
        viewer = viewer_of(info)
        about = await service_of(info, Matching).ids_of(viewer, [one.ref() for one in entities or ()])
        return shaped(info, await service_of(info, Directives).match(viewer, text, entities=about, first=first))
