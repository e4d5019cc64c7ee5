"""A packet of two thousand candidates through HTTP, against its candidate statement and its write, both bare."""

import asyncio
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

import neo4j
import numpy as np
import orjson

from embeddings import Embedder, EmbeddingQueue
from embeddings.tokens import Counters
from graph_schema.output.ddl import vector_property
from service.access.audience import audience_of
from service.commands import RecordRef
from service.commands.work import card_id
from service.context.packets.inputs import ContextPacketInput, ModuleConfigInput
from service.context.packets.packet import Computed
from service.context.packets.read import PacketReads
from service.context.packets.situation import situation_of
from service.runtime.runtime import load_embedder
from service.settings import load_settings
from tests.bench.client import Client, body_of
from tests.bench.measure import Timing, Work, in_turns, throughputs
from tests.bench.report import Report
from tests.bench.setting import Setting
from tests.bench.world import batches

CANDIDATES = 2_000
BOUND = 400
ROUNDS = 20
CLIENTS = 8
SECONDS = 32.0
NAME = f"packet of {CANDIDATES:,} candidates"
MATTER, MODULE = "ent_bctx", "draft"
RUNS = [f"run_bctx{number}" for number in range(CLIENTS)]
"""Each executor has a run of its own."""
INSTRUCTION = "Evaluate the complaint against the exhibits and list what is missing."
MUTATION = """mutation ($input: ContextPacketInput!) { assembleContextPacket(input: $input) { replayed packet {
  id items { id layer rank text tokens via explanation }
  excludedCandidates { id candidateKind code message stage } warnings { code } markdown } } }"""

RECORDS: LiteralString = """
UNWIND $rows AS row
CREATE (n:$($labels)) SET n = row
"""
CARDS: LiteralString = """
UNWIND $rows AS row
MATCH (n:Record {id: row.describes})
CREATE (c:Card:Record) SET c = row.values
CREATE (c)-[:DESCRIBES]->(n)
WITH c, row
CALL db.create.setNodeVectorProperty(c, $property, row.vector)
"""
LINKS: LiteralString = """
UNWIND $rows AS row
MATCH (tail:Record {id: row.tail})
MATCH (head:Record {id: row.head})
CREATE (tail)-[r:$(row.type)]->(head) SET r = row.properties
"""
# As a bare driver would write the same receipts.
WRITE: LiteralString = """
MATCH (run:Run:Record {id: $run})
CREATE (run)-[:HAS_PACKET]->(packet:ContextPacket:Record) SET packet = $packet
WITH packet
CALL (packet) {
  UNWIND $injected AS one
  MATCH (n:Record {id: one.id})
  CREATE (packet)-[r:INJECTED]->(n) SET r = one.properties
}
CALL (packet) {
  UNWIND $excluded AS one
  MATCH (n:Record {id: one.id})
  CREATE (packet)-[r:EXCLUDED]->(n) SET r = one.properties
}
"""


@dataclass(frozen=True)
class World:
    embedder: Embedder
    seqs: Iterator[int]


async def measure(setting: Setting, report: Report) -> tuple[World, Timing]:
    world = World(await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None), itertools.count(1))
    await grow(setting, world.embedder)
    service, bare = await asking(setting, world), await bare_packet(setting, world)
    times = await in_turns({"floor": bare, "service": service}, rounds=ROUNDS, warm=5)
    note = f"p50 {times['service'].p50_ms:.0f} ms against {times['floor'].p50_ms:.0f} ms"
    report.add(NAME, times["service"].p50_ms / times["floor"].p50_ms, "of the floor", bar=3.0, note=note)
    works = {
        "floor": [await bare_packet(setting, world, run) for run in RUNS],
        "service": [await asking(setting, world, run) for run in RUNS],
    }
    rates = await throughputs(works, SECONDS)
    note = f"{rates['service']:.1f} a second against {rates['floor']:.1f}"
    ratio = rates["service"] / rates["floor"]
    report.add(f"{NAME}: {CLIENTS} executors", ratio, "of the floor", bar=0.6, at_least=True, note=note)
    return world, times["service"]


async def measure_growth(setting: Setting, report: Report, small: tuple[World, Timing]) -> None:
    world, before = small
    await _others(setting, 10 * CANDIDATES)
    times = await in_turns({"service": await asking(setting, world)}, rounds=ROUNDS, warm=5)
    ratio = times["service"].p50_ms / before.p50_ms
    note = f"p50 {times['service'].p50_ms:.0f} ms against {before.p50_ms:.0f} ms"
    report.add(f"{NAME}: ten times the world", ratio, "of the small", bar=1.2, note=note)


