"""Artifacts that may fit a request: those of the runs that it names, else what the full-text index proposes.

The index answers before the firewall, and for all kinds of record. When too little of its answer is left, it is asked
again, deeper; when that would have to go too deep, everything visible is looked at instead.
"""

from dataclasses import dataclass
from typing import Any

from neo4j import exceptions as driver_errors

from graph_schema.output.ddl import FULLTEXT_INDEX
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.memory.artifact_search import cypher
from service.memory.artifact_search.request import ArtifactFilter
from service.memory.history import HistoryFilter, runs_found
from service.search.candidates import DEEPEST, NO_SUCH_INDEX
from service.search.ranker import Asked
from service.search.request import HIDDEN_STATES, listed

COMPARED = 32
"""So many artifacts are compared by meaning. More would make a search wait for the model."""

MOST_RUNS = 2_000
_DEPTH = 400
_LATEST = "9999-12-31T23:59:59.999Z"


@dataclass(frozen=True, slots=True)
class Candidates:
    """`cut` says that there were more than could be compared."""

    found: list[Row]
    cut: bool
    index_unavailable: bool = False


async def candidates(database: Database, viewer: Viewer, words: Asked, wanted: ArtifactFilter) -> Candidates:
    shared = _parameters(viewer, words, wanted)
    if wanted.is_scoped:
        runs = await _runs(database, viewer, wanted)
        return _looked_at(await database.read_one(cypher.OF_RUNS, **shared, runs=runs))
    depth = _DEPTH
    try:
        while depth <= DEEPEST:
            row = await database.read_one(
                cypher.PROPOSED, **shared, text_index=FULLTEXT_INDEX, lucene=_lucene(words), depth=depth
            )
            if row and (row["proposed"] < depth or row["visible"] >= COMPARED):
                return _looked_at(row)
            depth *= 4
    except driver_errors.ClientError as error:
        if error.code != NO_SUCH_INDEX:
            raise
        return _looked_at(await database.read_one(cypher.OF_AUDIENCES, **shared), index_unavailable=True)
    return _looked_at(await database.read_one(cypher.OF_AUDIENCES, **shared))


async def newest(database: Database, viewer: Viewer, wanted: ArtifactFilter, most: int) -> list[Row]:
    """Where nothing is sought by words: what passes the filters, the newest first, and one more than was asked for."""
    shared = _passing(viewer, wanted) | {"most": most}
    if wanted.is_scoped:
        row = await database.read_one(cypher.NEWEST_OF_RUNS, **shared, runs=await _runs(database, viewer, wanted))
    else:
        row = await database.read_one(cypher.NEWEST, **shared)
    return list(row["found"]) if row else []


def _looked_at(row: Row | None, *, index_unavailable: bool = False) -> Candidates:
    if row is None:
        return Candidates([], cut=False, index_unavailable=index_unavailable)
    return Candidates(row["found"], row["visible"] > len(row["found"]), index_unavailable)


async def _runs(database: Database, viewer: Viewer, wanted: ArtifactFilter) -> list[str]:
    """The runs that pass all that is said about runs; the latest, should there be too many."""
    found: set[str] | None = None
    if wanted.runs:
        refs = [{"id": one.id, "source": one.source, "key": one.key} for one in wanted.runs]
        row = await database.read_one(cypher.RUNS_NAMED, refs=refs, audiences=viewer.audiences)
        found = set(row["found"]) if row else set()
    if wanted.tasks or wanted.about:
        history = HistoryFilter(tasks=wanted.tasks, about=wanted.about)
        fitting = {run_id for run_id, _ in await runs_found(database, viewer, history, MOST_RUNS)}
        found = fitting if found is None else found & fitting
    return sorted(found or ())


def _passing(viewer: Viewer, wanted: ArtifactFilter) -> dict[str, Any]:
    return {
        "audiences": viewer.audiences,
        "hidden_states": HIDDEN_STATES,
        "kinds": list(wanted.kinds) or None,
        "levels": list(wanted.intake_levels) or None,
        "from": wanted.produced_from or "",
        "before": wanted.produced_before or _LATEST,
    }


def _parameters(viewer: Viewer, words: Asked, wanted: ArtifactFilter) -> dict[str, Any]:
    return {
        **_passing(viewer, wanted),
        "words": [*words.stems, *(word for word in words.lowered.split() if not word.isascii())],
        "phrase": words.lowered,
        "id": words.folded,
        "most": COMPARED,
    }


def _lucene(words: Asked) -> str:
    """Names and summaries with these words, names first. Nothing in it has a meaning to Lucene but its words."""
    phrase = f'"{words.spoken}"'
    named = f"name:{phrase}^4 name_words:{phrase}^4"
    if not words.stems:
        return named
    either = listed(words)
    return f"name:({either})^2 name_words:({either})^2 summary:({either}) {named}"
