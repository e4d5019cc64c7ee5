"""Knowledge: compiling a pack of a large library against embedding and writing as many cards bare; looking whether a
pack is behind an unchanged library; a preflight against the statements that it asks."""

import asyncio
import time
from itertools import pairwise
from typing import Any, LiteralString, cast

from embeddings import EmbeddingQueue
from graph_schema.output.ddl import vector_property
from service.capability import Services
from service.cards.embedding import count_behind
from service.commands import RecordRef
from service.context.packets import PacketReads
from service.context.packets.planned import PlannedPackets
from service.graph.database import Database, Row, Transaction
from service.ids import new_id
from service.knowledge.catalogue.commands import Catalogues
from service.knowledge.catalogue.reading import sample_catalogue
from service.knowledge.pack.commands import KnowledgeCompiler
from service.knowledge.pack.read import KnowledgePacks
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.knowledge.preflight.read import Preflights
from service.library.commands import Library
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.records import Records
from service.runtime.compose import services_alone
from service.runtime.runtime import load_embedder
from service.settings import load_settings
from tests.bench.matching import request_text
from tests.bench.measure import in_turns
from tests.bench.report import Report
from tests.bench.setting import Setting

TEMPLATES = 2_000
ASSETS = 10_000
MODULES = 50
LOOKS = 5
ROUNDS = 20
COPIES: LiteralString = """
MATCH (t:Template {id: $id})
UNWIND $rows AS row
WITH t {.*, id: row.id, name: row.name, description: row.description} AS values
CREATE (n:Template:Record) SET n = values
"""
# A card with its vector, and what it tells of, as a bare driver would write them.
BARE: LiteralString = """
UNWIND $rows AS row
CREATE (k:BareKnowledge) SET k = row.told
CREATE (c:BareCard {text: row.text}) SET c[$property] = row.vector
CREATE (c)-[:DESCRIBES]->(k)
"""


async def measure(setting: Setting, report: Report) -> None:
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    queue = EmbeddingQueue(embedder)
    try:
        services = services_alone(setting.database, queue)
        await services[Catalogues].save(await setting.viewer(setting.key), sample_catalogue())
        viewer = await setting.viewer(setting.key)
        first = (await services[Records].save(viewer, "Template", _template(0))).result["id"]
        await _compile(setting, services, first, report)
        await _drift(setting, services, first, report)
        await _preflight(setting, services, report)
    finally:
        await queue.aclose()


def _template(number: int) -> dict[str, Any]:
    return {"name": f"Template {number}", "description": f"It does what is asked: {request_text(number)}"}


async def _grow(database: Database, first: str, begin: int, end: int) -> None:
    for start in range(begin, end, 1_000):
        some = range(start, min(end, start + 1_000))
        rows = [{**_template(number), "id": new_id("tpl")} for number in some]
        await database.run_alone(COPIES, id=first, rows=rows)


async def _compile(setting: Setting, services: Services, first: str, report: Report) -> None:
    compiler, queue = services[KnowledgeCompiler], services.ground.embeddings
    viewer = await setting.viewer(setting.key)
    await compiler.compile(viewer, activate=True)  # what is not of templates is there already
    await _embedded(setting, queue)
    await _grow(setting.database, first, 1, TEMPLATES)
    began = time.perf_counter()
    await compiler.compile(viewer, activate=True)
    compiled = time.perf_counter() - began
    await _embedded(setting, queue)
    whole = time.perf_counter() - began
    bare = await _bare(setting.database, queue)
    note = f"{compiled:.1f} s to compile, {whole:.1f} s with vectors, {bare:.1f} s bare, of {TEMPLATES:,} templates"
    report.add("compiling a knowledge pack", whole / bare, "of the bare", bar=2.5, note=note)


async def _embedded(setting: Setting, queue: EmbeddingQueue) -> None:
    """The running service does it, as it does for everybody: doing it here as well would do it twice."""
    while await count_behind(setting.database, queue):  # noqa: ASYNC110 - the service is another process
        await asyncio.sleep(0.2)


async def _bare(database: Database, queue: EmbeddingQueue) -> float:
    rows = await database.read(
        "MATCH (c:Card)-[:DESCRIBES]->(k:KnowledgeCard {family: 'template_card'}) RETURN c.text AS text, k {.*} AS told"
    )
    name = vector_property(queue.embedder.key)
    began = time.perf_counter()
    vectors = await queue.embed_texts([row["text"] for row in rows])
    told = [{**row, "vector": [float(one) for one in vector]} for row, vector in zip(rows, vectors, strict=True)]

    async def work(transaction: Transaction) -> None:
        await transaction.run(BARE, rows=told, property=name)

    await database.write(work)
    return time.perf_counter() - began


async def _drift(setting: Setting, services: Services, first: str, report: Report) -> None:
    await _grow(setting.database, first, TEMPLATES, ASSETS)
    viewer = await setting.viewer(setting.key)
    await services[KnowledgeCompiler].compile(viewer, activate=True)
    times: list[float] = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        status = await services[KnowledgePacks].status(viewer)
        times.append(time.perf_counter() - began)
        assert status.drift == ()
    note = f"nothing changed of {ASSETS:,} assets"
    report.add("looking whether a pack is behind", sorted(times)[LOOKS // 2], "s", bar=1.0, note=note)


class _Seen:
    """A database that keeps what it was asked."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.asked: list[tuple[LiteralString, dict[str, Any]]] = []

    async def read_one(self, statement: LiteralString, **values: Any) -> Row | None:
        self.asked.append((statement, values))
        return await self._database.read_one(statement, **values)


async def _preflight(setting: Setting, services: Services, report: Report) -> None:
    viewer = await setting.viewer(setting.key)
    task = (await services[Records].save(viewer, "Task", {"name": "Long"})).result["id"]
    await services[Library].save_graph(viewer, RecordRef(id=task), _chain())
    seen = _Seen(setting.database)
    subject, asked = Subject(task), PreflightRequest()
    database = cast("Database", seen)
    packets = PlannedPackets(PacketReads(database, services.ground.queue))
    await Preflights(database, packets).examine(viewer, subject, asked)

    async def statements() -> None:
        for statement, values in seen.asked:
            await setting.database.read_one(statement, **values)

    async def whole() -> object:
        return await services[Preflights].examine(viewer, subject, asked)

    found = await in_turns({"whole": whole, "statements": statements}, rounds=ROUNDS, warm=5)
    ours, theirs = found["whole"].p50_ms, found["statements"].p50_ms
    note = f"{ours:.1f} ms against {theirs:.1f} ms for its {len(seen.asked)} statements, {MODULES} modules"
    report.add("preflight", ours / theirs, "of its statements", bar=3.0, note=note)


def _chain() -> GraphInput:
    keys = [f"step{number:02}" for number in range(MODULES - 1)]
    modules = [ModuleInput("begin", "source.file"), *(ModuleInput(one, "step.agent_task") for one in keys)]
    cables = [CableInput("begin", keys[0], "file", "files_in")]
    cables += [CableInput(tail, head, "data_out", "data_in") for tail, head in pairwise(keys)]
    return GraphInput(modules, cables)
