"""The shape of a saved graph, examined for a reader or inside a command: what a design is told at once."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any

from service.access.viewer import Viewer
from service.graph.database import Row
from service.knowledge.catalogue import cypher as catalogue
from service.knowledge.lookup.graphs import validated_graph
from service.knowledge.preflight.facts import facts_of
from service.knowledge.preflight.issues import PreflightCheck, PreflightIssue
from service.library.cypher.graphs import GRAPHS
from service.library.graphs import graph_hash, graph_of

Run = Callable[..., Awaitable[Sequence[Row]]]


async def shape_of(run: Run, viewer: Viewer, graph_id: str) -> tuple[PreflightIssue, ...]:
    """What is wrong with a graph by the catalogue. Where the catalogue knows none of its types, nobody can tell."""
    rows = await run(GRAPHS, ids=[graph_id], audiences=viewer.audiences)
    if not rows or not rows[0]["modules"]:
        return ()
    graph = graph_of(rows[0])
    names = sorted({one.module_type for one in graph.modules})
    [row] = await run(catalogue.TYPES, types=names, audiences=viewer.audiences)
    if not row["found"]:
        return ()
    told: dict[str, Any] = {**asdict(graph), "graph_hash": graph_hash(graph)}
    checked = validated_graph(facts_of({"types": row["found"], "graph": told}))
    return tuple(one for one in checked.issues if one.check is not PreflightCheck.module_type_unknown)
