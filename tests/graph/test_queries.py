"""The queries for Neo4j Browser can be pasted as they are."""

import re
from pathlib import Path
from typing import LiteralString, cast

from service.graph.database import Database
from service.graph.migrations import migrate

PAGE = Path(__file__).parents[2] / "docs/browser/queries.md"
QUERIES = cast("list[LiteralString]", re.findall(r"```cypher\n(.*?)```", PAGE.read_text(), re.DOTALL))
MODEL_KEY = "bge_small_en_v1_5_q1"


async def test_every_query_of_the_page_runs(schema_put_back: Database) -> None:
    await migrate(schema_put_back, embedder_key=MODEL_KEY, dimensions=384)
    assert len(QUERIES) > 10
    for query in QUERIES:
        await schema_put_back.read(query)
