"""Holds what an agent's command would change against the table of what an agent may do, before any of it is applied.

The commands refuse what they know of with words of their own. This is what no command can pass by.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from service.access.agents import BOTH_ENDS, COMMANDS, EVENTS, LINKS, WAITING, May, Rule, is_agent, rule_of
from service.access.viewer import Viewer
from service.commands import cypher
from service.commands.approval import EventNeedsPerson, NoProposal, PersonNeeded, approval_required
from service.commands.work import Work

Values = Mapping[str, Any]

_KEPT = frozenset({"version", "updated_at", "created_at", "schema_version", "audience", "lifecycle_reason"})
"""What follows from a change and is none by itself."""
_BY_HAND = frozenset({"linkRecords", "unlinkRecords"})
_WITHDRAWN = WAITING | {"archived"}


def check_command(viewer: Viewer, command: str) -> None:
    """A command that the table does not name is not an agent's."""
    if is_agent(viewer) and command not in COMMANDS:
        raise PersonNeeded(command)


def check_event(viewer: Viewer, kind: str, values: Values) -> None:
    """An event that tells of an approval is not an agent's to report."""
    if not is_agent(viewer):
        return
    if kind not in EVENTS:
        raise EventNeedsPerson(kind)
    for name, said in EVENTS[kind].items():
        if values.get(name) not in said:
            raise EventNeedsPerson(kind, name)


async def check_changes(work: Work, command: str) -> None:
    if not is_agent(work.viewer):
        return
    changes = work.changes
    links = [*_links(work)]
    for label, properties in _created(work):
        _check_new(label, properties, accepted=properties["id"] in work.accepted)
    new = {one["properties"]["id"] for one in changes.creates}
    ends = {one for _, tail, head in links for one in (tail, head)}
    ids = {*(one["id"] for one in changes.updates), *ends} - new
    known = await _known(work, ids)
    for one in changes.updates:
        if one["id"] in known and not _follows(work, known[one["id"]], one):
            _check_update(work, known, known[one["id"]], one["properties"])
    for kind, tail, head in links:
        if command in _BY_HAND and kind not in LINKS:
            raise approval_required(_label(work, known.get(tail)))(kind)
        for end in (tail, head) if kind in BOTH_ENDS else (tail,):
            if end in known and not _is_its_own(work, known, known[end]):
                raise approval_required(_label(work, known[end]))(kind)


def _created(work: Work) -> Iterable[tuple[str, Values]]:
    for one in work.changes.creates:
        yield work.registry.label_of(one["labels"]), one["properties"]


def _links(work: Work) -> Iterable[tuple[str, str, str]]:
    changes = work.changes
    for one in (*changes.links, *changes.unlinks):
        yield one["type"], one["tail"], one["head"]
    for fan in changes.fans:
        for head in fan["heads"]:
            yield fan["type"], fan["tail"], head["id"]


async def _known(work: Work, ids: set[str]) -> dict[str, Values]:
    """What these are, and all that they belong to."""
    known: dict[str, Values] = {}
    while ids:
        rows = await work.transaction.run(cypher.TOUCHED, ids=sorted(ids))
        known |= {row["id"]: row for row in rows}
        ids = {owner for row in rows for owner in row["owners"]} - known.keys()
    return known


def _follows(work: Work, row: Values, update: Values) -> bool:
    """Whether it is a card or phrase that goes with its record, which is looked at itself."""
    return not update["keep"] and _label(work, row) in {"Card", "Phrase"}


def _check_new(label: str, properties: Values, *, accepted: bool) -> None:
    rule = rule_of(label)
    named = bool(properties.get("stub")) and rule.may is not May.nothing
    if not named and rule.may in {May.mention, May.nothing}:
        raise NoProposal(label)
    waits = accepted or properties["lifecycle_state"] in WAITING
    if not named and rule.may is May.propose and not waits:
        raise approval_required(label)("lifecycle_state")
    if not named:
        _check_fields(label, rule, {}, properties)


def _check_update(work: Work, known: Mapping[str, Values], row: Values, after: Values) -> None:
    label, before = _label(work, row), row["properties"]
    changed = sorted(name for name in after.keys() - _KEPT if after[name] != before.get(name))
    rule = rule_of(label)
    if rule.told.issuperset(changed):
        return
    if not _is_its_own(work, known, row):
        raise approval_required(label)(next(one for one in changed if one not in rule.told))
    if "lifecycle_state" in changed and (rule.may is not May.propose or after["lifecycle_state"] not in _WITHDRAWN):
        raise approval_required(label)("lifecycle_state")
    _check_fields(label, rule, before, {name: after[name] for name in changed})


def _check_fields(label: str, rule: Rule, before: Values, after: Values) -> None:
    for name in sorted(rule.closed & after.keys()):
        if rule.may is May.propose and (after[name] or None) != before.get(name):
            raise approval_required(label)(name)
        if rule.may is May.tell and before:
            raise approval_required(label)(name)
    for name, said in rule.words.items():
        if name in after and after[name] not in said:
            raise approval_required(label)(name)


def _is_its_own(work: Work, known: Mapping[str, Values], row: Values) -> bool:
    """Whether an agent may change it: it waits, this agent proposed it, and so all that it is part of."""
    owners = (known[one] for one in row["owners"] if one in known)
    return _waits(work, row) and all(_is_its_own(work, known, one) for one in owners)


def _waits(work: Work, row: Values) -> bool:
    properties, may = row["properties"], rule_of(_label(work, row)).may
    if may is not May.propose:
        return may in {May.part, May.tell}
    own = properties["lifecycle_state"] in WAITING and row["author"] == work.viewer.principal_id
    return own or bool(properties.get("stub"))


def _label(work: Work, row: Values | None) -> str:
    return work.registry.label_of(row["labels"]) if row else "Record"
