"""How presets do in operation, as the API shows it."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.pages import PAGE_INFO, TOTAL, PageFacts, page_facts
from resolvers.generated.views import view_type
from service.memory.statistics import PresetStatistics, preset_statistics, presets_counted, saved_presets
from service.memory.statistics.paging import MOST_ROWS


@strawberry.type(description="A preset in a list.")
class SavedPresetEdge:
    statistics: strawberry.Private[PresetStatistics]
    cursor: str = strawberry.field(description="Where the preset stands in the list.")

    @strawberry.field(graphql_type=view_type(PresetStatistics), description="The preset, and how it does.")
    def node(self, info: RecordInfo) -> Any:
        return shaped(info, self.statistics)


@strawberry.type(description="Saved presets, by name.")
class SavedPresetConnection:
    module_type: strawberry.Private[str | None]
    edges: list[SavedPresetEdge] = strawberry.field(description="The presets of the page with their cursors.")
    page_info: PageFacts = strawberry.field(graphql_type=PAGE_INFO, description="Where the page begins and ends.")

    @strawberry.field(graphql_type=list[view_type(PresetStatistics)], description="The presets of the page.")
    def nodes(self, info: RecordInfo) -> Any:
        return shaped(info, [one.statistics for one in self.edges])

    @strawberry.field(description=TOTAL)
    async def total_count(self, info: RecordInfo) -> int:
        return await presets_counted(info.context.database, viewer_of(info), self.module_type)


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
        return shaped(info, await preset_statistics(info.context.database, viewer_of(info), of.ref(), since))

    @strawberry.field(description="Saved presets with their statistics, by name. Archived ones are left out.")
    async def saved_presets(
        self,
        info: RecordInfo,
        module_type: Annotated[
            str | None, strawberry.argument(description="Only presets for this type of module.")
        ] = None,
        first: Annotated[int, strawberry.argument(description=f"At most so many presets, up to {MOST_ROWS}.")] = 20,
        after: Annotated[str | None, strawberry.argument(description="Only presets after this cursor.")] = None,
    ) -> SavedPresetConnection:
        page = await saved_presets(
            info.context.database, viewer_of(info), module_type=module_type, first=first, after=after
        )
        edges = [SavedPresetEdge(statistics=one.statistics, cursor=one.cursor) for one in page.rows]
        facts = page_facts([one.cursor for one in edges], after, has_next=page.has_next)
        return SavedPresetConnection(module_type=module_type, edges=edges, page_info=facts)
