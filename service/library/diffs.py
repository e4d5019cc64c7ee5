"""How any two blueprints differ, or two versions of one: from the contents that were kept when they were saved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import orjson

from graph_schema.model.names import api_name
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.library.blueprints import NEEDS, difference
from service.library.cypher import blueprints as cypher
from service.library.errors import VersionNotKept, VersionUnknown
from service.records.read import MOST, could_see
from service.views import Id

Values = dict[str, Any]
Value = Annotated[Any, "json"]
_LINKED = (*NEEDS, "goals")


class PartChange(StrEnum):
    """What became of a part."""

    added = "added"
    removed = "removed"
    changed = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintChangedField:
    """A field that says something else."""

    field: Annotated[str, "Its name."]
    from_: Annotated[Value | None, "What the prior one says."]
    to: Annotated[Value | None, "What the candidate says."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintPartChange:
    """A step, contract, criterion, review point or side effect that is new, gone or another."""

    key: Annotated[str, "What it is known by."]
    change: Annotated[PartChange, "What became of it."]
    fields: Annotated[tuple[BlueprintChangedField, ...], "What it says otherwise, of one that changed."]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintLinkChange:
    """A capability or a goal that is named now and was not, or was and is not."""

    need: Annotated[str, "How it is named: requires, allows, denies, goals."]
    id: Annotated[Id, "Id of the capability or goal."]
    step: Annotated[str | None, "The step that names it; null for the blueprint as a whole."]
    change: Annotated[PartChange, "Whether it came or went."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactPolicyChange:
    """How far outputs go otherwise."""

    of: Annotated[str, "The step; `blueprint` for all of them."]
    from_: Annotated[str | None, "How far they went by the prior one."]
    to: Annotated[str | None, "How far they go by the candidate."]


Parts = tuple[BlueprintPartChange, ...]
Links = tuple[BlueprintLinkChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintDiff:
    """How a blueprint, the candidate, differs from another or from a version of itself before."""

    diff_id: Annotated[str, "What the comparison is called: the same for the same two versions."]
    prior_blueprint_id: Annotated[Id, "Id of the blueprint that is compared with."]
    prior_version: Annotated[int, "Its version."]
    candidate_blueprint_id: Annotated[Id, "Id of the blueprint that is compared."]
    candidate_version: Annotated[int, "Its version."]
    changed_fields: Annotated[tuple[BlueprintChangedField, ...], "What it says of the whole otherwise."]
    step_intent_changes: Annotated[Parts, "Its steps."]
    output_contract_changes: Annotated[Parts, "What it makes."]
    input_contract_changes: Annotated[Parts, "What it takes."]
    criteria_changes: Annotated[Parts, "What its result is judged by."]
    review_points_changes: Annotated[Parts, "Where a person looks."]
    side_effects_changes: Annotated[Parts, "What it does to the outside world."]
    capability_need_changes: Annotated[Links, "Capabilities that it names, of those that you may see."]
    goal_changes: Annotated[Links, "Goals that it states, of those that you may see."]
    artifact_policy_changes: Annotated[tuple[ArtifactPolicyChange, ...], "How far its outputs go."]
    rationale: Annotated[str | None, "Why the candidate was saved, as was said with it."]
    evidence_refs: Annotated[tuple[str, ...], "Where the evidence for that is kept."]


@dataclass(frozen=True, slots=True)
class _Version:
    id: str
    version: int
    content: Values
    told: Values
    """What was said when it was saved."""


class BlueprintDiffs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def between(
        self, viewer: Viewer, prior: RecordRef, candidate: RecordRef, versions: tuple[int | None, int | None]
    ) -> BlueprintDiff:
        """Of each the version that is given, else the present one. A version is for who could see it all along."""
        one = await self._version(viewer, prior, versions[0], "prior")
        other = await self._version(viewer, candidate, versions[1], "candidate")
        named = {*linked_ids(one.content), *linked_ids(other.content)}
        row = await self._database.read_one(cypher.SEEN, ids=sorted(named), audiences=viewer.audiences)
        seen = frozenset[str](row["ids"] if row else ())
        found = difference(
            content_for(one.content, seen), content_for(other.content, seen), (one.version, other.version)
        )
        return _told(one, other, found)

    async def _version(self, viewer: Viewer, ref: RecordRef, version: int | None, field: str) -> _Version:
        ref.check(field, "Blueprint")
        row = await self._database.read_one(
            cypher.BLUEPRINT_STATES,
            id=ref.id,
            source=ref.source,
            key=ref.key,
            version=version,
            most=MOST,
            audiences=viewer.audiences,
        )
        if row is None:
            raise RecordMissing(ref, field)
        today, *former = row["states"]
        number = version or today["version"]
        found = next((one for one in row["states"] if one["version"] == number), None)
        # What stood in a state that was closed to somebody may stand in the one before it, too.
        if found is None or (found is not today and not all(could_see(viewer, one) for one in former)):
            raise VersionUnknown(f"{field}_version", row["id"], number)
        if found["content"] is None:
            raise VersionNotKept(f"{field}_version", row["id"], number)
        return _Version(row["id"], number, orjson.loads(found["content"]), orjson.loads(found["diff"] or "{}"))


def linked_ids(content: Values) -> Iterator[str]:
    """Every record outside of the blueprint that it names."""
    for part in (content["links"], *content["steps"].values()):
        yield from (one for name in _LINKED for one in part.get(name, ()))


def content_for(content: Values, seen: frozenset[str]) -> Values:
    """The content without what the viewer may not see."""
    steps = {key: _seen(one, seen) for key, one in content["steps"].items()}
    return {**content, "links": _seen(content["links"], seen), "steps": steps}


def _seen(part: Values, seen: frozenset[str]) -> Values:
    return {name: [one for one in value if one in seen] if name in _LINKED else value for name, value in part.items()}


def _told(one: _Version, other: _Version, found: Values) -> BlueprintDiff:
    parts = ("step_intent", "output_contract", "input_contract", "criteria", "review_points", "side_effects")
    return BlueprintDiff(
        diff_id=f"{one.id}@{one.version}..{other.id}@{other.version}",
        prior_blueprint_id=one.id,
        prior_version=one.version,
        candidate_blueprint_id=other.id,
        candidate_version=other.version,
        changed_fields=_fields(found["changed_fields"]),
        **{f"{name}_changes": tuple(_part(row) for row in found[f"{name}_changes"]) for name in parts},
        capability_need_changes=tuple(_link(row) for row in found["capability_need_changes"]),
        goal_changes=tuple(_link(row) for row in found["goal_changes"]),
        artifact_policy_changes=tuple(
            ArtifactPolicyChange(of=row["of"], from_=row["from"], to=row["to"])
            for row in found["artifact_policy_changes"]
        ),
        rationale=other.told.get("rationale"),
        evidence_refs=tuple(other.told.get("evidence_refs") or ()),
    )


def _fields(rows: list[Values]) -> tuple[BlueprintChangedField, ...]:
    return tuple(BlueprintChangedField(field=api_name(row["field"]), from_=row["from"], to=row["to"]) for row in rows)


def _part(row: Mapping[str, Any]) -> BlueprintPartChange:
    return BlueprintPartChange(key=row["key"], change=PartChange(row["change"]), fields=_fields(row.get("fields", [])))


def _link(row: Mapping[str, Any]) -> BlueprintLinkChange:
    return BlueprintLinkChange(need=row["need"], id=row["id"], step=row.get("step"), change=PartChange(row["change"]))
