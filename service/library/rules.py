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
from service.commands.work import State
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

RISKY_LINKS = frozenset({"REQUIRES", "ALLOWS", "DENIES", "HAS_BLUEPRINT", "USES_PRESET"})


def prepared(viewer: Viewer, kind: RecordType, values: Mapping[str, Any], before: State | None) -> Values:
    """What is to be stored when this is asked for; refused when it needs somebody's approval first."""
    given = dict(values)
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
    low = LOW_RISK[before.type.label]
    for name, value in values.items():
        held = before.properties.get(name)
        if value == held or (name in low and not _takes_away(held, value)):
            continue
        raise approval_required(before.type.label)(name)


def is_guarded(viewer: Viewer, record: State) -> bool:
    """Whether this viewer must ask before they change this record in earnest."""
    waits = record.properties.get("stub") or record.properties["lifecycle_state"] == Life.draft
    return viewer.kind is PrincipalKind.agent and record.type.label in LOW_RISK and not waits


def check_link(viewer: Viewer, tail: State, kind: str) -> None:
    if kind in RISKY_LINKS and is_guarded(viewer, tail):
        raise approval_required(tail.type.label)(kind)


def state_change(viewer: Viewer, record: State, state: str) -> Values:
    """The values that bring a record into a state of its life, if its type knows the state and it may go there."""
    allowed = [one.value for one in record.type.states]
    if state not in allowed:
        raise StateUnknown(record.type.label, state, allowed)
    if is_guarded(viewer, record) or (viewer.kind is PrincipalKind.agent and _would_steer(record, state)):
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


def _would_steer(record: State, state: str) -> bool:
    """What waits for a person: an agent does not put its own proposal into use."""
    waiting = record.properties["lifecycle_state"] in {Life.draft, Life.candidate, Life.rejected}
    return waiting and state in {Life.active, Life.candidate_update}


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
