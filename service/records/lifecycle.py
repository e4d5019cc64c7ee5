"""The life of a record: who may change what, where it begins, into which state it may go, what is derived."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from graph_schema.library.words import DirectiveSource
from graph_schema.model.record import LifecycleState as Life
from graph_schema.model.record import RecordType
from graph_schema.routing.words import AuthoritySource
from service.access.agents import WAITING, May, is_agent, rule_of
from service.access.viewer import Viewer
from service.commands.approval import approval_required
from service.commands.errors import InputInvalid
from service.commands.work import State, Work
from service.records import cypher
from service.records.errors import CaseGroundMissing, StateUnknown

Values = dict[str, Any]

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

_VOUCHED = frozenset(
    {
        None,
        AuthoritySource.user_taught.value,
        AuthoritySource.user_confirmed.value,
        AuthoritySource.architect_authored.value,
    }
)
"""On whose word an invocation directive holds at once. What was only learned waits for a person."""

_IN_USE = frozenset({Life.active, Life.candidate_update})


def prepared(viewer: Viewer, kind: RecordType, values: Mapping[str, Any], before: State | None) -> Values:
    """What is to be stored when this is asked for; refused when it needs somebody's approval first."""
    given = dict(values)
    is_new = before is None or bool(before.properties.get("stub"))
    if is_new:
        given = {**kind.model.at_first, **given}
        given |= in_its_own_words(viewer, kind.label, given)
        given["lifecycle_state"] = first_state(viewer, kind.label, given).value
    elif before is not None:
        check_change(viewer, before, given)
    merged = {**(before.properties if before else {}), **given}
    if kind.label in _DERIVED:
        given |= _DERIVED[kind.label](given, merged)
    return given


def in_its_own_words(viewer: Viewer, label: str, given: Mapping[str, Any]) -> Values:
    """What a new record of an agent says of whose word it is, where it says nothing."""
    if not is_agent(viewer):
        return {}
    return {name: said[0] for name, said in rule_of(label).words.items() if given.get(name) is None}


def first_state(viewer: Viewer, label: str, values: Mapping[str, Any]) -> Life:
    """Where a new record begins: what an agent brings, and what nobody has vouched for, waits for a person."""
    if is_agent(viewer):
        return rule_of(label).first or Life.active
    if label == "Case":
        return Life.active if values.get("active_because") else Life.candidate
    if label == "Directive":
        taught = values.get("directive_source") in {None, DirectiveSource.user_taught.value}
        return Life.active if taught else Life.candidate
    if label == "InvocationDirective":
        return Life.active if values.get("authority_source") in _VOUCHED else Life.candidate
    return Life.active


def check_change(viewer: Viewer, before: State, values: Mapping[str, Any]) -> None:
    """An agent's key changes nothing that is in use; what waits is nobody's yet."""
    if not is_guarded(viewer, before):
        return
    for name, value in values.items():
        if value != before.properties.get(name):
            raise approval_required(before.type.label)(name)


def is_guarded(viewer: Viewer, record: State) -> bool:
    """Whether this viewer must ask before they change this record."""
    if not is_agent(viewer) or record.properties.get("stub"):
        return False
    return rule_of(record.type.label).may is May.propose and record.properties["lifecycle_state"] not in WAITING


async def check_link(work: Work, tail: State, kind: str, head: State) -> None:
    """What a directive steers, or what an asset may use, changes what is done as much as its fields do."""
    if is_guarded(work.viewer, tail):
        raise approval_required(tail.type.label)(kind)
    if kind in RISKY_LINKS:
        await check_owners(work, tail, kind)
    if kind == "HAS_BLUEPRINT":
        # Every owner of a blueprint bears on who may see it, and on how it is measured.
        await check_owners(work, head, kind)


async def check_owners(work: Work, part: State, changed: str) -> None:
    """A part of what is in use is in use."""
    owner = await guarded_owner(work, part)
    if owner is not None:
        raise approval_required(owner)(changed)


async def guarded_owner(work: Work, part: State) -> str | None:
    """What it belongs to that this viewer must ask for: its label."""
    if not is_agent(work.viewer) or part.type.label not in _PARTS:
        return None
    rows = await work.transaction.run(cypher.OWNERS, id=part.id)
    labels = [work.registry.label_of(row["labels"]) for row in rows]
    owners = [
        State(work.registry.types[label], tuple(row["labels"]), row["properties"])
        for label, row in zip(labels, rows, strict=True)
    ]
    return min((one.type.label for one in owners if is_guarded(work.viewer, one)), key="Template".__ne__, default=None)


def state_change(viewer: Viewer, record: State, state: str) -> Values:
    """The values that bring a record into a state of its life, if its type knows the state and it may go there."""
    allowed = [one.value for one in record.type.states]
    if state not in allowed:
        raise StateUnknown(record.type.label, state, allowed)
    if is_guarded(viewer, record) or (is_agent(viewer) and state in _IN_USE):
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


def _directive(_given: Values, merged: Values) -> Values:
    """An invocation directive that says nothing else is met by what it is called."""
    said = any(merged.get(field) for field in ("trigger_phrases", "semantic_lookup_phrases", "use_conditions"))
    return {} if said or not merged.get("name") else {"semantic_lookup_phrases": [merged["name"]]}


_DERIVED: Mapping[str, Callable[[Values, Values], Values]] = {
    "Task": _task,
    "Preset": _preset,
    "Case": _case,
    "InvocationDirective": _directive,
}
