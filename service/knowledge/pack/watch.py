"""Looks by itself whether the pack in use is behind: at the start, and whenever something changed that packs are made
from. One process does it; should two, what was told of is not told of again."""

import asyncio

from graph_schema.model.fields import DataClass
from service.access.audience import audience_of
from service.access.viewer import KeyScope, Viewer
from service.events import Head
from service.graph.database import Database
from service.knowledge.pack import cypher
from service.knowledge.pack.commands import KnowledgeCompiler
from service.observe import log

SOURCES = (
    *("ModuleType", "Port", "ConfigField", "Template", "Preset", "Pattern", "Capability", "Case", "Lesson"),
    *("SpecSection", "EvalRun", "KnowledgePack", "WrittenCard"),
)
"""What a change of may put a pack behind, or one into use that is."""
WATCHER = Viewer(
    "knowledge",
    "knowledge",
    frozenset({KeyScope.read, KeyScope.curate}),
    DataClass.internal,
    frozenset(),
    False,
    (audience_of(DataClass.public, ()), audience_of(DataClass.internal, ())),
)
"""It sees what packs are made from, which everybody does."""
WAIT_S = 30.0
GAP_S = 1.0
BACK_OFF_S = 30.0


async def keep_watching(
    database: Database, head: Head, compiler: KnowledgeCompiler, *, wait_s: float = WAIT_S, gap_s: float = GAP_S
) -> None:
    """Without end. `gap_s` lets the changes of a busy moment gather."""
    seen: int | None = None
    while True:
        try:
            seen = await look(database, head, compiler, seen)
        except Exception as error:  # whatever it was, the next round may go better; the service must not lose this task
            log.warning("the knowledge pack is not looked at", problem=str(error), kind=type(error).__name__)
            await asyncio.sleep(BACK_OFF_S)
        else:
            await head.wait_beyond(seen, wait_s)
            await asyncio.sleep(gap_s)


async def look(database: Database, head: Head, compiler: KnowledgeCompiler, seen: int | None) -> int:
    """One look, where there may be something to see. Says up to where the log was read."""
    upto = head.seq
    if seen is not None:
        row = await database.read_one(cypher.TOUCHED, after=seen, kinds=list(SOURCES))
        if row is None or not row["touched"]:
            return upto
    await compiler.check_if_changed(WATCHER)
    return upto
