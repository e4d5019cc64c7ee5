"""Records below written fields: `saveGoal { record { … } }`, `search { hits { record { … } } }`.

A written field returns ids; what is asked of the records is compiled like any other read. All records that are asked
for at the same place of a document come in one statement.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import strawberry

from resolvers.engine.context import Context
from resolvers.engine.graphql_core import ResolveInfo
from service.access.viewer import KeyScope

if TYPE_CHECKING:
    from resolvers.engine.execution import ReadSchema

RecordInfo = strawberry.Info[Context, None]


async def load_record(info: RecordInfo, record_id: str | None) -> Any:
    """The record with this id, with what the document asks of it. Null when there is none that the viewer may see.

    A command's answer shows no more than a query would: a key without the scope `read` gets ids and versions.
    """
    if record_id is None or not may_read(info):
        return None
    schema, raw, context = cast("ReadSchema", info.schema), raw_of(info), info.context
    place = (*(id(node) for node in raw.field_nodes), id(raw.variable_values))
    return await context.loader.load(place, record_id, lambda ids: schema.read_records(raw, context, ids))


def may_read(info: RecordInfo) -> bool:
    viewer = info.context.viewer
    return viewer is not None and KeyScope.read in viewer.scopes


async def load_records(info: RecordInfo, ids: Sequence[str]) -> list[Any]:
    """Records in the order of their ids, with null for what the viewer may not see."""
    return list(await asyncio.gather(*(load_record(info, one) for one in ids)))


def shaped(info: RecordInfo, value: Any) -> Any:
    """A read model, as the document asks for it."""
    return cast("ReadSchema", info.schema).shaping.shaped(raw_of(info), value)


def raw_of(info: RecordInfo) -> ResolveInfo:
    """What graphql-core itself passes to a resolver."""
    return info._raw_info  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportUnknownVariableType]
