"""The first match, packet, lineage and run view after a start, against later ones: nobody waits for statements to be
planned. A first document is read and checked too, so a later one that is new is shown beside."""

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, LiteralString

import orjson

from graph_schema.model.fields import DataClass
from service.runtime.planning import DONE
from service.seeding import seed
from tests.bench.client import Client, body_of
from tests.bench.importing import LEFT
from tests.bench.report import Report
from tests.bench.setting import TASKLORE, Setting, new_key
from tests.ports import free_port

LATER = 15
STARTS = 3
"""Each figure is the median of so many starts: a first answer is one sample."""
PLANNED_SECONDS = 120.0
FORGET_PLANS: LiteralString = "CALL db.clearQueryCaches() YIELD value RETURN value"
SOME: LiteralString = """
MATCH (packet:ContextPacket)
MATCH (:Run)-[:ACTIVATED]->(:Activation)-[:PRODUCED]->(made:Artifact)
RETURN packet.run_id AS run, packet.module_key AS module, packet.activation_seq AS seq, made.id AS made LIMIT 1
"""
MATCH = """query ($text: String!) { matchTemplates(request: {text: $text}) {
  outcome confidence recommended { name confidence parts { name score } } losers { message } } }"""
PACKET = """query ($input: ContextPacketInput!) { previewContextPacket(input: $input) {
  items { id layer text } excludedCandidates { code message } } }"""
LINEAGE = "query ($id: ID!) { lineage(of: {id: $id}, direction: both) { nodes { id } edges { type } } }"
RUN = """query ($id: ID!) { run(id: $id) {
  header { evidence { layers } } lens { evidence { layers } } steps { evidence { layers } }
  timeline { evidence { layers } } prompts { evidence { layers } } } }"""


BUILDING = """
import time
began = time.process_time()
import service.cli.answering
from graph_schema.registry import REGISTRY
from resolvers.schema import build_schema
build_schema()
print(time.process_time() - began, len(REGISTRY.types))
"""
FIRST_RECORDS, FIRST_SECONDS, SECONDS_OF_A_RECORD = 59, 3.5, 0.015
"""Processor time that importing everything and building the schema may take, and for each further kind of record."""


async def _building(report: Report) -> None:
    """The least of some: what else the machine does only adds to it."""
    taken: list[float] = []
    kinds = 0
    for _start in range(STARTS):
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", BUILDING, stdout=asyncio.subprocess.PIPE)
        told, _ = await process.communicate()
        seconds, kinds = float(told.split()[0]), int(told.split()[1])
        taken.append(seconds)
    bar = FIRST_SECONDS + SECONDS_OF_A_RECORD * (kinds - FIRST_RECORDS)
    report.add("importing and building the schema", min(taken), "s", bar=bar, note=f"{kinds} kinds of record")


async def measure(setting: Setting, report: Report) -> None:
    await _building(report)
    await seed(setting.database, lambda _line: None)
    await _embedded(setting)
    row = await setting.database.read_one(SOME)
    assert row
    asked = {"run": {"id": row["run"]}, "moduleKey": row["module"], "activationSeq": row["seq"]}
    documents: dict[str, tuple[str, Callable[[int], dict[str, Any]]]] = {
        # Each asks something else: the vector of a text is kept, and nobody asks the same twice.
        "match": (MATCH, lambda turn: {"text": f"Draft an answer to complaint {turn}"}),
        "packet": (PACKET, lambda _turn: {"input": asked}),
        "lineage": (LINEAGE, lambda _turn: {"id": row["made"]}),
        "run view": (RUN, lambda _turn: {"id": row["run"]}),
    }
    key = await new_key(setting.database, "owner", clearance=DataClass.local_only, all_matters=True)
    times: dict[str, list[list[float]]] = {name: [] for name in documents}
    for _start in range(STARTS):
        await setting.database.run_alone(FORGET_PLANS)
        async with _started(setting) as port:
            client = await Client.connect(port, key)
            for name, (document, variables) in documents.items():
                turns = [await _asked(client, document, variables(turn)) for turn in range(1 + LATER)]
                fresh = await _asked(client, document.replace("query (", "query Again ("), variables(1 + LATER))
                times[name].append([turns[0], statistics.median(turns[1:]), fresh])
    for name, taken in times.items():
        first, usual, fresh = (statistics.median(one) for one in zip(*taken, strict=True))
        note = f"{first:.0f} ms against {usual:.0f} ms; a new document later {fresh:.0f} ms"
        report.add(f"the first {name} after a start", first / usual, "of a later", bar=2.0, note=note)


async def _embedded(setting: Setting) -> None:
    """A service that is started again finds its cards embedded."""
    async with asyncio.timeout(PLANNED_SECONDS):
        while (await setting.database.read(LEFT, since=""))[0]["behind"]:  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(0.2)


async def _asked(client: Client, document: str, variables: dict[str, Any]) -> float:
    started = time.perf_counter()
    answer = orjson.loads(await client.ask(body_of(document, variables)))
    assert "errors" not in answer, answer
    return (time.perf_counter() - started) * 1_000


@asynccontextmanager
async def _started(setting: Setting) -> AsyncGenerator[int]:
    """Another service on the same database, when it has planned what people will ask."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        TASKLORE,
        "serve",
        "--port",
        str(port),
        env={**setting.environment, "TASKLORE_LOG_LEVEL": "info"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PLANNED_SECONDS):
            assert process.stderr
            while DONE.encode() not in await process.stderr.readline():
                assert process.returncode is None
        yield port
    finally:
        process.terminate()
        await process.communicate()
