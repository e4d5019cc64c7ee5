"""Runs a command: opens it, lets it plan, applies its changes, all in one transaction, at most once."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, LiteralString

import orjson
from neo4j import exceptions as driver_errors

from graph_schema.model.registry import Registry
from service import clock
from service.access.log import AccessLog
from service.access.viewer import KeyScope, Viewer
from service.commands import cypher
from service.commands.agents import check_changes, check_command
from service.commands.errors import CommandReused, NotAllowed, SourceKeyTaken
from service.commands.inheritance import inherit
from service.commands.opening import OPENED, Opening
from service.commands.refs import RecordRef
from service.commands.work import Name, Work
from service.graph.database import Database, Row, Transaction
from service.graph.errors import CommitUnknown
from service.ids import new_id

Plan = Callable[[Work], Awaitable[dict[str, Any]]]
_ATTEMPTS = 20
_UNKNOWN_ATTEMPTS = 3
"""How often a command is carried out whose commit was not answered."""


class _Moved(Exception):
    """A record that the command looked at has other readers now, or is gone."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for. `content` is everything that makes it this command and no other.

    `names`: outside names that it gives without naming a record by them. `blind`: the plan looks at nothing in the
    graph, so that nothing it does can come before the question whether the command was carried out already.
    """

    name: str
    scope: KeyScope
    content: Mapping[str, Any]
    reads: Sequence[RecordRef] = ()
    changes: Sequence[RecordRef] = ()
    names: Sequence[Name] = ()
    command_id: str | None = None
    blind: bool = False

    def hash(self) -> str:
        return hashlib.sha256(
            orjson.dumps([self.name, dict(self.content)], option=orjson.OPT_SORT_KEYS, default=str)
        ).hexdigest()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The first result of a command, and whether this call only repeated it."""

    command_id: str
    result: dict[str, Any]
    replayed: bool
    new_audiences: bool = False
    """Whether there are records now that the viewer of this request could not have known to be theirs."""


class Commands:
    def __init__(
        self, database: Database, registry: Registry, changed: Callable[[bool], None], log: AccessLog | None = None
    ) -> None:
        """`changed` is called after each accepted command, with whether it brought a new audience into the graph."""
        self._database = database
        self._registry = registry
        self._changed = changed
        self._log = log or AccessLog()

    async def answered(self, viewer: Viewer, request: Request) -> Outcome | None:
        """What came of a command that was carried out already: asked before work that only a new one needs."""
        _check_allowed(viewer, request)
        if request.command_id is None:
            return None
        return await self._first({"principal_id": viewer.principal_id, "command_id": request.command_id}, request)

    async def execute(self, viewer: Viewer, request: Request, plan: Plan) -> Outcome:
        _check_allowed(viewer, request)
        command_id = request.command_id or new_id("cmd")
        run = _Run(self._registry, viewer, request, command_id, plan)
        try:
            result = await self._settled(run)
        except driver_errors.ConstraintError as error:
            first = await self._first(run.key, request)
            if first is not None:
                return first
            result = await self._beside(run, error)
        self._changed(run.new_audiences)
        for one in run.opened:
            self._log.administered(OPENED, viewer, one, command=request.name)
        return Outcome(command_id, result, replayed=False, new_audiences=run.new_audiences)

    async def _settled(self, run: "_Run") -> dict[str, Any]:
        """Where the answer to the commit was lost: what became of it is found by the command's id, never guessed."""
        for _ in range(_UNKNOWN_ATTEMPTS - 1):
            with suppress(CommitUnknown):
                return await self._carried_out(run)
            first = await self._first(run.key, run.request)
            if first is not None:
                return first.result
        return await self._carried_out(run)

    async def _carried_out(self, run: "_Run") -> dict[str, Any]:
        """From the start again when what the command looked at was given to other readers meanwhile."""
        for _ in range(_ATTEMPTS - 1):
            with suppress(_Moved):
                return await self._database.write(run.in_transaction)
        return await self._database.write(run.in_transaction)

    async def _first(self, key: dict[str, str], request: Request) -> Outcome | None:
        """The answer of the command that came first; without one, the constraint was another."""
        first = await self._at_the_leader(cypher.FIRST_RESULT, **key)
        if first is None:
            return None
        if first["hash"] != request.hash():
            raise CommandReused(key["command_id"]) from None
        return Outcome(key["command_id"], orjson.loads(first["result"]), replayed=True)

    async def _at_the_leader(self, query: LiteralString, **parameters: Any) -> Row | None:
        """Asked where it was written a moment ago: another server of a cluster may not have it yet."""
        return await self._database.write(lambda transaction: transaction.one(query, **parameters))

    async def _beside(self, run: "_Run", error: driver_errors.ConstraintError) -> dict[str, Any]:
        """Once more, where an outside name belongs to something hidden: it is the caller's to give, as any other."""
        if not run.names or await self._is_seen(run):
            raise SourceKeyTaken from error
        run.take_realm()
        try:
            return await self._carried_out(run)
        except driver_errors.ConstraintError as again:
            raise SourceKeyTaken from again

    async def _is_seen(self, run: "_Run") -> bool:
        row = await self._at_the_leader(cypher.NAMES_SEEN, names=run.names, audiences=run.viewer.audiences)
        return bool(row and row["seen"])


