"""A generated world of runs: ten steps each, two artifacts for each step, linked as executors would report them.

Beside it stands one piece of work with a long history: about a thousand records behind one artifact, at depth 10.
"""

from collections.abc import Iterable, Iterator
from typing import Any, LiteralString

from graph_schema.memory.words import MemoryMode
from service.graph.database import Database
from service.memory.reporting.policy import MODES
from tests.bench.world import ALL, batches, row

RUNS = 4_000
STEPS_EACH = 10
ARTIFACTS_EACH = 2
RUNS_FOR_EACH_DOCUMENT = 10

DEEP = "art_deep0"
"""The artifact with the long history."""
DEEP_LEVELS = 10
WIDEST = 137

NODES: LiteralString = """
UNWIND $rows AS row
CREATE (n:$($labels)) SET n = row
"""
LINKS: LiteralString = """
UNWIND $rows AS row
MATCH (tail:Record {id: row[0]})
MATCH (head:Record {id: row[2]})
CREATE (tail)-[:$(row[1])]->(head)
"""

POLICY = {"memory_mode": MemoryMode.standard, **MODES[MemoryMode.standard]}

Link = tuple[str, str, str]
Values = dict[str, Any]


async def grow_runs(database: Database, former: int, runs: int) -> None:
    """Let the world grow from so many runs to so many. The long history comes with the first of them."""
    numbers = range(former, runs)
    documents = range(former // RUNS_FOR_EACH_DOCUMENT, runs // RUNS_FOR_EACH_DOCUMENT)
    await _create(database, ["Entity", "Document"], (_document(n) for n in documents))
    await _create(database, ["Run"], (_run(f"run_r{n}") for n in numbers))
    await _create(database, ["Activation"], (_step(n, step) for n in numbers for step in range(STEPS_EACH)))
    await _create(database, ["Artifact"], (one for n in numbers for one in _artifacts(n)))
    await _link(database, (link for n in numbers for link in _links(n)))
    if former == 0:
        await _deepen(database)
    await database.run_alone("CALL db.awaitIndexes(600)")
    await database.run_alone("CALL db.prepareForReplanning()")


async def _create(database: Database, labels: list[str], rows: Iterable[Values]) -> None:
    for batch in batches(rows):
        await database.run_alone(NODES, rows=batch, labels=[*labels, "Record"])


async def _link(database: Database, links: Iterable[Link]) -> None:
    for batch in batches(links):
        await database.run_alone(LINKS, rows=batch)


def values_of(label: str, record_id: str, **values: Any) -> Values:
    return row(label, record_id, ALL, **values)["values"]


def _document(n: int) -> Values:
    return values_of("Entity", f"ent_rdoc{n}", kind="document", summary=f"Document number {n} of the bench.")


def _run(record_id: str) -> Values:
    return values_of("Run", record_id, status="completed", source="bench", source_key=record_id, **POLICY)


def _step(n: int, step: int) -> Values:
    return _activation(f"act_r{n}_{step}", f"run_r{n}", f"module-{step}")


def _activation(record_id: str, run_id: str, module: str, seq: int = 1) -> Values:
    return values_of(
        "Activation", record_id, run_id=run_id, module_key=module, activation_seq=seq, status="success", cost_usd=0.01
    )


def _artifacts(n: int) -> Iterator[Values]:
    for step in range(STEPS_EACH):
        for place in range(ARTIFACTS_EACH):
            yield _artifact(_made(n, step, place), f"run_r{n}")


def _artifact(record_id: str, run_id: str) -> Values:
    return values_of("Artifact", record_id, run_id=run_id, artifact_kind="text_output", summary="What was made.")


def _made(n: int, step: int, place: int) -> str:
    return f"art_r{n}_{step}_{place}"


def _links(n: int) -> Iterator[Link]:
    """Each step works from what the one before it made; the first, from a document that some runs share."""
    run, document = f"run_r{n}", f"ent_rdoc{n // RUNS_FOR_EACH_DOCUMENT}"
    yield f"act_r{n}_0", "CONSUMED", document
    for step in range(STEPS_EACH):
        own = f"act_r{n}_{step}"
        yield run, "ACTIVATED", own
        if step:
            yield f"act_r{n}_{step - 1}", "TRIGGERED", own
        for place in range(ARTIFACTS_EACH):
            yield own, "PRODUCED", _made(n, step, place)
            if step:
                yield own, "CONSUMED", _made(n, step - 1, place)
                yield _made(n, step, place), "DERIVED_FROM", _made(n, step - 1, place)


async def _deepen(database: Database) -> None:
    """The long history: each level has twice as many records as the one before, up to a width."""
    artifacts, steps, links = [_artifact(DEEP, "run_deep0")], list[Values](), list[Link]()
    for level in range(1, DEEP_LEVELS + 1):
        made, done = _width(level), _width(level) // 2
        run = _deep_run(level)
        artifacts += [_artifact(_deep("art", level, n), run) for n in range(made)]
        steps += [_activation(_deep("act", level, n), run, f"module-{level}", n + 1) for n in range(done)]
        links += _deep_links(level, _width(level - 1), made, done)
    runs = [_run(one) for one in sorted({_deep_run(level) for level in range(DEEP_LEVELS + 1)})]
    await _create(database, ["Run"], runs)
    await _create(database, ["Activation"], steps)
    await _create(database, ["Artifact"], artifacts)
    await _link(database, links)


def _deep_links(level: int, former: int, made: int, done: int) -> Iterator[Link]:
    for n in range(former):
        later = _deep("art", level - 1, n)
        yield _deep("act", level, n % done), "PRODUCED", later
        for source in sorted({2 * n % made, (2 * n + 1) % made}):
            yield later, "DERIVED_FROM", _deep("art", level, source)
    for n in range(done):
        yield _deep_run(level), "ACTIVATED", _deep("act", level, n)
        for n_later in range(n, former // 2, done):
            yield _deep("act", level, n), "TRIGGERED", _deep("act", level - 1, n_later)
    for n in range(former // 2):
        yield _deep("act", level - 1, n), "CONSUMED", _deep("art", level, n % made)


def _width(level: int) -> int:
    return min(2**level, WIDEST)


def _deep(prefix: str, level: int, n: int) -> str:
    return DEEP if level == 0 else f"{prefix}_deep{level}_{n}"


def _deep_run(level: int) -> str:
    """Two levels share a run, so that the run of the last level is no deeper than it."""
    return f"run_deep{(level + 1) // 2}"
