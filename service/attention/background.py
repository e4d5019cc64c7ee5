"""Decides by itself: soon after events, and as time passes. One process does it; should two, each session is decided
once."""

import asyncio
import time

from service import clock
from service.access.agents import is_agent
from service.access.viewers import viewer_of_principal
from service.attention.deciding import cypher
from service.attention.deciding.commands import Attention, NotDue
from service.attention.inbox import cypher as inboxes
from service.attention.inbox.session import INBOX
from service.errors import TaskloreError
from service.graph.database import Database, Transaction
from service.graph.errors import DatabaseBusy, DatabaseUnavailable, QueryTimedOut
from service.observe import log

POLL_S = 0.5
GAP_S = 0.1
AT_ONCE = 50
BACK_OFF_S = 5.0
STIR_S = 1.0
REPORTED = ("run_started", "run_completed", "run_failed", "run_cancelled", "gate_opened", "gate_decided", "delivery")
KINDS = ("task.design_learning.proposal.created",)
"""After what inboxes are looked into: what is reported of runs, and events of the service's own."""

_LATER = (DatabaseUnavailable, DatabaseBusy, QueryTimedOut)


class Alarm:
    """Rung when there may be something to decide, so that nobody waits for the next look."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        except TimeoutError:
            pass
        self._rung.clear()


class InboxStir:
    """Has inboxes looked into soon after something happened that may wait in them. What else changes, such as the
    calls of tools, is seen when an inbox is looked into anyhow."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._head: int | None = None
        self._looked_at = 0.0

    async def look(self) -> int:
        """How many inboxes are looked into because of it: of those who let anything be told to them."""
        if time.monotonic() - self._looked_at < STIR_S:
            return 0
        self._looked_at = time.monotonic()
        row = await self._database.read_one(
            inboxes.HAPPENED, after=self._head, reported=[*REPORTED], kinds=[*KINDS], now=clock.now()
        )
        after, self._head = self._head, row["head"] if row else None
        if row is None or after is None or not row["happened"]:
            return 0
        return await self._database.write(self._stirred)

    @staticmethod
    async def _stirred(transaction: Transaction) -> int:
        source, key = INBOX
        row = await transaction.one(inboxes.STIR, source=source, key=key, now=clock.now())
        return row["stirred"] if row else 0


async def keep_deciding(
    database: Database, attention: Attention, alarm: Alarm, *, poll_s: float = POLL_S, gap_s: float = GAP_S
) -> None:
    """Without end. `gap_s` lets the events of a busy moment gather."""
    stir = InboxStir(database)
    while True:
        try:
            decided = await decide_due(database, attention)
            await stir.look()
        except Exception as error:  # whatever it was, the next round may go better; the service must not lose this task
            log.warning("attention is not decided", problem=str(error), kind=type(error).__name__)
            await asyncio.sleep(BACK_OFF_S)
        else:
            if decided < AT_ONCE:
                await alarm.wait(poll_s)
                await asyncio.sleep(gap_s)


async def decide_due(database: Database, attention: Attention, at_once: int = AT_ONCE) -> int:
    """Decide about the sessions whose time has come, those that wait longest first."""
    rows = await database.read(cypher.DUE, now=clock.now(), most=at_once)
    for row in rows:
        await _decide(database, attention, row["id"], row["owner"])
    return len(rows)


async def _decide(database: Database, attention: Attention, session_id: str, owner: str) -> None:
    viewer = await viewer_of_principal(database, owner)
    if viewer is None or is_agent(viewer):
        await _forget(database, session_id)
        return
    try:
        await attention.decide_due(viewer, session_id)
    except NotDue:
        return
    except _LATER:
        raise
    except TaskloreError as error:  # they see it no longer, or it cannot be decided: the others must not wait for it
        log.warning("a session is not decided", session=session_id, code=error.code, problem=error.message)
        await _forget(database, session_id)


async def _forget(database: Database, session_id: str) -> None:
    async def work(transaction: Transaction) -> None:
        await transaction.run(cypher.FORGET_DUE, session=session_id)

    await database.write(work)
