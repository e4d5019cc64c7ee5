"""From a key to its viewer: one statement, remembered for a second at most."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import DataClass
from service import clock
from service.access import cypher
from service.access.agents import CLOSED_SCOPES
from service.access.audience import ADMINISTRATION, rank_of
from service.access.errors import Unauthenticated
from service.access.keys import KeyPurpose, hash_of, is_key
from service.access.uses import KeyUses
from service.access.viewer import KeyDefaults, KeyScope, PrincipalKind, Viewer
from service.graph.database import Database

FRESH_SECONDS = 1.0
MOST_VIEWERS = 10_000
MOST_REFUSALS = 1_000
MOST_AT_ONCE = 16
"""Look-ups in the database at one time: a flood of unknown keys must not take all its connections."""

_RANKS = {one.value: rank_of(one) for one in DataClass}


@dataclass(frozen=True, slots=True)
class _Dead:
    """Why a key does not work."""

    cause: str
    key_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    until: float
    found: Viewer | _Dead
    after: frozenset[str]
    """The bookmarks that were brought when it was asked: what they stand for is in it."""


class Viewers:
    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._viewers: dict[str, _Known] = {}
        self._refusals: dict[str, _Known] = {}
        self._asking: dict[str, asyncio.Task[Viewer | _Dead]] = {}
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)
        self._uses = KeyUses(database, monotonic)

    async def of_key(self, key: str, *, after: frozenset[str] = frozenset()) -> Viewer:
        """The viewer that a key stands for, as it is `after` what these bookmarks stand for.

        Every reason against it is the same error. That this process has read as far as a bookmark says nothing: what is
        remembered may have been asked before.
        """
        if not is_key(key):
            raise Unauthenticated("malformed")
        digest = hash_of(key)
        known = self._viewers.get(digest) or self._refusals.get(digest)
        if not after <= (known.after if known else frozenset()):
            for kept in (self._viewers, self._refusals, self._asking):
                kept.pop(digest, None)
            known = None
        fresh = known is not None and self._monotonic() < known.until
        found = known.found if known and fresh else await self._ask_once(digest, after)
        if isinstance(found, _Dead):
            raise Unauthenticated(found.cause, found.key_id)
        return found

    def forget(self) -> None:
        """Nothing that was known before this call is used after it: access changed, or there is a new audience."""
        self._viewers.clear()
        self._refusals.clear()
        self._asking.clear()

    async def close(self) -> None:
        await self._uses.close()

    async def _ask_once(self, digest: str, after: frozenset[str]) -> Viewer | _Dead:
        """Callers that come while the same key is looked up share the answer; one that goes away disturbs nobody."""
        task = self._asking.get(digest)
        if task is None:
            task = self._asking[digest] = asyncio.create_task(self._ask(digest, after))
            task.add_done_callback(lambda done: self._settle(digest, done))
        return await asyncio.shield(task)

    def _settle(self, digest: str, task: asyncio.Task[Viewer | _Dead]) -> None:
        if self._asking.get(digest) is task:
            del self._asking[digest]
        if not task.cancelled():
            task.exception()  # seen here, should nobody wait for it any more

    async def _ask(self, digest: str, after: frozenset[str]) -> Viewer | _Dead:
        async with self._turns:
            asked = self._monotonic()
            row = await self._database.read_one(cypher.VIEWER_OF_KEY, hash=digest, ranks=_RANKS)
        found = _found(row)
        if self._asking.get(digest) is asyncio.current_task():  # else what it read is older than a `forget`
            self._remember(digest, _Known(asked + FRESH_SECONDS, found, after))
        if isinstance(found, Viewer) and found.key_id:
            self._uses.note(found.key_id)
        return found

    def _remember(self, digest: str, known: _Known) -> None:
        alive = isinstance(known.found, Viewer)
        kept, other = (self._viewers, self._refusals) if alive else (self._refusals, self._viewers)
        other.pop(digest, None)
        kept.pop(digest, None)  # so that the first one is always the one that was asked for longest ago
        if len(kept) >= (MOST_VIEWERS if alive else MOST_REFUSALS):
            del kept[next(iter(kept))]
        kept[digest] = known


async def viewer_of_principal(database: Database, principal_id: str) -> Viewer | None:
    """Whoever the service acts for without a key of theirs: they read and report. None for one that is disabled."""
    row = await database.read_one(cypher.VIEWER_OF_PRINCIPAL, principal=principal_id, ranks=_RANKS)
    if row is None or row["disabled_at"] is not None:
        return None
    return Viewer(
        principal_id=row["principal_id"],
        name=row["name"],
        scopes=frozenset({KeyScope.read, KeyScope.report}),
        clearance=DataClass(row["clearance"]),
        matter_ids=frozenset(row["matter_ids"]),
        all_matters=row["all_matters"],
        audiences=tuple(row["audiences"]),
        kind=PrincipalKind(row["kind"]),
    )


def _found(row: dict[str, Any] | None) -> Viewer | _Dead:
    if row is None:
        return _Dead("unknown")
    if cause := _cause(row):
        return _Dead(cause, row["key_id"])
    scopes = frozenset(KeyScope(one) for one in row["scopes"])
    if row["kind"] == PrincipalKind.agent:
        scopes -= CLOSED_SCOPES
    return Viewer(
        principal_id=row["principal_id"],
        name=row["name"],
        scopes=scopes,
        clearance=DataClass(row["clearance"]),
        matter_ids=frozenset(row["matter_ids"]),
        all_matters=row["all_matters"],
        audiences=(*row["audiences"], ADMINISTRATION) if KeyScope.admin in scopes else tuple(row["audiences"]),
        key_id=row["key_id"],
        kind=PrincipalKind(row["kind"]),
        defaults=_defaults(row["defaults"]),
        hashed={audience: frozenset(matters) for audience, matters in row["hashed"]},
    )


def _defaults(told: dict[str, Any]) -> KeyDefaults:
    mode, data_class, matters = (told[name] for name in ("memory_mode", "data_class", "matter_ids"))
    return KeyDefaults(
        MemoryMode(mode) if mode else None,
        DataClass(data_class) if data_class else None,
        None if matters is None else tuple(matters),
        told["source"],
    )


def _cause(row: dict[str, Any]) -> str | None:
    if row["revoked_at"] is not None:
        return "revoked"
    if row["expires_at"] <= clock.now():
        return "expired"
    if row["disabled_at"] is not None:
        return "principal disabled"
    return "sign-in token" if row["purpose"] == KeyPurpose.sign_in else None
