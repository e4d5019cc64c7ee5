"""What holds of an asset whenever it is saved: who may change what, where it begins its life, what is derived."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from graph_schema.library_words import DirectiveSource
from graph_schema.record import LifecycleState as Life
from graph_schema.record import RecordType
from service.access.viewer import PrincipalKind, Viewer
from service.commands.errors import InputInvalid
from service.commands.work import State, Work
from service.library import cypher
from service.library.errors import CaseGroundMissing, StateUnknown, approval_required

Values = dict[str, Any]

LOW_RISK: Mapping[str, frozenset[str]] = {
    "Template": frozenset(
        {"description", "trigger_phrases", "semantic_lookup_phrases", "known_strengths", "known_limitations"}
    ),
    "Preset": frozenset(
        {
            "description",
            "trigger_phrases",
            "semantic_lookup_phrases",
            "known_strengths",
            "known_limitations",
            "common_misuses",
        }
    ),
}
"""What an agent may change of an approved asset, and lists among it only by adding. All else a person approves."""

STEERING = frozenset({"Directive", "Lesson", "Case"})
"""What bears on choices by itself once it is in use: of that, an agent changes nothing."""

RISKY_LINKS = frozenset({"REQUIRES", "ALLOWS", "DENIES", "HAS_BLUEPRINT", "USES_PRESET", "IN_GROUP"})
_PARTS = frozenset(
    {
        "Blueprint",
        "StepIntent",
        "Contract",
        "Criterion",
        "ReviewPoint",
        "SideEffect",
        "GraphSnapshot",
        "Module",
        "TemplateGroup",
    }
)
"""What is changed with the template that it belongs to, and guarded with it. A group speaks for its templates."""

_IN_USE = frozenset({Life.active, Life.candidate_update})
_WAITING = frozenset({Life.draft, Life.candidate, Life.rejected})


def prepared(viewer: Viewer, kind: RecordType, values: Mapping[str, Any], before: State | None) -> Values:
    """What is to be stored when this is asked for; refused when it needs somebody's approval first."""
    given = dict(values)
    _check_ground(viewer, kind.label, given, before)
    if before is None or before.properties.get("stub"):
        given["lifecycle_state"] = first_state(viewer, kind.label, given).value
    else:
        check_change(viewer, before, given)
    merged = {**(before.properties if before else {}), **given}
    if kind.label in _DERIVED:
        given |= _DERIVED[kind.label](given, merged)
    return given


def first_state(viewer: Viewer, label: str, values: Mapping[str, Any]) -> Life:
    """Where a new record begins: what an agent brings, and what nobody has vouched for, waits for a person."""
    by_agent = viewer.kind is PrincipalKind.agent
    if label in LOW_RISK:
        return Life.draft if by_agent else Life.active
    if label == "Case":
        return Life.active if values.get("active_because") and not by_agent else Life.candidate
    if label == "Lesson":
        return Life.candidate if by_agent else Life.active
    if label == "Directive":
        taught = values.get("directive_source") in {None, DirectiveSource.user_taught.value}
        return Life.active if taught and not by_agent else Life.candidate
    return Life.active


def check_change(viewer: Viewer, before: State, values: Mapping[str, Any]) -> None:
    """An agent's key changes only what can do little harm; a draft is nobody's yet."""
    if not is_guarded(viewer, before):
        return
    low = LOW_RISK.get(before.type.label, frozenset[str]())
    for name, value in values.items():
        held = before.properties.get(name)
        if value == held or (name in low and not _takes_away(held, value)):
            continue
        raise approval_required(before.type.label)(name)


def is_guarded(viewer: Viewer, record: State) -> bool:
    """Whether this viewer must ask before they change this record in earnest."""
    if viewer.kind is not PrincipalKind.agent or record.properties.get("stub"):
        return False
    state = record.properties["lifecycle_state"]
    if record.type.label in STEERING:
        return state in _IN_USE
    return record.type.label in LOW_RISK and state != Life.draft


async def check_link(work: Work, tail: State, kind: str, head: State) -> None:
    """What a directive steers, or what an asset may use, changes what is done as much as its fields do."""
    if is_guarded(work.viewer, tail) and (kind in RISKY_LINKS or tail.type.label in STEERING):
        raise approval_required(tail.type.label)(kind)
    if kind in RISKY_LINKS:
        await check_owners(work, tail, kind)
    if kind == "HAS_BLUEPRINT":
        # Every owner of a blueprint bears on who may see it, and on how it is measured.
        await check_owners(work, head, kind)


