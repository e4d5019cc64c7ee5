"""Saving a blueprint: its parts and links in one go, with its profile, its hash and how it differs from before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.library.words import AuthoredBy
from graph_schema.model.fields import DataClass, Field
from graph_schema.model.record import LifecycleState as Life
from graph_schema.model.record import RecordType
from service.access.viewer import PrincipalKind
from service.commands import RecordRef, Work
from service.commands.approval import approval_required
from service.commands.errors import InputInvalid, RecordMissing
from service.commands.validation import validated
from service.commands.work import State
from service.library.blueprints import (
    LINKS,
    NEEDS,
    PARTS,
    STEPS,
    BlueprintInput,
    PartInput,
    PartKind,
    content_hash,
    difference,
    kept_content,
    named_parts,
    written,
)
from service.library.checks import check_needs
from service.library.cypher import blueprints as cypher
from service.library.errors import BlueprintGraphMismatch
from service.library.profile import measured
from service.library.warnings import LibraryWarning
from service.records.lifecycle import first_state, is_guarded

Values = dict[str, Any]
_GOALS = ("Goal",)
_CAPABILITIES = ("Capability",)
_STEP_LINKS = {
    "REQUIRES": "requires",
    "ALLOWS": "allows",
    "DENIES": "denies",
    "SERVES_GOAL": "goals",
    "CHECKED_BY": "checked_by",
    "BOUND_TO": "bound_modules",
}
_HANDS = {PrincipalKind.person: AuthoredBy.user, PrincipalKind.agent: AuthoredBy.task_agent}


@dataclass(frozen=True, slots=True)
class _Held:
    """A part as it stands."""

    state: State
    order: int
    links: Mapping[str, Sequence[str]]
    ids: Mapping[str, Sequence[str]]


class SaveBlueprint:
    def __init__(self, asked: BlueprintInput, ref: RecordRef | None, *, proposed: bool = False) -> None:
        """`proposed`: it waits, whoever saves it."""
        self._asked = asked
        self._ref = ref
        self._proposed = proposed

    async def __call__(self, work: Work) -> Values:
        owner = self._owner(work)
        before = await self._present(work, owner) if self._ref is None and owner else self._existing(work)
        row = await work.transaction.one(
            cypher.BLUEPRINT,
            id=before.id if before else None,
            owner=owner.id if owner else None,
            audiences=work.viewer.audiences,
        )
        if row is None:
            raise RecordMissing(self._ref, "id")
        owners = [*([owner] if owner else []), *_owners(work, row)]
        saving = BlueprintSaving(work, self._asked, row, before=before, owner=owner, owners=owners)
        saving.proposed = self._proposed
        return saving.save()

    def _owner(self, work: Work) -> State | None:
        if self._asked.of is None:
            return None
        return work.existing(self._asked.of, "of", ["Task", "Template"])

    async def _present(self, work: Work, owner: State) -> State | None:
        """The blueprint that the owner has, when none is named: a second one would speak beside it."""
        row = await work.transaction.one(cypher.PRESENT_BLUEPRINT, owner=owner.id, audiences=work.viewer.audiences)
        return _state(work, row) if row else None

    def _existing(self, work: Work) -> State | None:
        if self._ref is None:
            return None
        if self._ref.id is not None:
            return work.need(self._ref, "id", ["Blueprint"])
        return work.find(self._ref, "source_key", ["Blueprint"])


async def opened(work: Work, blueprint: State, asked: BlueprintInput) -> "BlueprintSaving":
    """What would be saved of a blueprint that is there: all checks of a save are done, and nothing is changed."""
    row = await work.transaction.one(cypher.BLUEPRINT, id=blueprint.id, owner=None, audiences=work.viewer.audiences)
    if row is None:
        raise RecordMissing(RecordRef(id=blueprint.id), "id")
    return BlueprintSaving(work, asked, row, before=blueprint, owner=None, owners=_owners(work, row))


def _owners(work: Work, row: Mapping[str, Any]) -> list[State]:
    return [_state(work, one) for one in row["owners"]]


class BlueprintSaving:
    def __init__(
        self,
        work: Work,
        asked: BlueprintInput,
        row: Mapping[str, Any],
        *,
        before: State | None,
        owner: State | None,
        owners: Sequence[State],
    ) -> None:
        for one in owners:
            if is_guarded(work.viewer, one):
                raise approval_required(one.type.label)("blueprint")
        self.proposed = False
        self._work = work
        self._asked = asked
        self._before = before
        self._owner = owner
        self._owners = owners
        self._row = row
        self._is_new = before is None or bool(before.properties.get("stub"))
        self._modules: dict[str, list[str]] = {}
        for one in row["modules"]:
            self._modules.setdefault(one["module_key"], []).append(one["id"])
        self._held = self._held_parts()
        self._led_to = {one["id"] for each in (row, *row["parts"]) for one in each["links"]}
        self._wanted = {kind.name: self._wanted_parts(kind) for kind in PARTS}
        self._links = {name: self._wanted_links(name) for name in LINKS.values()}
        check_needs(self._links["requires"], self._links["denies"], "denies")

    def save(self) -> Values:
        after, warnings = self.stored()
        digest = after.properties["blueprint_hash"]
        return {"id": after.id, "version": after.version, "blueprint_hash": digest, "warnings": warnings}

    def stored(self) -> tuple[State, list[str]]:
        """The blueprint afterwards, and what there is to be said of it."""
        content_before = self.content_held()
        values = self._values()
        held = self._before.properties if self._before else {}
        content = self._content_wanted({**held, **values})
        digest = content_hash(content)
        if self._before is not None and not self._is_new and held.get("blueprint_hash") != digest:
            values["diff"] = self._diff(content_before, content, self._before.version)
        values |= {"blueprint_hash": digest, "content": kept_content(content), **self._profile({**held, **values})}
        after = self._stored(values)
        self._tie(after)
        self._tell_owners(after, digest)
        return after, self._warnings(content_before, content)

    def _values(self) -> Values:
        values = dict(self._asked.values)
        if self._before is None and self._owner is not None:
            for name in ("data_class", "matter_ids"):
                values.setdefault(name, self._owner.properties[name])
        if self._is_new:
            first = Life.draft if self.proposed else first_state(self._work.viewer, "Blueprint", values)
            values["lifecycle_state"] = first.value
        if self._is_new and values.get("authored_by") is None:
            values["authored_by"] = _HANDS.get(self._work.viewer.kind, AuthoredBy.system).value
        return values

    def _stored(self, values: Values) -> State:
        if self._before is not None:
            return self._work.update(self._before, values)
        sources = [self._owner] if self._owner else []
        return self._work.create(self._work.registry.types["Blueprint"], _given(values), sources)

    def _profile(self, merged: Values) -> Values:
        sides = [self._part_values(part)["side"] for part in self._wanted["contracts"].values()]
        stakes = merged.get("output_stakes") or "internal_advisory"
        version = merged.get("current_graph_version") or self._row["graphs"] or None
        counted = measured(self._row["modules"], sides.count("output"), sides.count("input"), stakes)
        return {**counted, "current_graph_version": version}

    def _diff(self, before: Values, after: Values, version: int) -> str:
        found = difference(before, after, (version, version + 1))
        told = {"rationale": self._asked.rationale, "evidence_refs": list(self._asked.evidence_refs)}
        return written({**found, **told})

    def _tie(self, blueprint: State) -> None:
        work = self._work
        if self._owner is not None:
            work.link(self._owner, "HAS_BLUEPRINT", blueprint)
            self._relink(self._owner.id, "HAS_BLUEPRINT", {*self._row["replaced"]}, ())
            work.changes.access_changed.update(self._row["replaced"])
        for relation, name in LINKS.items():
            held = {one["id"] for one in self._row["links"] if one["type"] == relation}
            self._relink(blueprint.id, relation, held, self._links[name])
        states: dict[str, dict[str, State]] = {}
        for kind in PARTS:
            states[kind.name] = self._tie_parts(blueprint, kind)
        if "steps" in self._asked.parts:
            for key, part in named_parts(STEPS, self._asked.parts["steps"]).items():
                self._tie_step(states["steps"][key], key, part, states["criteria"])
        work.changes.access_changed.add(blueprint.id)

    def _tie_parts(self, blueprint: State, kind: PartKind) -> dict[str, State]:
        """Bring the parts of one kind to what is wanted; those that are gone stay reachable as former parts."""
        work, held = self._work, self._held[kind.name]
        if kind.name not in self._asked.parts:
            return {key: self._revised(one, self._wanted[kind.name][key]) for key, one in held.items()}
        for key in held.keys() - self._wanted[kind.name].keys():
            work.unlink(blueprint, kind.relation, held[key].state)
            work.link(blueprint, "HAD_PART", held[key].state, {"replaced_at": work.at})
        states: dict[str, State] = {}
        for order, (key, part) in enumerate(self._wanted[kind.name].items(), 1):
            values = self._part_values(part)
            made = key not in held
            states[key] = self._new_part(blueprint, kind, values) if made else work.update(held[key].state, values)
            if made or held[key].order != order:
                work.link(blueprint, kind.relation, states[key], {"order": order})
        return states

    def _revised(self, held: _Held, wanted: PartInput | _Held) -> State:
        return held.state if wanted is held else self._work.update(held.state, self._part_values(wanted))

    def _new_part(self, blueprint: State, kind: PartKind, values: Values) -> State:
        """All that a part is kept from others by comes from its blueprint."""
        open_to_all: Values = {"data_class": DataClass.public.value, "matter_ids": []}
        return self._work.create(self._work.registry.types[kind.label], {**values, **open_to_all}, [blueprint])

    def _tie_step(self, step: State, key: str, part: PartInput, criteria: Mapping[str, State]) -> None:
        held = self._held["steps"].get(key)
        ids: Mapping[str, Sequence[str]] = held.ids if held else {}
        outside = self._outside(part)
        wanted = {
            **{relation: outside[name] for relation, name in _STEP_LINKS.items() if name in outside},
            "CHECKED_BY": [_criterion(criteria, one).id for one in part.checked_by],
            # Each owner's graph has a module of that key of its own.
            "BOUND_TO": [module for one in part.bound_modules for module in self._modules[one]],
        }
        for relation, heads in wanted.items():
            self._relink(step.id, relation, {*ids.get(relation, ())}, heads)

    def _outside(self, part: PartInput) -> dict[str, list[str]]:
        """What a step leads to beyond its blueprint and graph."""
        found = {name: self._ids(getattr(part, name), f"steps.{name}", _CAPABILITIES) for name in NEEDS}
        check_needs(found["requires"], found["denies"], "steps.denies")
        return {**found, "goals": self._ids(part.goals, "steps.goals", _GOALS)}

    def _relink(self, tail: str, relation: str, held: set[str], wanted: Sequence[str]) -> None:
        changes = self._work.changes
        for one in sorted(held - {*wanted}):
            changes.unlinks.append({"tail": tail, "head": one, "type": relation})
        for one in sorted({*wanted} - held):
            changes.links.append({"tail": tail, "head": one, "type": relation, "properties": {}})

    def _tell_owners(self, blueprint: State, digest: str) -> None:
        for one in self._owners:
            if "blueprint_hash" in one.type.fields and not one.properties.get("stub"):
                self._work.update(one, {"blueprint_hash": digest})
        if self._owner is not None:
            self._work.event("linked", self._owner, changed=["has_blueprint"], other=blueprint.id)

    def _warnings(self, before: Values, after: Values) -> list[str]:
        found: list[str] = []
        if not after["links"]["goals"]:
            found.append(LibraryWarning.blueprint_goal_unlinked.value)
        refined = not self._is_new and before["steps"] != after["steps"]
        by_agent = self._work.viewer.kind is PrincipalKind.agent
        if refined and not by_agent and not self._row["has_case"]:
            found.append(LibraryWarning.task_design_case_candidate.value)
        return found

    def _held_parts(self) -> dict[str, dict[str, _Held]]:
        by_relation = {kind.relation: kind for kind in PARTS}
        found: dict[str, dict[str, _Held]] = {kind.name: {} for kind in PARTS}
        for row in self._row["parts"]:
            kind, state = by_relation[row["type"]], _state(self._work, row)
            links = {
                name: [one["key"] or one["id"] for one in row["links"] if one["type"] == relation]
                for relation, name in _STEP_LINKS.items()
            }
            ids = {relation: [one["id"] for one in row["links"] if one["type"] == relation] for relation in _STEP_LINKS}
            found[kind.name][kind.key(state.properties)] = _Held(state, row["order"], links, ids)
        return found

    def _wanted_parts(self, kind: PartKind) -> Mapping[str, PartInput | _Held]:
        if kind is STEPS and self._asked.revised:
            return self._revised_steps()
        if kind.name not in self._asked.parts:
            return self._held[kind.name]
        parts = named_parts(kind, self._asked.parts[kind.name])
        for key, part in parts.items():
            for one in part.bound_modules:
                if one not in self._modules:
                    raise BlueprintGraphMismatch(key, one)
        return {
            key: replace(part, values=complete(self._work.registry.types[kind.label], _given(part.values)))
            for key, part in parts.items()
        }

    def _revised_steps(self) -> dict[str, _Held]:
        """The steps that there are, of which some say something else."""
        if STEPS.name in self._asked.parts:
            raise InputInvalid("revised_steps", "cannot stand beside steps, which are the whole of them")
        wanted = dict(self._held[STEPS.name])
        for values in self._asked.revised:
            key = str(values.get("step_key"))
            if key not in wanted:
                raise RecordMissing(key, "revised_steps")
            held = wanted[key]
            properties = {**held.state.properties, **_given(values)}
            wanted[key] = replace(held, state=replace(held.state, properties=properties))
        return wanted

    def _wanted_links(self, name: str) -> list[str]:
        kinds = _GOALS if name == "goals" else _CAPABILITIES
        if name not in self._asked.links:
            return [one["id"] for one in self._row["links"] if LINKS[one["type"]] == name]
        return self._ids(self._asked.links[name], name, kinds)

    def _ids(self, refs: Sequence[RecordRef], field: str, kinds: Sequence[str]) -> list[str]:
        """What it leads to already need not be looked up again."""
        found = (one.id if one.id in self._led_to else self._work.need(one, field, kinds).id for one in refs)
        return sorted({str(one) for one in found})

    def content_held(self) -> Values:
        links = {
            name: [one["id"] for one in self._row["links"] if LINKS[one["type"]] == name] for name in LINKS.values()
        }
        parts = {name: self._parts_content(name, held) for name, held in self._held.items()}
        return {**parts, "links": links, "fields": self._fields(self._before.properties if self._before else {})}

    def _content_wanted(self, merged: Values) -> Values:
        parts = {name: self._parts_content(name, wanted) for name, wanted in self._wanted.items()}
        return {**parts, "links": self._links, "fields": self._fields(merged)}

    def _fields(self, values: Mapping[str, Any]) -> Values:
        """What an author says of the whole; whose it is and who may see it is no part of the content."""
        if not values.get("task_type"):
            return {}
        fields = self._work.registry.types["Blueprint"].fields
        own = {name: values[name] for name, one in fields.items() if _is_content(one) and values.get(name) is not None}
        return {name: one for name, one in complete(self._work.registry.types["Blueprint"], own).items() if one != []}

    def _parts_content(self, name: str, parts: Mapping[str, PartInput | _Held]) -> Values:
        """Each part by what it is known by. Steps have an order that means something."""
        content = {key: self._part_content(part) for key, part in parts.items()}
        if name == "steps":
            for order, key in enumerate(content, 1):
                content[key]["order"] = order
        return content

    def _part_content(self, part: PartInput | _Held) -> Values:
        values = {name: one for name, one in self._part_values(part).items() if one not in (None, [])}
        if isinstance(part, _Held):
            links = {name: sorted({*found}) for name, found in part.links.items() if found}
        else:
            linked = {
                **self._outside(part),
                "checked_by": sorted(part.checked_by),
                "bound_modules": sorted(part.bound_modules),
            }
            links = {name: found for name, found in linked.items() if found}
        return {**values, **links}

    def _part_values(self, part: PartInput | _Held) -> Values:
        """The fields of a part that its author sets."""
        if isinstance(part, PartInput):
            return part.values
        fields = part.state.type.fields
        return {name: value for name, value in part.state.properties.items() if _is_content(fields[name])}


def complete(kind: RecordType, values: Values) -> Values:
    """What an author says, with the model's defaults, so that two versions can be compared."""
    access = {"audience": "-", "own_data_class": DataClass.public}
    common = {"id": kind.prefix, "created_at": _ANY_TIME, "updated_at": _ANY_TIME, **access}
    whole = validated(kind.model, {**values, **common})
    return {name: whole[name] for name, one in kind.fields.items() if _is_content(one) and name in whole}


_ANY_TIME = "2000-01-01T00:00:00.000Z"
_NO_CONTENT = frozenset({"data_class", "matter_ids", "source", "source_key"})


def _is_content(one: Field) -> bool:
    return one.authored and one.name not in _NO_CONTENT


def _given(values: Mapping[str, Any]) -> Values:
    return {name: value for name, value in values.items() if value is not None}


def _criterion(criteria: Mapping[str, State], statement: str) -> State:
    if statement not in criteria:
        raise RecordMissing(statement, "steps.checked_by")
    return criteria[statement]


def _state(work: Work, row: Mapping[str, Any]) -> State:
    kind = next(work.registry.types[label] for label in row["labels"] if label in work.registry.types)
    return State(kind, tuple(row["labels"]), row["properties"])