async def grow(setting: Setting, embedder: Embedder) -> None:
    """Runs of a task with its module, things that they are bound to, and rules that hold for them or not."""
    await setting.database.run_alone(
        "MERGE (a:Audience {audience: 'internal|' + $matter}) "
        "SET a.data_class = 'internal', a.rank = 1, a.matter_ids = [$matter]",
        matter=MATTER,
    )
    entities = [
        _one("Entity", n, "ent", kind="document", summary=f"Exhibit {n} of the complaint.") for n in range(BOUND)
    ]
    rules = [
        _one("Preference", n, "pref", statement=f"Rule {n} about complaints.", task_types=_types(n))
        for n in range(CANDIDATES - BOUND)
    ]
    await _create(setting, ["Entity", "Document", "Record"], entities)
    await _create(setting, ["Preference", "Record"], rules)
    await _cards(setting, embedder, [*entities, *rules])
    await _create(setting, ["Task", "Record"], [_record("task_bctx")])
    await _create(setting, ["GraphSnapshot", "Record"], [_record("graph_bctx")])
    module = _record("mod_bctx", module_key=MODULE, module_type="step.agent_task")
    await _create(setting, ["Module", "Record"], [module])
    await _link(setting, [("task_bctx", "HAS_GRAPH", "graph_bctx"), ("graph_bctx", "HAS_MODULE", "mod_bctx")])
    for run in RUNS:
        await _run(setting, run, entities)


async def _run(setting: Setting, run: str, entities: list[dict[str, Any]]) -> None:
    """A run of the task, with its scope."""
    scope: dict[str, Any] = {
        "launch_surface": "manual_api",
        "surface_context_policy": "not_applicable",
        "visibility_ceiling": "internal",
        "scope_matter_ids": [MATTER],
        "task_type": "complaint",
        "run_id": run,
    }
    await _create(setting, ["Run", "Record"], [_record(run, status="running", memory_mode="standard")])
    await _create(setting, ["ScopeEnvelope", "Record"], [_record(f"env_{run}", **scope)])
    await _create(setting, ["Snapshot", "Record"], [_record(f"snap_{run}", run_id=run)])
    own = [
        (run, "HAS_SCOPE", f"env_{run}"),
        (f"env_{run}", "HELD_UNDER", f"snap_{run}"),
        (run, "RUN_OF", "task_bctx"),
    ]
    bound = {"via": "explicit_task_scope", "evidence": "The task names it.", "confidence": 1.0, "status": "bound"}
    await _link(setting, own)
    await _link(setting, [(f"env_{run}", "BINDS", one["id"]) for one in entities], bound)


async def _link(
    setting: Setting, links: list[tuple[str, str, str]], properties: Mapping[str, Any] | None = None
) -> None:
    rows = [{"tail": tail, "type": kind, "head": head, "properties": properties or {}} for tail, kind, head in links]
    await setting.database.run_alone(LINKS, rows=rows)


async def _others(setting: Setting, count: int) -> None:
    """Rules of another matter that the executor may see."""
    other = "ent_bother"
    await setting.database.run_alone(
        "MERGE (a:Audience {audience: 'internal|' + $matter}) "
        "SET a.data_class = 'internal', a.rank = 1, a.matter_ids = [$matter]",
        matter=other,
    )
    rows = [_one("Preference", n, "prefo", matter=other, statement=f"Rule {n} of another.") for n in range(count)]
    await _create(setting, ["Preference", "Record"], rows)


def _types(number: int) -> list[str]:
    """One rule in four holds for this type of task."""
    return ["complaint"] if number % 4 == 0 else ["cooking"]


def _one(label: str, number: int, prefix: str, matter: str = MATTER, **values: Any) -> dict[str, Any]:
    return _record(f"{prefix}_b{number:06d}", matter, name=f"{label} {number}", **values)


def _record(record_id: str, matter: str = MATTER, **values: Any) -> dict[str, Any]:
    """What every record has, with what packets read of this one."""
    access: dict[str, Any] = {
        "data_class": "internal",
        "matter_ids": [matter],
        "audience": audience_of("internal", [matter]),
    }
    times = dict.fromkeys(("created_at", "updated_at"), "2026-01-01T00:00:00.000Z")
    usual = {"name": record_id, "version": 1, "lifecycle_state": "active", "stub": False}
    return {"id": record_id, **usual, **access, **times, **values}


