"""Who is asking, as the API shows it."""

import strawberry

from graph_schema.model.fields import DataClass
from resolvers.engine.loading import RecordInfo
from service.access.viewer import KeyScope, PrincipalKind, Viewer

_SCOPE = strawberry.enum(KeyScope, description="What a key may be used for.")
_KIND = strawberry.enum(PrincipalKind, description="What a principal is in the world.")
_CLASS = strawberry.enum(DataClass, description="How sensitive a record is, from least to most.")


@strawberry.type(description="Who is asking, and what they may see and do.")
class ViewerInfo:
    name: str = strawberry.field(description="Name of the principal.")
    principal_id: strawberry.ID = strawberry.field(description="Id of the principal.")
    kind: PrincipalKind = strawberry.field(
        description="What they are: some things are decided by a person only, whatever the key."
    )
    scopes: list[KeyScope] = strawberry.field(description="What the key may be used for.")
    clearance: DataClass = strawberry.field(description="The most sensitive class that they may see.")
    matters: list[strawberry.ID] | None = strawberry.field(
        description="Ids of the matters that they are a member of; null means all matters."
    )


@strawberry.type
class PrincipalQuery:
    @strawberry.field(description="Who is asking. Null when nobody has signed in.")
    def viewer(self, info: RecordInfo) -> ViewerInfo | None:
        return _shown(info.context.viewer) if info.context.viewer else None


def _shown(viewer: Viewer) -> ViewerInfo:
    matters = None if viewer.all_matters else [strawberry.ID(one) for one in sorted(viewer.matter_ids)]
    return ViewerInfo(
        name=viewer.name,
        principal_id=strawberry.ID(viewer.principal_id),
        kind=viewer.kind,
        scopes=sorted(viewer.scopes),
        clearance=viewer.clearance,
        matters=matters,
    )
