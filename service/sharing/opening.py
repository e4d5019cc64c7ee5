"""Opening a share: who has the link is told what it tells, as far as its sender still sees it; and that is kept."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.model.registry import Registry
from graph_schema.sharing.words import OpensKept, ShareEventKind
from service import clock
from service.access.buckets import Buckets
from service.access.keys import hash_of
from service.access.viewer import SHARING, KeyScope, Viewer
from service.access.viewers import viewer_of_principal
from service.commands import Commands, Request, State, Work
from service.graph.bookmarks import untold
from service.graph.database import Database
from service.memory.audit.load import Story
from service.sharing import cypher
from service.sharing.errors import ShareGone, ShareRateLimited, ShareRecordMissing
from service.sharing.events import note
from service.sharing.manifest import SharedManifest, manifest_of, records_in
from service.sharing.profiles import LIVE
from service.sharing.secrets import is_secret
from service.sharing.story import Told, gather, tells_of_its_subject, thaw, told_by

TRIES_A_SECOND = 5.0
TRIES_AT_ONCE = 60
REFUSALS_A_SECOND = 0.1
REFUSALS_AT_ONCE = 20
MOST_AT_ONCE = 8
"""Links looked up at one time: a flood of guesses must not take all connections of the database."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who tries a link: from where, and as whom where they have signed in."""

    client: str
    viewer: Viewer | None = None

    @property
    def actor(self) -> str | None:
        return self.viewer.principal_id if self.viewer else None


@dataclass(frozen=True, slots=True)
class Look:
    """What of a share is looked at: all of it, one section, or one record."""

    section: str | None = None
    record: str | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """A share that may be opened, by whom it was asked, and its sender as they are now."""

    state: State
    told: Told
    sender: Viewer

    @property
    def values(self) -> Mapping[str, Any]:
        return self.state.properties


class SharedDoor:
    """The one way to what a share tells."""

    def __init__(
        self,
        commands: Commands,
        database: Database,
        registry: Registry,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._commands = commands
        self._database = database
        self._registry = registry
        self._tries = Buckets(TRIES_A_SECOND, TRIES_AT_ONCE, monotonic)
        self._refusals = Buckets(REFUSALS_A_SECOND, REFUSALS_AT_ONCE, monotonic)
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)

    async def open(self, secret: str, reader: Reader, look: Look = Look()) -> SharedManifest:  # noqa: B008 - frozen
        """What the share tells. That it was opened is kept before it is told."""
        found = await self.found(secret, reader)
        plan = _Opening(self, found, reader, look)
        request = Request("openShare", KeyScope.admin, {"share": found.state.id})
        try:
            with untold():
                await self._commands.execute(SHARING, request, plan)
        except _Lost as lost:
            await self._refused(found.state, reader, str(lost))
            raise ShareGone from None
        assert plan.manifest is not None  # noqa: S101 - the plan was carried out
        return plan.manifest

    async def found(self, secret: str, reader: Reader) -> Open:
        """A share that this reader may open now; one and the same refusal for every reason against it."""
        self._check_rate(reader)
        if not is_secret(secret):
            raise ShareGone
        async with self._turns:
            row = await self._database.read_one(cypher.OF_LINK, hash=hash_of(secret))
        if row is None:
            raise ShareGone
        state = State(self._registry.types["ShareCapsule"], tuple(row["labels"]), _present(row["properties"]))
        sender = await viewer_of_principal(self._database, state.properties["shared_by"])
        reason = _against(state.properties, sender, reader)
        if reason is not None or sender is None:
            await self._refused(state, reader, reason or "sender_disabled")
            raise ShareGone
        return Open(state, told_by(state.properties), sender)

    async def story(self, work: Work, found: Open) -> Story:
        """What there is to tell, in a transaction: it is looked again whether the share still is open."""
        row = await work.transaction.one(cypher.MANIFEST, share=found.state.id, now=work.at)
        if row is None:
            raise _Lost("revoked")
        if found.told.mode in LIVE:
            story = await gather(work.transaction, work.registry, found.sender, found.told, work.at)
        elif not row["manifest"]:
            raise _Lost("erased")
        else:
            story = await thaw(work.transaction, work.registry, found.sender, found.told, row["manifest"])
        if story is None:
            raise _Lost("sender_lost_sight")
        if not tells_of_its_subject(work.registry, story, found.told):
            raise _Lost("closed_by_class")
        return story

    async def within(self, viewer: Viewer, request: Request, plan: Any, found: Open, reader: Reader) -> Any:
        """Carry out somebody's command under a share; that the share closed meanwhile is the same refusal as ever."""
        try:
            return await self._commands.execute(viewer, request, plan)
        except _Lost as lost:
            await self._refused(found.state, reader, str(lost))
            raise ShareGone from None

    async def blocked(self, found: Open, reader: Reader, reason: str) -> None:
        """Keep that something was tried that the share does not permit."""
        await self._refused(found.state, reader, reason)

    def _check_rate(self, reader: Reader) -> None:
        if wait := self._tries.take(reader.actor or reader.client):
            raise ShareRateLimited(TRIES_A_SECOND, wait)

    async def _refused(self, share: State, reader: Reader, reason: str) -> None:
        """A flood of refused attempts is not written one by one."""
        if self._refusals.take(share.id):
            return

        async def plan(work: Work) -> dict[str, Any]:
            made = note(work, share, ShareEventKind.policy_blocked, reader.actor, reason=reason)
            return {"id": made.id, "version": made.version}

        request = Request("refuseShare", KeyScope.admin, {"share": share.id, "reason": reason})
        with untold():
            await self._commands.execute(SHARING, request, plan)


