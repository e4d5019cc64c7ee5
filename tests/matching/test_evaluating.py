"""`tasklore evaluate matching`, through the service's own commands and queries: sets of each kind, and all together."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from embeddings import EmbeddingQueue
from service.graph.database import Database
from service.matching.errors import GraphNotEmpty
from service.matching.evaluation.cli_workflows import import_workflows, known_workflows
from service.matching.evaluation.evaluate import Dataset, read, read_texts, together
from service.matching.evaluation.trial import Comparison, judged_in
from service.runtime.compose import services_alone
from tests.cli.serving import tasklore
from tests.conftest import Server

WORKFLOWS = Path(__file__).parents[1] / "library" / "n8n"

INTENTS = [
    *(("train", "book_table", text) for text in ("book a table for two", "reserve a table tonight", "table for four")),
    *(("train", "play_music", text) for text in ("play some jazz", "put on a song", "music please")),
    *(("train", "call_taxi", text) for text in ("call me a cab", "I need a taxi", "order a taxi to the station")),
    ("test", "book_table", "can you reserve us a table"),
    ("test", "play_music", "play a song by Nina Simone"),
    ("test", "call_taxi", "get me a taxi home"),
]
TOOLS = [
    ("unit", "Unit converter", "Converts lengths and weights between metric and imperial units."),
    ("plot", "Chart maker", "Draws bar and line charts from a table of numbers."),
    ("mail", "Mail merge", "Writes one letter for each row of a list of addresses."),
]
FIT = [
    ("how many feet are twelve metres", "unit"),
    ("draw a bar chart of these numbers", "plot"),
    ("a letter to everybody on this list of addresses", "mail"),
]
FAR = "why is the sky blue"


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def intents(folder: Path) -> Path:
    return written(
        folder / "intents.jsonl", [dict(zip(("split", "intent", "text"), row, strict=True)) for row in INTENTS]
    )


def described(folder: Path) -> Path:
    tools: list[dict[str, Any]] = [dict(zip(("tool", "name", "description"), row, strict=True)) for row in TOOLS]
    return written(folder / "tools.jsonl", [*tools, *({"request": text, "fits": [one]} for text, one in FIT)])


def workflows(folder: Path) -> tuple[Path, Path]:
    """Two workflows, and a request for each."""
    kept = folder / "workflows"
    kept.mkdir()
    chosen = sorted(WORKFLOWS.glob("*.json"))[:2]
    for one in chosen:
        shutil.copy(one, kept / one.name)
    known = known_workflows(kept)
    rows = [{"request": f"I want {one.name}", "fits": [key]} for key, one in known.items()]
    return written(folder / "requests.jsonl", rows), kept


def check(found: Comparison, *, kinds: set[str]) -> None:
    assert found.matching.accuracy >= 0.6
    assert found.matching.five >= found.matching.accuracy
    assert found.matching.told_nothing is not None
    assert found.vector.five > 0
    assert {*found.kinds} == kinds
    assert sum(line.startswith("of it known by") for line in found.lines()) == len(kinds)


async def test_a_set_of_each_kind_and_all_together_are_judged_in_an_empty_graph_that_is_empty_afterwards(
    indexed: Database, database: Database, queue: EmbeddingQueue, neo4j_server: Server, tmp_path: Path
) -> None:
    """`database` takes out what other tests left."""
    services = services_alone(indexed, queue)
    requests, folder = workflows(tmp_path)
    imported = known_workflows(folder)
    far = read_texts(written(tmp_path / "far.jsonl", [{"text": FAR}]))

    async def judged(known: Dataset) -> Comparison:
        told: list[str] = []
        found = await judged_in(services, known, far, phrases=3, most=10, progress=told.append, taken=import_workflows)
        assert told[0].startswith("draw 1: ")
        [row] = await indexed.read("MATCH (n:Record) RETURN count(n) AS left")
        assert row["left"] == 0
        return found

    sets = [read(intents(tmp_path)), read(described(tmp_path)), read(requests, imported)]
    for one in sets:
        found = await judged(one)
        assert found.known_by == one.known_by
        check(found, kinds=set())
    mixed = together(sets, 10)
    assert (mixed.known_by, len(mixed.assets), len(mixed.requests)) == (None, 8, 8)
    found = await judged(mixed)
    assert found.known_by == "several"
    check(found, kinds={"phrases", "description", "imported"})

    at = {"neo4j_uri": neo4j_server.uri, "neo4j_user": neo4j_server.user, "neo4j_password": neo4j_server.password}
    asked = ("evaluate", "matching", str(tmp_path / "intents.jsonl"), str(tmp_path / "tools.jsonl"), "--phrases", "2")
    ended = tasklore(*asked, home=tmp_path, **at)
    assert ended.returncode == 0, ended
    assert ended.stdout.startswith("known by several")
    assert ended.stdout.count("of it known by") == 2

    await indexed.run_alone("CREATE (:Record {id: 'rec_1'})")
    with pytest.raises(GraphNotEmpty):
        await judged(sets[0])
