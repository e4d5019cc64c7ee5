"""How presets do in operation, as the API shows it."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from service.memory.statistics import PresetsInOperation, PresetStatistics, SavedPresetConnection
from service.memory.statistics.paging import MOST_ROWS


@strawberry.type
class PresetStatisticsQuery:
    @strawberry.field(
        graphql_type=optional(view_type(PresetStatistics)),
        description="How a preset does: uses, times, costs, what follows it. Null when you see nothing of it.",
    )
    async def preset_statistics(
        self,
        info: RecordInfo,
        of: Annotated[RecordRefInput, strawberry.argument(description="The Preset.")],
        since: Annotated[
            Timestamp | None, strawberry.argument(description="Only activations that began then or later.")
        ] = None,
    ) -> Any:
        return shaped(info, await service_of(info, PresetsInOperation).of(viewer_of(info), of.ref(), since))

    @strawberry.field(
        graphql_type=view_type(SavedPresetConnection),
        description="Saved presets with their statistics, by name. Archived ones are left out.",
    )
    async def saved_presets(
        self,
        info: RecordInfo,
        module_type: Annotated[
            str | None, strawberry.argument(description="Only presets for this type of module.")
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many presets, up to {MOST_ROWS}.")] = 20,
        after: Annotated[str | None, strawberry.argument(description="Only presets after this cursor.")] = None,
    ) -> Any:
        presets = service_of(info, PresetsInOperation)
        return shaped(info, await presets.saved(viewer_of(info), module_type=module_type, first=first, after=after))
