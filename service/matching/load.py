"""Assets from the graph, as matching weighs them: proposed by indexes and links, or a small library taken whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from neo4j import exceptions as driver_errors

from graph_schema.model.record import HIDDEN_STATES
from graph_schema.output.ddl import FULLTEXT_INDEX, text_vector_property, vector_index, vector_property
from service import clock
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database, Row
from service.matching import cypher
from service.matching.assets import KINDS, Asset
from service.matching.calibration import Models, calibration_for
from service.matching.facts import asset_of
from service.matching.parts import LAST_RUNS
from service.matching.request import Asked
from service.search import ranker
from service.search.candidates import NO_SUCH_INDEX, deeper
from service.search.request import MOST_LUCENE_WORDS, listed
from service.words import stems

FEW = 40
"""A library of at most so many is weighed whole."""

WANT = 10
WANT_WORDED = 4
"""So many hold the asset that would be first among all, but for one request in a thousand (docs/matching.md)."""

WANT_HIDDEN = 4
DEPTH_FOR_EACH = 6
CAPABILITY_STATE = "state"
JUST_NOW = timedelta(seconds=10)
"""By then the full-text index knows what was written, and the clocks of several services agree."""

_STEERED = ("Template", "Preset")


@dataclass(frozen=True, slots=True)
class Library:
    """The assets that are weighed. `behind`: some of those that the viewer sees, weighed or not, wait for a vector."""

    assets: tuple[Asset, ...]
    behind: bool = False


NOTHING = Library(())


async def library(database: Database, viewer: Viewer, asked: Asked, kind: str, models: Models) -> Library:
    """All of a small library, else what anything speaks for."""
    shared = {**_shared(viewer, asked, [kind], models), **_indexes(asked, kind, models.first)}
    depth: int | None = WANT * DEPTH_FOR_EACH
    try:
        while depth is not None:
            [row] = await database.read(cypher.CANDIDATES, **shared, depth=depth)
            visible = _fewest_visible(row, depth)
            if visible >= WANT:
                return Library(_assets(row, asked), row["behind"])
            depth = deeper(depth, visible, WANT)
    except driver_errors.ClientError as error:
        if error.code != NO_SUCH_INDEX:
            raise
    [row] = await database.read(cypher.SCAN, **shared)
    return Library(_assets(row, asked), row["behind"])


async def named(
    database: Database, viewer: Viewer, asked: Asked, refs: Sequence[RecordRef], models: Models
) -> tuple[Asset, ...]:
    """These assets and no others, as far as they are there and visible."""
    listed_refs = [{"id": ref.id, "source": ref.source, "key": ref.key} for ref in refs]
    [row] = await database.read(cypher.NAMED, **_shared(viewer, asked, KINDS, models), refs=listed_refs)
    return _assets(row, asked)


def _fewest_visible(row: Row, depth: int) -> int:
    """What was visible of the index that yielded least. One that had no more to give has yielded enough."""
    if row["size"] <= FEW:
        return WANT
    yields = ((row[f"{index}_proposed"], row[f"{index}_visible"]) for index in ("near", "worded", "taught"))
    return min(visible if proposed >= depth else WANT for proposed, visible in yields)


def _assets(row: Row, asked: Asked) -> tuple[Asset, ...]:
    return tuple(asset_of(one, asked) for one in row["found"])


def _shared(viewer: Viewer, asked: Asked, kinds: Sequence[str], models: Models) -> dict[str, Any]:
    return {
        "audiences": viewer.audiences,
        "kinds": list(kinds),
        "model": models.first,
        "property": vector_property(models.first),
        "text_property": text_vector_property(models.first),
        "vector": asked.vector,
        "second": models.second,
        "second_property": vector_property(models.second) if models.second else "",
        "second_vector": asked.second,
        "asked": {
            "stems": sorted(asked.stems),
            "entity_ids": list(asked.request.entities or ()),
            "directives": _directives(asked, kinds),
            "taught": sorted({_beginning(stem) for stem in stems(_teachable(asked))}),
            "recent": clock.ago(JUST_NOW),
            "last_runs": LAST_RUNS,
            "means": (1 + calibration_for(models.key).means) / 2,  # as Neo4j gives cosines
        },
        "state": CAPABILITY_STATE,
        "hidden_states": list(HIDDEN_STATES),
    }


def _indexes(asked: Asked, kind: str, model: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "vector_index": vector_index("Card", model),
        "text_index": FULLTEXT_INDEX,
        "lucene": _lucene(ranker.asked(asked.compared), kind),
        "few": FEW,
        "want": WANT,
        "want_worded": WANT_WORDED,
        "want_hidden": WANT_HIDDEN,
    }


def _lucene(words: ranker.Asked, kind: str) -> str:
    """Cards of the kind by their texts, and by the words of their phrases, which the card has without endings."""
    bare = " ".join(f'"{stem}"' for stem in list(words.stems)[:MOST_LUCENE_WORDS])
    return f"+describes_kind:{kind}^0 +(text:({listed(words)}) word_stems:({bare}))"


def _directives(asked: Asked, kinds: Sequence[str]) -> str | None:
    """What was taught about such words or such a type of task. Nothing else has this field."""
    if not set(kinds) & {*_STEERED}:
        return None
    words = listed(ranker.asked(_teachable(asked)))
    return f"phrase_or_condition:({words})" if words else None


def _teachable(asked: Asked) -> str:
    """All of a request that a directive can be about."""
    said = (asked.compared, asked.request.task_type or "", *(asked.request.outputs or ()))
    return " ".join(said).replace("_", " ")


def _beginning(stem: str) -> str:
    """What other forms of the word begin with, too: `polici` is not in policy, `poli` is."""
    return stem[: max(3, len(stem) - 2)]
