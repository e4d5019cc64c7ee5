"""Blueprints as content: what the parts are known by, the hash of it all, and how two versions differ."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import orjson

from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH, OPAQUE_LENGTH
from service.commands.errors import InputInvalid
from service.commands.refs import RecordRef

Values = dict[str, Any]

LINKS = {"EXPRESSES_GOAL": "goals", "REQUIRES": "requires", "ALLOWS": "allows", "DENIES": "denies"}
"""What a blueprint leads to, by the name that an input has for it."""
NEEDS = ("requires", "allows", "denies")


@dataclass(frozen=True, slots=True)
class PartKind:
    """One kind of part: its label, how it hangs on the blueprint, and what it is known by."""

    name: str
    label: str
    relation: str
    keys: tuple[str, ...]
    called: str

    def key(self, values: Mapping[str, Any]) -> str:
        return " / ".join(str(values[one]) for one in self.keys if values.get(one))

    def name_of(self, values: Mapping[str, Any]) -> str:
        """What it is called when nobody says."""
        return str(values.get("name") or values.get(self.called) or self.name)[:NAME_LENGTH]


PARTS = (
    PartKind("steps", "StepIntent", "HAS_STEP", ("step_key",), "step_key"),
    PartKind("contracts", "Contract", "HAS_CONTRACT", ("side", "name"), "kind"),
    PartKind("criteria", "Criterion", "HAS_CRITERION", ("statement",), "statement"),
    PartKind("review_points", "ReviewPoint", "HAS_REVIEW_POINT", ("statement",), "statement"),
    PartKind(
        "side_effects", "SideEffect", "HAS_SIDE_EFFECT", ("side_effect_class", "description"), "side_effect_class"
    ),
)
STEPS = PARTS[0]


@dataclass(frozen=True, slots=True)
class PartInput:
    """A part: its own fields, and for a step what it leads to."""

    values: Values
    bound_modules: Sequence[str] = ()
    checked_by: Sequence[str] = ()
    requires: Sequence[RecordRef] = ()
    allows: Sequence[RecordRef] = ()
    denies: Sequence[RecordRef] = ()
    goals: Sequence[RecordRef] = ()

    def refs(self) -> list[RecordRef]:
        """Everything outside of the blueprint that it names."""
        return [*self.requires, *self.allows, *self.denies, *self.goals]


@dataclass(frozen=True, slots=True)
class BlueprintInput:
    """What to save. Parts, needs and goals that are left out stay as they are; a list that is given is the whole."""

    values: Values
    record_id: str | None = None
    of: RecordRef | None = None
    parts: Mapping[str, Sequence[PartInput]] = field(default_factory=dict[str, Sequence[PartInput]])
    links: Mapping[str, Sequence[RecordRef]] = field(default_factory=dict[str, Sequence[RecordRef]])
    revised: Sequence[Values] = ()
    """Steps that say something else, by their key; what is left out of them stays, with what they lead to."""
    rationale: str | None = None
    evidence_refs: Sequence[str] = ()

    def refs(self) -> list[RecordRef]:
        """Everything outside that it names."""
        named = [one for refs in self.links.values() for one in refs]
        for parts in self.parts.values():
            named += [one for part in parts for one in part.refs()]
        return named


def named_parts(kind: PartKind, parts: Sequence[PartInput]) -> dict[str, PartInput]:
    """The parts of one kind by what they are known by."""
    found: dict[str, PartInput] = {}
    for one in parts:
        part = replace(one, values={**one.values, "name": kind.name_of(one.values)})
        key = kind.key(part.values)
        if key in found:
            raise InputInvalid(kind.name, f"{key!r} is there twice")
        found[key] = part
    return found


def content_hash(content: Values) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def kept_content(content: Values) -> str | None:
    """The content as it is kept with its version; none of a blueprint that is longer than can be kept."""
    text = orjson.dumps(content, option=orjson.OPT_SORT_KEYS).decode()
    return text if len(text) <= OPAQUE_LENGTH else None


def difference(before: Values, after: Values, versions: tuple[int, int]) -> Values:
    """How one content differs from another: fields, then each kind of part, then needs and goals."""
    steps, contracts = (_part_changes(before, after, name) for name in ("steps", "contracts"))
    changed: Values = {
        "prior_version": versions[0],
        "candidate_version": versions[1],
        "changed_fields": _field_changes(before["fields"], after["fields"], without="artifact_policy"),
        "step_intent_changes": steps,
        "output_contract_changes": [one for one in contracts if one["key"].startswith("output")],
        "input_contract_changes": [one for one in contracts if one["key"].startswith("input")],
        "capability_need_changes": [*_link_changes(before, after, NEEDS), *_step_need_changes(before, after)],
        "goal_changes": _link_changes(before, after, ("goals",)),
        "artifact_policy_changes": _policy_changes(before, after),
    }
    for name in ("criteria", "review_points", "side_effects"):
        changed[f"{name}_changes"] = _part_changes(before, after, name)
    return changed


def written(diff: Values) -> str:
    """The difference as JSON text that fits its field: values are left out when there are too many of them."""
    text = orjson.dumps(diff).decode()
    if len(text) <= LONG_TEXT_LENGTH:
        return text
    short = {name: _without_values(one) for name, one in diff.items()}
    text = orjson.dumps({**short, "values_left_out": True}).decode()
    if len(text) <= LONG_TEXT_LENGTH:
        return text
    counts = {name: len(one) if isinstance(one, list) else one for name, one in diff.items()}  # pyright: ignore[reportUnknownArgumentType]
    return orjson.dumps({**counts, "changes_counted_only": True}).decode()


def _without_values(changes: Any) -> Any:
    if not isinstance(changes, list):
        return changes
    listed = cast("list[Values]", changes)
    return [{name: value for name, value in one.items() if name not in {"from", "to", "fields"}} for one in listed]


def _field_changes(before: Values, after: Values, without: str = "") -> list[Values]:
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name) and name != without)
    return [{"field": name, "from": before.get(name), "to": after.get(name)} for name in names]


def _part_changes(before: Values, after: Values, name: str) -> list[Values]:
    held, wanted = before[name], after[name]
    changes: list[Values] = [{"key": key, "change": "removed"} for key in sorted(held.keys() - wanted.keys())]
    changes += [{"key": key, "change": "added"} for key in sorted(wanted.keys() - held.keys())]
    for key in sorted(held.keys() & wanted.keys()):
        if held[key] != wanted[key]:
            changes.append({"key": key, "change": "changed", "fields": _field_changes(held[key], wanted[key])})
    return changes


def _link_changes(before: Values, after: Values, names: Sequence[str]) -> list[Values]:
    return [change for name in names for change in _ids_changed(name, before["links"][name], after["links"][name])]


def _ids_changed(name: str, before: Sequence[str], after: Sequence[str]) -> list[Values]:
    held, wanted = {*before}, {*after}
    changes: list[Values] = [{"need": name, "id": one, "change": "removed"} for one in sorted(held - wanted)]
    return changes + [{"need": name, "id": one, "change": "added"} for one in sorted(wanted - held)]


def _step_need_changes(before: Values, after: Values) -> list[Values]:
    """What single steps need otherwise than before; a step that is new, or gone, brings and takes all of its needs."""
    return [
        {"step": key, **change}
        for key, held, wanted in _steps(before, after)
        for name in NEEDS
        for change in _ids_changed(name, held.get(name, ()), wanted.get(name, ()))
    ]


def _steps(before: Values, after: Values) -> list[tuple[str, Values, Values]]:
    """Each step of either version as it was and as it is; of one that is missing, nothing."""
    held, wanted = before["steps"], after["steps"]
    return [(key, held.get(key, {}), wanted.get(key, {})) for key in sorted({*held, *wanted})]


def _policy_changes(before: Values, after: Values) -> list[Values]:
    """What is kept of the outputs: of the whole, and of single steps."""
    name, override = "artifact_policy", "artifact_policy_override"
    found = [
        {"of": "blueprint", "from": one["from"], "to": one["to"]}
        for one in _field_changes({name: before["fields"].get(name)}, {name: after["fields"].get(name)})
    ]
    for key, held, wanted in _steps(before, after):
        if held.get(override) != wanted.get(override):
            found.append({"of": key, "from": held.get(override), "to": wanted.get(override)})
    return found