def _check_allowed(viewer: Viewer, request: Request) -> None:
    if request.scope not in viewer.scopes:
        raise NotAllowed(request.scope, viewer.scopes)
    check_command(viewer, request.name)


class _Run:
    """One command in its transaction; run again from the start when the transaction is retried."""

    def __init__(self, registry: Registry, viewer: Viewer, request: Request, command_id: str, plan: Plan) -> None:
        self._registry = registry
        self.viewer = viewer
        self.request = request
        self._plan = plan
        self.key = {"principal_id": viewer.principal_id, "command_id": command_id}
        self._realm = ""
        self.new_audiences = False
        self.names: list[list[str]] = []
        """The outside names that it gives to records."""
        self.opened: list[str] = []
        """What more people may see now."""

    def take_realm(self) -> None:
        self._realm = self.viewer.principal_id

    async def in_transaction(self, transaction: Transaction) -> dict[str, Any]:
        found, taken = ([], []) if self.request.blind else await self._open(transaction)
        command_id, realm = self.key["command_id"], self._realm
        work = Work(self._registry, self.viewer, transaction, command_id, found, taken=taken, realm=realm)
        result = await self._plan(work)
        await check_changes(work, self.request.name)
        work.close()
        self.names = work.changes.names()
        opening = await Opening.before(work)
        await self._apply(transaction, work, result, self._seen(found, work))
        for statement, values in work.changes.afterwards:
            await transaction.run(statement, **values)
        if work.changes.access_changed:
            self.new_audiences = True
            await inherit(transaction, self._registry, work.changes.access_changed)
        self.opened = await opening.check() if opening else []
        return result

    async def _open(self, transaction: Transaction) -> tuple[list[dict[str, Any]], list[Name]]:
        """What the command named, as far as the caller sees it; and the names that something hidden has."""
        refs = [_ref(one, lock=False) for one in self.request.reads]
        refs += [_ref(one, lock=True) for one in self.request.changes]
        names = {*self.request.names, *((one["source"], one["key"]) for one in refs if one["source"] is not None)}
        asked = {"refs": refs, "names": sorted(names), "audiences": self.viewer.audiences}
        opened = await transaction.one(cypher.OPEN_COMMAND, **self.key, opening={**self._opening(), **asked})
        return (opened["found"], [(one[0], one[1]) for one in opened["taken"]]) if opened else ([], [])

    def _opening(self) -> dict[str, Any]:
        return {"command": self.request.name, "hash": self.request.hash(), "at": clock.now()}

    def _seen(self, found: list[dict[str, Any]], work: Work) -> list[dict[str, Any]]:
        """Who could read what the command only looked at. Always in the same order, so that no two wait in a circle."""
        changed = {*map(str, self.request.changes)}
        own = {*work.changes.removes, *(one["id"] for one in work.changes.updates)}
        looked_at = {
            one["properties"]["id"]: one["properties"]["audience"] for one in found if one["handle"] not in changed
        }
        return [{"id": one, "audience": looked_at[one]} for one in sorted(looked_at.keys() - own)]

    async def _apply(
        self, transaction: Transaction, work: Work, result: dict[str, Any], seen: list[dict[str, Any]]
    ) -> None:
        changes = work.changes
        # What the writer can see exists already; only an audience beyond that has to be made.
        new = sorted({*changes.audiences}.difference(self.viewer.audiences))
        self.new_audiences = bool(new)
        opening = {"opening": self._opening()} if self.request.blind else {}
        links, fans = changes.links_and_fans()
        applied = await transaction.one(
            cypher.OPEN_AND_APPLY if self.request.blind else cypher.APPLY_CHANGES,
            **self.key,
            **opening,
            changes={
                "at": work.at,
                "result": orjson.dumps(result).decode(),
                "audiences": [changes.audiences[one] for one in new],
                "creates": changes.creates,
                "updates": changes.updates,
                "relabels": changes.relabels,
                "links": links,
                "fans": fans,
                "unlinks": changes.unlinks,
                "removes": changes.removes,
                "events": changes.events,
                "seen": seen,
            },
        )
        if applied and applied["moved"]:
            raise _Moved


def _ref(ref: RecordRef, *, lock: bool) -> dict[str, Any]:
    return {"handle": str(ref), "id": ref.id, "source": ref.source, "key": ref.key, "lock": lock}