async def _create(setting: Setting, labels: list[str], rows: list[dict[str, Any]]) -> None:
    for some in batches(rows):
        await setting.database.run_alone(RECORDS, rows=list(some), labels=labels)


async def _cards(setting: Setting, embedder: Embedder, records: list[dict[str, Any]]) -> None:
    vectors = np.random.default_rng(7).normal(size=(len(records), embedder.dimensions))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows: list[dict[str, Any]] = [
        {
            "describes": one["id"],
            "vector": vector.tolist(),
            "values": {
                **_record(card_id(one["id"]), name=one["name"]),
                "text_hash": "h",
                "embedded_hash": "h",
                "embedding_model": embedder.key,
            },
        }
        for one, vector in zip(records, vectors, strict=True)
    ]
    for some in batches(rows):
        await setting.database.run_alone(CARDS, rows=list(some), property=vector_property(embedder.key))


def _asked(run: str) -> ContextPacketInput:
    config = ModuleConfigInput(instruction=INSTRUCTION)
    return ContextPacketInput(RecordRef(id=run), MODULE, 0, config=config, max_tokens=1_000_000)


async def asking(setting: Setting, world: World, run: str = RUNS[0]) -> Work:
    client = await Client.connect(setting.port, setting.key)

    async def work() -> None:
        given = {
            "run": {"id": run},
            "moduleKey": MODULE,
            "activationSeq": next(world.seqs),
            "config": {"instruction": INSTRUCTION},
            "maxTokens": 1_000_000,
        }
        answer = orjson.loads(await client.ask(body_of(MUTATION, {"input": given})))
        assert "errors" not in answer, answer
        packet = answer["data"]["assembleContextPacket"]["packet"]
        considered = len(packet["items"]) + len(packet["excludedCandidates"])
        assert considered >= CANDIDATES, considered

    return work


async def bare_packet(setting: Setting, world: World, run: str = RUNS[0]) -> Work:
    """The candidate statement and the write of the same receipts, as the service sends them, by the bare driver."""
    caught: list[tuple[Any, dict[str, Any]]] = []

    class Catching:
        @staticmethod
        async def read_one(text: Any, **parameters: Any) -> Any:
            caught.append((text, parameters))
            return await setting.database.read_one(text, **parameters)

    queue = EmbeddingQueue(world.embedder)
    catching: Any = Catching()
    reads = PacketReads(catching, queue, Counters(load_settings().home / "tokenizers"))
    viewer = await setting.viewer(setting.key)
    here = await situation_of(catching, viewer, _asked(run))
    computed = await reads.computed(viewer, _asked(run), here)
    await queue.aclose()
    receipts = _receipts(computed)
    candidates, parameters = caught[-1]

    async def work() -> None:
        async with setting.driver.session(default_access_mode=neo4j.READ_ACCESS) as session:  # pyright: ignore[reportUnknownMemberType]
            await (await session.run(candidates, parameters)).fetch(1)
        packet = _record(f"pack_b{next(world.seqs)}")
        async with setting.driver.session() as session:  # pyright: ignore[reportUnknownMemberType]
            await (await session.run(WRITE, {"run": run, "packet": packet, **receipts})).consume()

    return work


def _receipts(computed: Computed) -> dict[str, Any]:
    facts = {one.id: one for one in computed.decided.taken}
    injected = [
        {
            "id": one.id,
            "properties": {
                "kind": facts[one.id].kind,
                "stage": "budget",
                "layer": one.layer,
                "rank": one.rank,
                "via": one.via,
                "tokens": one.tokens,
                "text": one.text,
                "score": one.score,
                "version": one.version,
                "explanation": one.explanation,
                "facts": facts[one.id].told(),
            },
        }
        for one in computed.items
    ]
    kept = {one.facts.id: one.facts for one in computed.decided.excluded}
    excluded = [
        {
            "id": one.id,
            "properties": {
                "kind": one.candidate_kind,
                "reason": one.code,
                "stage": one.stage,
                "explanation": one.message,
                "score": one.score,
                "threshold": one.threshold,
                "count": one.count,
                "version": one.version,
                "facts": kept[one.id].told(),
            },
        }
        for one in computed.kept_out
    ]
    return {"injected": injected, "excluded": excluded}
