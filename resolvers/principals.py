"""Who is asking, as the API shows it."""

from typing import Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.generated.construction import optional
from resolvers.generated.views import view_type
from service.access.viewer import ViewerInfo


@strawberry.type
class PrincipalQuery:
    @strawberry.field(
        graphql_type=optional(view_type(ViewerInfo)), description="Who is asking. Null when nobody has signed in."
    )
    def viewer(self, info: RecordInfo) -> Any:
        return shaped(info, ViewerInfo.of(info.context.viewer) if info.context.viewer else None)
