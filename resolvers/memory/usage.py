"""How assets are used, beside what is saved of them."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.views import view_type
from service.access.viewer import Viewer
from service.memory.statistics import AssetUsage, AssetUses, GroupUsage

Reads = Callable[[AssetUses, Viewer, Sequence[str]], Awaitable[Sequence[Any]]]
_USAGE = optional(view_type(AssetUsage))
_TOLD = "How often it was used, and when last, as far as you see the runs."


@strawberry.type
class TemplateUses:
    """Put on templates. Those of a list are read together."""

    @strawberry.field(graphql_type=_USAGE, description=_TOLD)
    async def usage(self, info: RecordInfo) -> Any:
        return await _read(self, info, AssetUses.of_templates)


@strawberry.type
class PresetUses:
    """Put on presets."""

    @strawberry.field(graphql_type=_USAGE, description=_TOLD)
    async def usage(self, info: RecordInfo) -> Any:
        return await _read(self, info, AssetUses.of_presets)


@strawberry.type
class GroupUses:
    """Put on groups of templates."""

    @strawberry.field(
        graphql_type=optional(view_type(GroupUsage)),
        description="How its templates are used, as far as you see them and their runs.",
    )
    async def usage_summary(self, info: RecordInfo) -> Any:
        return await _read(self, info, AssetUses.of_groups)


async def _read(source: Any, info: RecordInfo, read: Reads) -> Any:
    """One answer for each asset of the list that this one is in, from one read."""
    uses, viewer = service_of(info, AssetUses), viewer_of(info)

    async def together(ids: list[str]) -> list[Any]:
        return list(await read(uses, viewer, ids))

    return shaped(info, await info.context.loader.load(read, source.id, together))
