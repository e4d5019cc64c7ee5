"""A reading statement that takes too long is stopped by the server, not only abandoned by the caller."""

import time

import pytest

from service.graph.connect import connect
from service.graph.database import Database
from service.graph.errors import QueryTimedOut
from tests.conftest import Server

ENDLESS = "UNWIND range(1, 1000000000) AS a UNWIND range(1, 1000) AS b RETURN sum(a * b) AS endless"


@pytest.mark.slow
async def test_a_statement_over_its_time_is_stopped(neo4j_server: Server, migrated: Database) -> None:
    hasty = await connect(neo4j_server.uri, neo4j_server.user, neo4j_server.password, "neo4j", read_timeout=1)
    started = time.monotonic()
    try:
        with pytest.raises(QueryTimedOut):
            await hasty.read(ENDLESS)
    finally:
        await hasty.close()
    assert time.monotonic() - started < 30
    rows = await migrated.read("SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND range'")
    assert rows == []
