"""What the library adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import Costs, each, flat
from resolvers.library.blueprints import BlueprintMutation, BlueprintQuery
from resolvers.library.commands import LibraryMutation
from resolvers.library.n8n import N8nMutation, N8nQuery
from resolvers.library.segments import RecordUsage, RecordWorth, SegmentMutation, SegmentQuery

FIELDS = Fields(
    queries=(SegmentQuery, BlueprintQuery, N8nQuery),
    mutations=(LibraryMutation, BlueprintMutation, SegmentMutation, N8nMutation),
    record_fields={"TemplateGroup": (RecordWorth,), "Segment": (RecordUsage,)},
    costs=Costs(
        queries={"checkInsertion": flat(100), "blueprintDiff": flat(100), "exportN8n": flat(1_000)},
        mutations={
            "importN8n": each("workflows", 500),
            "saveGraph": flat(500),
            "saveBlueprint": flat(200),
            "saveSegment": flat(200),
        },
        record_fields={"worth": flat(200), "usage": flat(200)},
    ),
)