async def check_owners(work: Work, part: State, changed: str) -> None:
    """A part of what is in use is in use."""
    if await is_guarded_part(work, part):
        raise approval_required("Template")(changed)


async def is_guarded_part(work: Work, part: State) -> bool:
    """Whether it belongs to a template that this viewer must ask for."""
    if work.viewer.kind is not PrincipalKind.agent or part.type.label not in _PARTS:
        return False
    kind = work.registry.types["Template"]
    rows = await work.transaction.run(cypher.OWNING_TEMPLATES, id=part.id)
    return any(is_guarded(work.viewer, State(kind, tuple(row["labels"]), row["properties"])) for row in rows)


def state_change(viewer: Viewer, record: State, state: str) -> Values:
    """The values that bring a record into a state of its life, if its type knows the state and it may go there."""
    allowed = [one.value for one in record.type.states]
    if state not in allowed:
        raise StateUnknown(record.type.label, state, allowed)
    if is_guarded(viewer, record) or (viewer.kind is PrincipalKind.agent and _comes_into_use(record, state)):
        raise approval_required(record.type.label)("lifecycle_state")
    if record.type.label == "Case" and state == Life.active and not record.properties.get("active_because"):
        raise CaseGroundMissing
    values: Values = {"lifecycle_state": state}
    if record.type.label == "Task":
        values["archived"] = state == Life.archived
    return values


def restored_state(record: State) -> str:
    """Where a record goes that is brought back: into use, unless it is a case without a ground."""
    waits = record.type.label == "Case" and not record.properties.get("active_because")
    return Life.candidate.value if waits else Life.active.value


def _comes_into_use(record: State, state: str) -> bool:
    """What waits for a person: an agent does not put its own proposal into use, nor by way of the archive."""
    held, label = record.properties["lifecycle_state"], record.type.label
    waits = held in _WAITING or (held not in _IN_USE and (label in STEERING or label in LOW_RISK))
    return waits and state in _IN_USE


def _check_ground(viewer: Viewer, label: str, given: Mapping[str, Any], before: State | None) -> None:
    """On what ground a case may teach is for a person to say: with it, only its state keeps it from teaching."""
    held = before.properties.get("active_because") if before else None
    if label == "Case" and viewer.kind is PrincipalKind.agent and given.get("active_because", held) != held:
        raise approval_required(label)("active_because")


def _takes_away(held: Any, value: Any) -> bool:
    return isinstance(held, list) and not {*held}.issubset(value or ())  # pyright: ignore[reportUnknownArgumentType]


def _task(given: Values, merged: Values) -> Values:
    derived: Values = {"user_facing_label": label_of(merged)}
    if "archived" in given:
        was_archived = merged.get("lifecycle_state") == Life.archived
        state = Life.archived if given["archived"] else Life.active
        if was_archived or given["archived"]:
            derived["lifecycle_state"] = state.value
    return derived


def label_of(task: Mapping[str, Any]) -> str:
    """What people call a task: by what runs it, then by what it is for."""
    if task.get("scheduled"):
        return "Scheduled Saved Task"
    if task.get("trigger_enabled"):
        return "Triggered Saved Task"
    return "Reusable Saved Task" if task.get("reusable") else "Saved Task"


def _preset(given: Values, merged: Values) -> Values:
    if "config" not in given:
        return {}
    if merged["config"] is None:
        return {"config_hash": None}
    try:
        config = orjson.dumps(orjson.loads(merged["config"]), option=orjson.OPT_SORT_KEYS)
    except orjson.JSONDecodeError as error:
        raise InputInvalid("config", f"is no JSON ({error})") from None
    return {"config_hash": hashlib.sha256(config).hexdigest()}


def _case(_given: Values, merged: Values) -> Values:
    if merged["lifecycle_state"] == Life.active and not merged.get("active_because"):
        raise CaseGroundMissing
    return {}


_DERIVED: Mapping[str, Callable[[Values, Values], Values]] = {"Task": _task, "Preset": _preset, "Case": _case}