class _Lost(Exception):
    """What a share told is not its sender's to tell any more, or it has been closed."""


class _Opening:
    """The plan of an opening; carried out again when its transaction is retried."""

    def __init__(self, door: SharedDoor, found: Open, reader: Reader, look: Look) -> None:
        self._door = door
        self._found = found
        self._reader = reader
        self._look = look
        self.manifest: SharedManifest | None = None

    async def __call__(self, work: Work) -> dict[str, Any]:
        found, look = self._found, self._look
        story = await self._door.story(work, found)
        whole = manifest_of(work.registry, found.values, found.told, story)
        self.manifest = _looked_at(whole, look)
        kind, target = _kind(whole, look)
        if not await self._kept_today(work, kind, target):
            note(work, found.state, kind, self._reader.actor, target=target)
        return {"id": found.state.id, "version": found.state.version}

    async def _kept_today(self, work: Work, kind: ShareEventKind, target: str | None) -> bool:
        if self._found.values["audit_opens"] == OpensKept.each or self._reader.actor is None:
            return False
        asked = {"share": self._found.state.id, "kind": kind.value, "actor": self._reader.actor}
        row = await work.transaction.one(
            cypher.OPENED_TODAY, **asked, since=f"{work.at[:10]}T00:00:00.000Z", target=target or ""
        )
        return bool(row and row["opened"])


def _against(share: Mapping[str, Any], sender: Viewer | None, reader: Reader) -> str | None:
    """The reason why it cannot be opened, if there is one. It is kept, and told to nobody who has the link."""
    if "revoked_at" in share:
        return "revoked"
    if share["expires_at"] <= clock.now():
        return "expired"
    if share["lifecycle_state"] != "active":
        return "archived"
    if share["recipients"] and reader.actor not in share["recipients"]:
        return "not_a_recipient"
    return "sender_disabled" if sender is None else None


def _looked_at(whole: SharedManifest, look: Look) -> SharedManifest:
    if look.record is not None:
        return replace(whole, sections=_with(whole, look.record))
    if look.section is None:
        return whole
    sections = [one for one in whole.sections if one["section"] == look.section]
    if not sections:
        raise ShareRecordMissing("section", look.section)
    return replace(whole, sections=sections)


def _with(whole: SharedManifest, record_id: str) -> list[dict[str, Any]]:
    """The sections that tell of a record, with nothing else in them."""
    found = [
        {"section": one["section"], "records": records, "links": []}
        for one in whole.sections
        if (records := [each for each in one["records"] if each["id"] == record_id])
    ]
    if not found:
        raise ShareRecordMissing("record", record_id)
    return found


def _kind(whole: SharedManifest, look: Look) -> tuple[ShareEventKind, str | None]:
    if look.record is not None:
        kind = records_in(whole)[look.record]["kind"]
        opened = ShareEventKind.artifact_opened if kind == "Artifact" else ShareEventKind.share_opened
        return opened, look.record
    is_graph = look.section == "graph_snapshot"
    return (ShareEventKind.graph_viewed if is_graph else ShareEventKind.share_opened), None


def _present(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if value is not None}
