"""How often templates, presets and groups of templates are used, over what the viewer may see.

It is counted whenever somebody asks, so a card never shows a number that has gone stale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.fields import Timestamp
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.statistics import usage_cypher as cypher
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetUsage:
    """How often an asset was used, in the runs that you may see."""

    usage_count: Annotated[
        int, "Of a template, its runs and those of tasks made from it; of a preset, activations of modules set to it."
    ]
    last_used_at: Annotated[Timestamp | None, "When that was so last."]
    assessed_runs: Annotated[int, "Of a template, runs of it that were assessed; of a preset, findings about it."] = 0
    assessment_summary: Annotated[str | None, "What these assessments come to, in a sentence."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedTemplateUsage:
    """How often a template of a group was used."""

    template_id: Annotated[Id, "Id of the template."]
    name: Annotated[str, "What people call it."]
    usage_count: Annotated[int, "Its runs, and those of tasks made from it."]
    success_count: Annotated[int, "Runs among them that completed."]
    failure_count: Annotated[int, "Runs among them that failed."]
    last_used_at: Annotated[Timestamp | None, "When such a run last started."]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupUsage:
    """How the templates of a group are used, in the runs that you may see."""

    usage_count: Annotated[int, "Runs of its templates, and of tasks made from them."]
    success_count: Annotated[int, "Runs among them that completed."]
    failure_count: Annotated[int, "Runs among them that failed."]
    success_rate: Annotated[float | None, "Completed runs among those that completed or failed."]
    last_used_at: Annotated[Timestamp | None, "When such a run last started."]
    templates: Annotated[tuple[GroupedTemplateUsage, ...], "The same of each template, the most used first."]


class AssetUses:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_templates(self, viewer: Viewer, ids: Sequence[str]) -> list[AssetUsage | None]:
        """In the order of the ids; none of one that the viewer does not see."""
        rows = await self._database.read(cypher.TEMPLATE_USES, ids=list(ids), audiences=viewer.audiences)
        return _in_order(ids, {row["id"]: _usage(row) for row in rows})

    async def of_presets(self, viewer: Viewer, ids: Sequence[str]) -> list[AssetUsage | None]:
        rows = await self._database.read(cypher.PRESET_USES, ids=list(ids), audiences=viewer.audiences)
        return _in_order(ids, {row["id"]: _usage(row) for row in rows})

    async def of_groups(self, viewer: Viewer, ids: Sequence[str]) -> list[GroupUsage | None]:
        rows = await self._database.read(cypher.GROUP_USES, ids=list(ids), audiences=viewer.audiences)
        return _in_order(ids, {row["id"]: group_usage(row["templates"]) for row in rows})


def group_usage(templates: Sequence[dict[str, Any]]) -> GroupUsage:
    """What its templates come to together."""
    counts = {name: sum(one[name] for one in templates) for name in ("usage_count", "success_count", "failure_count")}
    ended = counts["success_count"] + counts["failure_count"]
    return GroupUsage(
        **counts,
        success_rate=counts["success_count"] / ended if ended else None,
        last_used_at=max((one["last_used_at"] for one in templates if one["last_used_at"]), default=None),
        templates=tuple(GroupedTemplateUsage(**one) for one in templates),
    )


def _usage(row: dict[str, Any]) -> AssetUsage:
    return AssetUsage(
        usage_count=row["usage_count"],
        last_used_at=row["last_used_at"],
        assessed_runs=row["assessed"],
        assessment_summary=_assessed(row),
    )


def _assessed(row: dict[str, Any]) -> str | None:
    """What the newest assessment of each run came to; of a preset, what was found about it."""
    if not row["assessed"]:
        return None
    of = "findings" if row["score"] is None else "assessed runs"
    score = "" if row["score"] is None else f", with a mean score of {row['score']:.2f}"
    return f"{row['assessed']:,} {of}{score}: {row['problems']:,} problems and {row['strengths']:,} strengths."


def _in_order(ids: Sequence[str], found: dict[str, Any]) -> list[Any]:
    return [found.get(one) for one in ids]
