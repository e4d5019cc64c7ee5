"""Whoever uses the command line sees the whole graph: they have the database's password."""

from typing import LiteralString

from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, Viewer
from service.graph.database import Database

AUDIENCES_THERE: LiteralString = "MATCH (a:Audience) RETURN collect(a.audience) AS audiences"


async def operator_of(database: Database) -> Viewer:
    [row] = await database.read(AUDIENCES_THERE)
    scopes = frozenset({KeyScope.read, KeyScope.curate})
    return Viewer("operator", "operator", scopes, DataClass.local_only, frozenset(), True, tuple(row["audiences"]))
