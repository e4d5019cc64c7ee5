"""Every statement that is kept as a constant is one that Neo4j plans, with the schema in place."""

from typing import LiteralString, cast

import pytest
from neo4j.exceptions import Neo4jError

from service.graph.database import Database
from tests.statements import written


async def _refusal(database: Database, text: str) -> str | None:
    try:
        await database.read(cast("LiteralString", f"EXPLAIN {text}"))
    except Neo4jError as error:
        return error.message or str(error)
    return None


@pytest.mark.slow
async def test_every_statement_is_planned_or_a_part_of_one_that_is(migrated: Database) -> None:
    texts = written()
    refused = {one: refusal for one in texts if (refusal := await _refusal(migrated, one))}
    planned = [one for one in texts if one not in refused]
    assert len(planned) > 200
    lost = [one for one in refused if not any(one.strip() in whole for whole in planned)]
    assert not lost, "\n".join(f"{texts[one]}: {refused[one]}" for one in lost)
