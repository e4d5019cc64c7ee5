"""What is asked of the library: whether a segment fits and how it is used, and whether a group earns its place.

It is computed whenever somebody asks, so nothing can be out of date. What the usage of a segment costs follows its own
graphs and their latest runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.fields import Timestamp
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.library.cypher import assets, segments
from service.library.graphs import graph_of
from service.library.groups import GroupWorth, worth
from service.library.segment_saving import SOURCES
from service.library.segments import Insertion, Needs, Ports, insertion

RECENT = 200
_LATEST = "9999-12-31T23:59:59.999Z"


@dataclass(frozen=True, slots=True)
class SegmentUsage:
    """How a segment is used, over what you may see; computed when asked for."""

    usage_count: Annotated[int, "Tasks and templates that have it in their graph."]
    run_count: Annotated[int, f"Runs that activated its modules, among the latest {RECENT} of each of those."]
    last_used_at: Annotated[Timestamp | None, "When such a run last started."]
    avg_duration_ms: Annotated[float | None, "Mean time that its modules worked in such a run."]
    avg_cost_usd: Annotated[float | None, "Mean cost of its modules in such a run."]


class LibraryReader:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def worths(self, viewer: Viewer, ids: Sequence[str]) -> list[GroupWorth | None]:
        """The worth of each group, as far as the viewer sees what is in it."""
        rows = await self._database.read(assets.GROUP_WORTH, ids=list(ids), audiences=viewer.audiences)
        found = {
            row["id"]: worth(row["properties"], row["templates"], row["shared"], row["capabilities"]) for row in rows
        }
        return [found.get(one) for one in ids]

    async def usages(self, viewer: Viewer, ids: Sequence[str]) -> list[SegmentUsage | None]:
        """The usage of each segment; none of one that the viewer does not see."""
        rows = await self._database.read(
            segments.SEGMENT_USAGE, ids=list(ids), audiences=viewer.audiences, recent=RECENT, latest=_LATEST
        )
        found = {row["id"]: SegmentUsage(**row["usage"]) for row in rows}
        return [found.get(one) for one in ids]

    async def check_insertion(self, viewer: Viewer, segment: RecordRef, into: RecordRef) -> Insertion:
        """Whether a segment fits into the graph of a task or template, or into a snapshot. Stores nothing."""
        segment.check("segment", "Segment")
        into.check("into")
        one = await self._graph(viewer, segment, ("Segment",), "segment")
        other = await self._graph(viewer, into, SOURCES, "into")
        ports = Ports(tuple(one["owner"]["required_input_ports"]), tuple(one["owner"]["exposed_output_ports"]))
        return insertion(graph_of(one), ports, graph_of(other), _needs(one["owner_needs"], other["owner_needs"]))

    async def _graph(self, viewer: Viewer, ref: RecordRef, kinds: Sequence[str], field: str) -> Mapping[str, Any]:
        row = await self._database.read_one(
            segments.GRAPH_TO_CHECK,
            id=ref.id,
            source=ref.source,
            key=ref.key,
            kinds=list(kinds),
            audiences=viewer.audiences,
        )
        if row is None:
            raise RecordMissing(ref, field)
        return row


def _needs(own: Sequence[Mapping[str, Any]], there: Sequence[Mapping[str, Any]]) -> Needs:
    """What a segment needs, and what is said there of capabilities."""
    return Needs(
        required=frozenset(one["name"] for one in own if one["type"] == "REQUIRES"),
        granted=frozenset(one["name"] for one in there if one["type"] in {"REQUIRES", "ALLOWS"}),
        denied=frozenset(one["name"] for one in there if one["type"] == "DENIES"),
        unavailable=frozenset(one["name"] for one in own if one["state"] not in {None, "up"}),
    )
