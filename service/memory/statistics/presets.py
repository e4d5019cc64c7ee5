"""How presets do in operation, over the activations that the viewer may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from graph_schema.model.fields import Timestamp
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.graph.reads.cursors import decode, encode
from service.memory.statistics import preset_cypher as cypher
from service.memory.statistics.paging import COMMON, EARLIEST, RECENT, check_first
from service.views import CountedPage, Id, page_facts

_ORDER = "presets:name"


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetStatistics:
    """How often, how long and how dear a preset was used, in the activations that the viewer may see."""

    preset_id: Annotated[Id | None, "Id of the preset; null when only executors know it."]
    source: Annotated[str | None, "The system that knows it; null for a preset that none has named."]
    key: Annotated[str | None, "What that system calls it."]
    display_name: Annotated[str, "What people call it; else what executors do."]
    module_type: Annotated[str | None, "The type of module that it configures."]
    usage_count: Annotated[int, "Activations that used it; those that were skipped do not count."]
    failure_count: Annotated[int, "Activations among them that ended in an error."]
    tasks_used_in: Annotated[int, "Tasks that were run with it, or whose saved graph has it."]
    templates_used_in: Annotated[int, "Templates that were run with it, or whose saved graph has it."]
    avg_module_duration_ms: Annotated[float | None, "Mean time of the activations that ended."]
    p50_module_duration_ms: Annotated[float | None, "Half of the activations that ended took no longer."]
    p90_module_duration_ms: Annotated[float | None, "Nine in ten of the activations that ended took no longer."]
    avg_module_cost_usd: Annotated[float | None, "Mean cost of the activations whose cost is known."]
    p50_module_cost_usd: Annotated[float | None, "Half of the activations whose cost is known cost no more."]
    p90_module_cost_usd: Annotated[float | None, "Nine in ten of the activations whose cost is known cost no more."]
    last_used_at: Annotated[Timestamp | None, "When it was last put to work."]
    common_downstream_consumers: Annotated[
        tuple[str, ...],
        f"Types of module that its latest {RECENT} activations set going or fed, the commonest first, up to {COMMON}.",
    ]
    known_strengths: Annotated[tuple[str, ...], "What it does well, as saved."]
    known_limitations: Annotated[tuple[str, ...], "What it does not do well, as saved."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPresetEdge:
    """A preset in a list."""

    cursor: Annotated[str, "Where the preset stands in the list."]
    node: Annotated[PresetStatistics, "The preset, and how it does."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPresetConnection(CountedPage):
    """Saved presets, by name."""

    edges: Annotated[tuple[SavedPresetEdge, ...], "The presets of the page with their cursors."]

    @property
    def nodes(self) -> Annotated[tuple[PresetStatistics, ...], "The presets of the page."]:
        return tuple(one.node for one in self.edges)


class PresetsInOperation:
    """How presets do, computed from the activations that used them whenever it is asked for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, ref: RecordRef, since: str | None = None) -> PresetStatistics | None:
        """None for what the viewer sees neither saved nor used: it reads the same as what is not there."""
        ref.check("of", "Preset")
        name = {"id": ref.id, "source": ref.source, "key": ref.key}
        row = await self._database.read_one(cypher.PRESET, **name, audiences=viewer.audiences)
        if row is None and ref.id is not None:
            return None
        [found] = await self._computed(viewer, [row["found"] if row else name], since)
        return found if row or found.usage_count else None

    async def saved(
        self, viewer: Viewer, *, module_type: str | None = None, first: int = 20, after: str | None = None
    ) -> SavedPresetConnection:
        """Saved presets that the viewer may see, by name. Those that were put away are left out."""
        check_first(first)
        place = decode(after, _ORDER, field="after", linked=False, nullable=False) if after is not None else None
        row = await self._database.read_one(
            cypher.PRESETS,
            audiences=viewer.audiences,
            name=place.value if place else "",
            after=place.id if place else "",
            module_type=module_type,
            limit=first + 1,
        )
        found: list[dict[str, Any]] = row["found"] if row else []
        computed = await self._computed(viewer, found[:first], None)
        cursors = [encode(_ORDER, one["name"], one["id"], None) for one in found[:first]]
        return SavedPresetConnection(
            edges=tuple(SavedPresetEdge(cursor=at, node=one) for at, one in zip(cursors, computed, strict=True)),
            page_info=page_facts(cursors, after, has_next=len(found) > first),
            count=partial(self._count, viewer, module_type),
        )

    async def _count(self, viewer: Viewer, module_type: str | None) -> int:
        row = await self._database.read_one(
            cypher.PRESETS_COUNT, audiences=viewer.audiences, name="", after="", module_type=module_type
        )
        return row["found"] if row else 0

    async def _computed(
        self, viewer: Viewer, known: Sequence[dict[str, Any]], since: str | None
    ) -> list[PresetStatistics]:
        if not known:
            return []
        row = await self._database.read_one(
            cypher.USES,
            of=[{"place": place, **_named(one)} for place, one in enumerate(known)],
            audiences=viewer.audiences,
            **{"from": since or EARLIEST},
            recent=RECENT,
            common=COMMON,
        )
        found: list[dict[str, Any]] = row["found"] if row else []
        return [_statistics(one, figures) for one, figures in zip(known, found, strict=True)]


def _named(known: dict[str, Any]) -> dict[str, Any]:
    return {name: known[name] for name in ("id", "source", "key")}


def _statistics(known: dict[str, Any], figures: dict[str, Any]) -> PresetStatistics:
    reported_type, consumers = figures.pop("reported_type"), tuple(figures.pop("common_downstream_consumers"))
    return PresetStatistics(
        preset_id=known["id"],
        source=known["source"],
        key=known["key"],
        display_name=known.get("name") or known["key"],
        module_type=known.get("module_type") or reported_type,
        common_downstream_consumers=consumers,
        known_strengths=tuple(known.get("known_strengths", ())),
        known_limitations=tuple(known.get("known_limitations", ())),
        **figures,
    )
