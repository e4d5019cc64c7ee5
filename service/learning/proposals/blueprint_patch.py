"""The parts of a blueprint as a part of what it says, and a patch of them as a step of a change. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, cast

import orjson

from graph_schema.learning.proposal_words import Risk
from graph_schema.registry import REGISTRY
from service.library.blueprint_saving import complete
from service.library.blueprints import PARTS, PartKind

BLUEPRINT = "parts"
"""What the content of a blueprint calls its parts, beside its fields."""
KINDS: Mapping[str, PartKind] = {one.name: one for one in PARTS}
NEEDS = ("requires", "allows", "denies", "goals")
LED = (*NEEDS, "checked_by", "bound_modules")
"""What a step leads to: records by id; criteria and modules by what they are called."""
_PATCHED = ("checked_by", "bound_modules")

Values = dict[str, Any]
Parts = dict[str, dict[str, Values]]
"""Parts by their kind and by what they are known by, each kind in its order."""


class PartOp(StrEnum):
    """What one operation does to a part of a blueprint."""

    add_part = "add_part"
    set_part = "set_part"
    remove_part = "remove_part"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOperation:
    op: PartOp
    part: str
    key: str | None = None
    values: Values = field(default_factory=dict[str, Any])

    @property
    def kind(self) -> PartKind:
        return KINDS[self.part]


class PatchUnfit(ValueError):
    """Something in it is no patch of a blueprint, or of another one."""


def parts_of(content: Mapping[str, Any]) -> Parts:
    """A blueprint's content as its saving has it, without what follows from the order."""
    return {name: {key: _tidy(one) for key, one in content[name].items()} for name in KINDS}


def text_of(parts: Parts) -> str:
    return orjson.dumps({name: {key: _tidy(one) for key, one in parts[name].items()} for name in KINDS}).decode()


def read_parts(text: str) -> Parts:
    return orjson.loads(text)


def _tidy(part: Mapping[str, Any]) -> Values:
    return {name: part[name] for name in sorted(part) if name != "order" and part[name] not in (None, [])}


def operations_of(value: Any) -> list[PartOperation]:
    """What a patch says. PatchUnfit: that is none."""
    rows = cast("Sequence[Mapping[str, Any]]", value if isinstance(value, list) else ())
    found = [_operation(one) for one in rows]
    if not found:
        raise PatchUnfit("nothing is no operation on a blueprint")
    return found


def _operation(row: Mapping[str, Any]) -> PartOperation:
    told: Values = dict(row) if isinstance(row, dict) else {}  # pyright: ignore[reportUnnecessaryIsInstance]
    if {*told} - {"op", "part", "key", "values"} or told.get("op") not in {*PartOp} or told.get("part") not in KINDS:
        raise PatchUnfit(f"{told.get('op')} {told.get('part')} is no operation on a blueprint")
    values: Any = told.get("values") or {}
    if (told["op"] == PartOp.add_part) == bool(told.get("key")) or not isinstance(values, dict):
        raise PatchUnfit(f"{told['op']} names the key of what is there, and of what is new its values")
    one = PartOperation(op=PartOp(told["op"]), part=told["part"], key=told.get("key"), values=cast("Values", values))
    fields = REGISTRY.types[one.kind.label].fields
    known = {name for name, each in fields.items() if each.authored}
    known |= {*_PATCHED} if one.part == "steps" else set[str]()
    if {*one.values} - known:
        raise PatchUnfit(f"{', '.join(sorted({*one.values} - known))} is no field of {one.part}")
    return one


def patched_text(held: str | None, value: Any) -> str:
    """The parts after a patch. Where they are not at hand, what is told is that they are others."""
    if held is None:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    parts = read_parts(held)
    for one in operations_of(value):
        _do(one, parts[one.part])
    return text_of(parts)


def _do(one: PartOperation, parts: dict[str, Values]) -> None:
    if one.op is PartOp.add_part:
        values = _completed(one.kind, {**one.values, "name": one.kind.name_of(one.values)})
        key = one.kind.key(values)
        if key in parts:
            raise PatchUnfit(f"{one.part} has {key} already")
        parts[key] = values
        return
    key = str(one.key)
    if key not in parts:
        raise PatchUnfit(f"{one.part} has no {key}")
    if one.op is PartOp.remove_part:
        del parts[key]
        return
    values = _completed(one.kind, {**parts[key], **one.values})
    if one.kind.key(values) != key:
        raise PatchUnfit(f"{key} is known by what would change: take it away and add another")
    parts[key] = values


def _completed(kind: PartKind, values: Values) -> Values:
    """As it will be kept, with what holds where nothing is said."""
    own = {name: one for name, one in values.items() if name not in LED and one is not None}
    led = {name: sorted({*values[name]}) for name in LED if values.get(name)}
    return {**complete(REGISTRY.types[kind.label], own), **led}


def ids_of(parts: Parts) -> set[str]:
    """Records that steps lead to."""
    return {one for step in parts["steps"].values() for name in NEEDS for one in step.get(name, ())}


_WORDS = frozenset({"purpose", "why_it_exists", "design_rationale", "alternatives_considered", "description"})
_LESS = frozenset({"contracts", "criteria"})


def risk_of_patch(value: Any) -> Risk:
    """Words are of low risk, what is promised and judged by of medium; what is done, and who looks, of high."""
    operations = operations_of(value)
    if all(one.op is PartOp.set_part and {*one.values} <= _WORDS for one in operations):
        return Risk.low
    return Risk.medium if all(one.part in _LESS for one in operations) else Risk.high


def told(value: Any) -> str:
    """The patch, in words."""
    return "; ".join(_told(one) for one in operations_of(value))


def _told(one: PartOperation) -> str:
    what = one.part.removesuffix("s").replace("_", " ").replace("criteria", "criterion")
    said = ", ".join(f"{name} {_shown(each)}" for name, each in sorted(one.values.items()))
    match one.op:
        case PartOp.add_part:
            return f"add a {what} ({said})"
        case PartOp.set_part:
            return f"of the {what} {one.key} set {said}"
        case PartOp.remove_part:
            return f"take away the {what} {one.key}"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value, default=str).decode()
