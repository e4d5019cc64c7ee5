"""Opening up: whatever shows a record to people who could not see it before is an act of its own, checked here.

It is seen by comparing who may see what before and after a command, so that no way of doing it is left out.
"""

from collections.abc import Mapping
from typing import Any

from graph_schema.model.fields import DataClass
from service.access.audience import ADMINISTRATION, rank_of
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.commands import cypher
from service.commands.errors import OpeningHeld, OpeningNotAllowed
from service.commands.ground import event_row
from service.commands.inheritance import reached
from service.commands.work import Work
from service.graph.database import Transaction
from service.graph.parts import family, holds

Row = Mapping[str, Any]

OPENED = "access.opened"
_MATTER = "Matter"
_FOLLOWING = frozenset({"Card", "Phrase"})


def may_open(viewer: Viewer, matters: set[str]) -> bool:
    """An administrator, or a person who has all those matters and the scope for it. Never an agent."""
    if viewer.kind is PrincipalKind.agent:
        return False
    if KeyScope.admin in viewer.scopes:
        return True
    trusted = viewer.kind is PrincipalKind.person and KeyScope.declassify in viewer.scopes
    return trusted and (viewer.all_matters or viewer.matter_ids.issuperset(matters))


class Opening:
    """Who may see what a command moves, before it is applied. `check` compares it with what came of it."""

    def __init__(self, work: Work, before: Mapping[str, Row]) -> None:
        self._work = work
        self._before = before

    @classmethod
    async def before(cls, work: Work) -> "Opening | None":
        """None for a command that moves nothing."""
        start = work.changes.access_changed | {one["id"] for one in work.changes.relabels if _MATTER in one["remove"]}
        if not start:
            return None
        moved = await reached(work.transaction, work.registry, start)
        return cls(work, await _access(work.transaction, moved))

    async def check(self) -> list[str]:
        """The ids of what was opened; refused if it may not be. Each has an event for administrators."""
        after = await _access(self._work.transaction, {*self._before})
        opened = {one: _opened(row, after[one]) for one, row in self._before.items() if one in after}
        found = {one: fields for one, fields in opened.items() if fields}
        for one, fields in found.items():
            if not may_open(self._work.viewer, {*self._before[one]["matter_ids"]}):
                raise OpeningNotAllowed(one, fields[0])
        if found:
            await self._check_holds(found)
            events = [self._event(after[one], fields) for one, fields in found.items()]
            await self._work.transaction.run(cypher.CREATE_EVENTS, rows=events)
        return sorted(found)

    async def _check_holds(self, opened: Mapping[str, list[str]]) -> None:
        """What a hold keeps, on it, on its whole or a part of it, or on a matter, is kept from whom it was kept."""
        transaction, viewer = self._work.transaction, self._work.viewer
        for one, fields in opened.items():
            if self._before[one]["held"] or await holds(
                transaction, await family(transaction, [one]), viewer.audiences
            ):
                raise OpeningHeld(one, fields[0])

    def _event(self, row: Row, fields: list[str]) -> dict[str, Any]:
        about = {**row, "updated_at": self._work.at, "audience": ADMINISTRATION}
        by = {"principal_id": self._work.viewer.principal_id, "command_id": self._work.command_id}
        return event_row(OPENED, self._work.registry.label_of(row["labels"]), about, **by, changed=fields)


def _opened(before: Row, after: Row) -> list[str]:
    """By what it is open to more people: a lower class, a matter less, or being no matter any more."""
    if before["unplaced"] or _FOLLOWING & {*before["labels"]}:
        return []  # its access was not known yet, or is its record's: to say it is no opening
    fields = {
        "data_class": rank_of(DataClass(after["data_class"])) < rank_of(DataClass(before["data_class"])),
        "matter_ids": not {*after["matter_ids"]}.issuperset(before["matter_ids"]),
        "kind": _MATTER in before["labels"] and _MATTER not in after["labels"],
    }
    return [name for name, is_so in fields.items() if is_so]


async def _access(transaction: Transaction, ids: set[str]) -> dict[str, Row]:
    return {row["id"]: row for row in await transaction.run(cypher.ACCESS_OF, ids=sorted(ids))}
