"""Reading a session with all that its rules ask about, for a reader or inside a command."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from service.access.viewer import Viewer
from service.graph.database import Row
from service.knowledge.preflight.shape import shape_of
from service.learning.design import cypher
from service.learning.design.facts import SessionFacts
from service.library.cypher.blueprints import SEEN
from service.library.diffs import linked_ids

MOST = 200
Run = Callable[..., Awaitable[Sequence[Row]]]


async def facts_of(run: Run, viewer: Viewer, session_id: str) -> SessionFacts | None:
    """`run` asks the database, or inside the transaction of a command."""
    rows = await run(cypher.SESSION, id=session_id, most=MOST, audiences=viewer.audiences)
    return await _completed(run, viewer, rows[0]) if rows else None


async def _completed(run: Run, viewer: Viewer, row: Row) -> SessionFacts:
    bare = SessionFacts(row)
    named = sorted(linked_ids(dict(bare.content))) if bare.content else []
    rows = await run(SEEN, ids=named, audiences=viewer.audiences) if named else ()
    bare = SessionFacts(row, seen=frozenset(str(one) for found in rows for one in found["ids"]))
    modules = await modules_of(run, viewer, bare.graph["id"]) if bare.graph else ()
    needed = await needed_by(run, viewer, bare.content)
    shape = await shape_of(run, viewer, bare.graph["id"]) if bare.graph else ()
    return SessionFacts(row, modules, needed, bare.seen, shape)


async def modules_of(run: Run, viewer: Viewer, graph_id: str) -> Sequence[Any]:
    rows = await run(cypher.DRAFTED_MODULES, id=graph_id, audiences=viewer.audiences)
    return [row["module"] for row in rows]


async def needed_by(run: Run, viewer: Viewer, content: Any) -> Sequence[Any]:
    """The capabilities that a blueprint, or a step of it, cannot do without."""
    if content is None:
        return ()
    ids = {
        *content["links"]["requires"],
        *(one for step in content["steps"].values() for one in step.get("requires", ())),
    }
    return await run(cypher.NEEDED, ids=sorted(ids), audiences=viewer.audiences) if ids else ()
