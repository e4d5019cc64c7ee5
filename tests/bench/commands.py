"""A command that writes one record with one link, against the same write by the bare driver in a transaction."""

from itertools import count
from typing import Any, LiteralString

import neo4j

from tests.bench.client import Client, body_of
from tests.bench.measure import in_turns
from tests.bench.report import Report
from tests.bench.setting import Setting

SAVE = """mutation ($n: String!) {
  saveGoal(input: {name: $n, goalType: task_outcome_goal, goalStatement: "Be quick."}) { recordId }
}"""

BARE: LiteralString = """
MATCH (project:Record {id: 'ent_b7'})
CREATE (project)<-[:CONCERNS]-(n:Goal:Record)
SET n = $values
RETURN n.id AS id
"""


async def measure(setting: Setting, report: Report) -> None:
    client = await Client.connect(setting.port, setting.key)
    numbers = count()

    async def command() -> Any:
        return await client.ask(body_of(SAVE, {"n": f"Bench {next(numbers)}"}))

    async def bare() -> Any:
        number = next(numbers)
        values = {"id": f"goal_c{number}", "name": f"Bench {number}", "goal_statement": "Be quick.", "version": 1}
        values |= {
            "goal_type": "task_outcome_goal",
            "audience": "internal|ent_bmost",
            "created_at": "2026-01-01T00:00:00.000Z",
        }

        async def write(transaction: neo4j.AsyncManagedTransaction) -> Any:
            return await (await transaction.run(BARE, values=values)).fetch(1)

        async with setting.driver.session() as session:  # pyright: ignore[reportUnknownMemberType]
            return await session.execute_write(write)

    times = await in_turns({"floor": bare, "command": command}, rounds=200)
    note = f"p50 {times['command'].p50_ms:.2f} ms against {times['floor'].p50_ms:.2f} ms"
    report.add("a command", times["command"].p50_ms / times["floor"].p50_ms, "of the floor", bar=2.0, note=note)
