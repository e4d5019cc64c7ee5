"""Candidates for a request: proposed by the indexes, or, where those cannot know what the viewer sees, by a scan.

An index answers before the firewall. What is hidden can fill its answer, so a list that the firewall has thinned out is
asked for again, deeper; and when that would have to go too deep, everything visible is looked at instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neo4j import exceptions as driver_errors

from embeddings import Embedder
from graph_schema.output.ddl import FULLTEXT_INDEX, text_vector_property, vector_index, vector_property
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.search import cypher, ranker
from service.search.ranker import Asked
from service.search.request import Filters, keyed, lucene

FEWEST_WANTED = 50
DEPTH_FOR_EACH = 4
DEEPEST = 5_000

NO_SUCH_INDEX = "Neo.ClientError.Procedure.ProcedureCallFailed"


@dataclass(frozen=True, slots=True)
class Sought:
    """What candidates are sought for."""

    words: Asked
    vector: Sequence[float] | None
    filters: Filters
    first: int

    @property
    def want(self) -> int:
        """Visible candidates from each index. More than are shown: neither index knows the score."""
        return max(FEWEST_WANTED, 2 * self.first)


@dataclass(frozen=True, slots=True)
class Candidates:
    """`behind` counts the visible cards without a current vector, as far as that was looked at."""

    found: list[Row]
    behind: int
    index_unavailable: bool = False


async def candidates(database: Database, embedder: Embedder, viewer: Viewer, sought: Sought) -> Candidates:
    shared = _parameters(embedder, viewer, sought)
    depth: int | None = sought.want * DEPTH_FOR_EACH
    try:
        while depth is not None:
            [row] = await database.read(cypher.CANDIDATES, **shared, depth=depth)
            if not _thinned_out(row, depth, sought.want):
                return Candidates(row["found"], max(row["behind"], _behind(row["found"])))
            depth = deeper(depth, _fewest_visible(row, depth, sought.want), sought.want)
    except driver_errors.ClientError as error:
        if error.code != NO_SUCH_INDEX:
            raise
        return await _scan(database, shared, sought, index_unavailable=True)
    return await _scan(database, shared, sought)


def deeper(depth: int, visible: int, want: int) -> int | None:
    """How deep an index must be asked, going by what was visible of its first `depth`; None when a scan is better."""
    if not visible:
        return None
    needed = 2 * depth * want // visible
    return needed if needed <= DEEPEST else None


async def _scan(
    database: Database, shared: dict[str, Any], sought: Sought, *, index_unavailable: bool = False
) -> Candidates:
    stems = list(sought.words.stems)
    [row] = await database.read(
        cypher.SCAN,
        **shared,
        words=[*stems, *_accented(sought.words)],
        phrase=sought.words.lowered,
        word_weight=(1 - ranker.WEIGHTS.semantic) / max(1, len(stems)),
        semantic_weight=ranker.WEIGHTS.semantic,
        neutral=ranker.GUESS.intercept,
        scanned=2 * sought.want,
    )
    return Candidates(row["found"], _behind(row["found"]), index_unavailable)


def _accented(words: Asked) -> list[str]:
    """Words that the scan must also look for as they are written, because Cypher does not fold accents."""
    return [word for word in words.lowered.split() if not word.isascii()]


def _parameters(embedder: Embedder, viewer: Viewer, sought: Sought) -> dict[str, Any]:
    return {
        "audiences": viewer.audiences,
        "kinds": sought.filters.kinds,
        "hidden_states": sought.filters.hidden_states,
        "model": embedder.key,
        "unrelated": embedder.unrelated,
        "property": vector_property(embedder.key),
        "text_property": text_vector_property(embedder.key),
        "vector_index": vector_index("Card", embedder.key),
        "vector": sought.vector,
        "text_index": FULLTEXT_INDEX,
        "lucene": lucene(sought.words, sought.filters.kinds),
        "id": sought.words.folded,
        "keyed": keyed(sought.words),
        "shortest_key": ranker.SHORTEST_KEY_INSIDE,
        "want": sought.want,
    }


def _thinned_out(row: Row, depth: int, want: int) -> bool:
    return _fewest_visible(row, depth, want) < want


def _fewest_visible(row: Row, depth: int, want: int) -> int:
    """What was visible of the index that yielded least. One that had no more to give has yielded enough."""
    yields = ((row["near_proposed"], row["near_visible"]), (row["worded_proposed"], row["worded_visible"]))
    return min(visible if proposed >= depth else want for proposed, visible in yields)


def _behind(found: list[Row]) -> int:
    return sum(not one["current"] for one in found)
