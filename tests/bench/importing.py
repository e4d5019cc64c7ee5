"""Import of workflows with cards and vectors, against embedding their texts alone and writing the same nodes bare.

The texts are embedded by the models that the service has: cards of templates by the second, too.
"""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any, LiteralString

import orjson

from embeddings import Embedder
from service import clock
from service.cards import MATCHED
from service.cards.embedding import BATCH
from service.runtime.runtime import load_embedder, load_second
from service.settings import load_settings
from tests.bench.client import Client, body_of
from tests.bench.matching import request_text
from tests.bench.report import Report
from tests.bench.reporting import LINKS, NODES
from tests.bench.setting import Setting

SMALL, LARGE = 1_000, 10_000
AT_ONCE = 50
ROWS = 2_000
NAME = "import"
IMPORT = (
    """mutation ($workflows: [N8nFileInput!]!) { importN8n(workflows: $workflows) { items { outcome message } } }"""
)
LEFT: LiteralString = """
MATCH (card:Card|Phrase)
WHERE card.created_at >= $since AND (card.embedded_hash IS NULL OR card.embedded_hash <> card.text_hash
  OR card.members_hash IS NOT NULL AND (card.prototype_hash IS NULL OR card.prototype_hash <> card.members_hash))
RETURN count(card) AS behind
"""
# Copies under other names, so that what was imported stays, and indexes and constraints have the same to do.
MADE: LiteralString = """
MATCH (n:Record)
WHERE n.created_at >= $since AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN collect({labels: labels(n), properties: properties(n)}) AS nodes
"""
JOINED: LiteralString = """
MATCH (n:Record)
WHERE n.created_at >= $since AND n.id > $after
WITH n ORDER BY n.id LIMIT $limit
RETURN collect({id: n.id, links: COLLECT {
  MATCH (n)-[r]->(m:Record) WHERE m.created_at >= $since
  RETURN {type: type(r), tail: n.id + '_bare', head: m.id + '_bare', properties: properties(r)}
}}) AS nodes
"""


async def measure(setting: Setting, report: Report) -> None:
    await _measured(setting, report, 0, SMALL)


async def measure_growth(setting: Setting, report: Report, _small: None) -> None:
    await _measured(setting, report, SMALL, LARGE)


async def _measured(setting: Setting, report: Report, start: int, count: int) -> None:
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    second = await asyncio.to_thread(load_second, load_settings(), lambda _line: None)
    files = [_file(number) for number in range(start, start + count)]
    since = clock.now()
    imported = await _imported(setting, files, since)
    nodes = [one async for page in _pages(setting, MADE, since) for one in page]
    links = [link async for page in _pages(setting, JOINED, since) for one in page for link in one["links"]]
    texts = [one["properties"]["text"] for one in nodes if {"Card", "Phrase"} & {*one["labels"]}]
    embedded = await asyncio.to_thread(_embedded, embedder, texts)
    cards = [one["properties"] for one in nodes if "Card" in one["labels"]]
    matched = [one["text"] for one in cards if one["describes_kind"] in MATCHED]
    beside = await asyncio.to_thread(_embedded, second, matched) if second else 0.0
    bare = await _bare(setting, [_copy(one) for one in nodes], links)
    note = f"{imported:.1f} s against {embedded:.1f} + {beside:.1f} s and {bare:.1f} s, {len(nodes):,} nodes"
    floor = embedded + beside + bare
    report.add(f"{NAME}: {count:,} templates", imported / floor, "of the floor", bar=2.0, note=note)


async def _imported(setting: Setting, files: Sequence[dict[str, str]], since: str) -> float:
    """Seconds until the last of them can be matched by meaning."""
    client = await Client.connect(setting.port, setting.key)
    started = time.perf_counter()
    for first in range(0, len(files), AT_ONCE):
        answer = orjson.loads(await client.ask(body_of(IMPORT, {"workflows": files[first : first + AT_ONCE]})))
        assert "errors" not in answer, answer
        assert all(one["outcome"] == "created" for one in answer["data"]["importN8n"]["items"]), answer
    while True:
        [row] = await setting.database.read(LEFT, since=since)
        if not row["behind"]:
            return time.perf_counter() - started
        await asyncio.sleep(0.2)


def _embedded(embedder: Embedder, texts: Sequence[str]) -> float:
    started = time.perf_counter()
    for first in range(0, len(texts), BATCH):
        embedder.embed_texts(list(texts[first : first + BATCH]))
    return time.perf_counter() - started


async def _bare(setting: Setting, nodes: Sequence[dict[str, Any]], links: Sequence[dict[str, Any]]) -> float:
    started = time.perf_counter()
    await _written(setting, NODES, nodes)
    await _written(setting, LINKS, links)
    return time.perf_counter() - started


async def _written(setting: Setting, statement: LiteralString, rows: Sequence[dict[str, Any]]) -> None:
    for first in range(0, len(rows), ROWS):
        await setting.database.run_alone(statement, rows=list(rows[first : first + ROWS]))


async def _pages(setting: Setting, statement: LiteralString, since: str) -> AsyncIterator[list[dict[str, Any]]]:
    after = ""
    while True:
        [row] = await setting.database.read(statement, since=since, after=after, limit=ROWS)
        if not row["nodes"]:
            return
        yield row["nodes"]
        last = row["nodes"][-1]
        after = last["id"] if "id" in last else last["properties"]["id"]


def _copy(one: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in one["properties"].items() if name not in ("source", "source_key")}
    return {"labels": one["labels"], "properties": kept | {"id": f"{kept['id']}_bare"}}


def _file(number: int) -> dict[str, str]:
    nodes: list[dict[str, Any]] = [
        {"name": name, "type": f"n8n-nodes-base.{kind}", "typeVersion": 1, "position": [200 * at, 0], "parameters": {}}
        for at, (name, kind) in enumerate((("Start", "manualTrigger"), ("Get", "httpRequest"), ("Keep", "set")))
    ]
    wires: dict[str, Any] = {
        one["name"]: {"main": [[{"node": other["name"], "type": "main", "index": 0}]]}
        for one, other in itertools.pairwise(nodes)
    }
    workflow = {
        "id": f"bench{number}",
        "name": f"{request_text(number)} {number}",
        "description": request_text(number + LARGE),
        "nodes": nodes,
        "connections": wires,
    }
    return {"fileName": f"bench{number}.json", "content": orjson.dumps(workflow).decode()}
