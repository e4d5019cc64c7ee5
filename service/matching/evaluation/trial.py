"""Matching judged through the service: templates saved and imported by commands, requests matched as the API does."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from embeddings import Vectors
from graph_schema.model.fields import DataClass
from service.access.audience import audience_of
from service.access.viewer import KeyScope, Viewer
from service.capability import Services
from service.cards.embedding import embed_behind
from service.matching import cypher
from service.matching.errors import GraphNotEmpty, RequestInvalid, RequestTooLong
from service.matching.evaluation.baselines import Rank, bm25, vector
from service.matching.evaluation.evaluate import REFUSED, Dataset, Found, Known, Trial, judged, placed, trials
from service.matching.evaluation.figures import Figures, Judged, by_kind, figures, mean_of
from service.matching.evaluation.judge import found
from service.matching.read import Matching
from service.matching.request import MatchRequest
from service.records import Records

Progress = Callable[[str], None]
Import = Callable[[Services, Viewer, Mapping[str, Path]], Awaitable[dict[str, str]]]
"""Imports files by their keys, and gives the keys by the ids of the templates."""

SOURCE = "evaluation"
_EVERYTHING = 10_000_000
_JUDGE = Viewer(
    "prin_evaluation",
    "evaluation",
    frozenset({KeyScope.read, KeyScope.curate}),
    DataClass.internal,
    frozenset(),
    False,
    (audience_of(DataClass.internal, []),),
)


@dataclass(frozen=True, slots=True)
class Beside:
    """What something else makes of the same requests: the share with the right one first, and within five."""

    first: float
    five: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Matching on a set, and beside it BM25 over the same texts and a plain vector."""

    known_by: str
    matching: Figures
    bm25: Beside
    vector: Beside
    kinds: Mapping[str, Figures] = field(default_factory=dict[str, Figures])
    """Of a library of several kinds, the figures of what fits each of them."""

    def lines(self) -> list[str]:
        beside = (("matching", self.matching.accuracy, self.matching.five), ("BM25", self.bm25.first, self.bm25.five),
                  ("plain vector", self.vector.first, self.vector.five))  # fmt: skip
        head = [f"known by {self.known_by:47s} first  five"]
        told = [*head, *(f"{name:56s} {first:.3f}  {five:.3f}" for name, first, five in beside), *self.matching.lines()]
        for kind, found_ in self.kinds.items():
            told += ["", f"of it known by {kind}", *found_.lines()]
        return told


async def judged_in(
    services: Services,
    known: Dataset,
    far: Sequence[str] | None,
    *,
    phrases: int,
    most: int,
    progress: Progress,
    taken: Import | None = None,
) -> Comparison:
    """The figures in the graph of these services, which must be empty. `taken` imports what came from a file."""
    database = services.ground.database
    [row] = await database.read(cypher.COUNT)
    if row["records"]:
        raise GraphNotEmpty(row["records"])
    told: list[list[Judged]] = []
    besides: list[tuple[Beside, Beside]] = []
    for number, trial in enumerate(trials(known, far, phrases, most), 1):
        progress(f"draw {number}: {len(trial.library)} templates, {len(trial.requests):,} requests")
        try:
            told.append(await _judged(services, trial, taken))
        finally:
            await database.run_alone(cypher.EMPTY, principal=_JUDGE.principal_id)
        besides.append(await _beside(services, trial))
    words, vectors = (_mean([one[place] for one in besides]) for place in (0, 1))
    means, kinds = mean_of(list(map(figures, told))), by_kind([one for each in told for one in each])
    return Comparison(known.known_by.value if known.known_by else "several", means, words, vectors, kinds)


async def _judged(services: Services, trial: Trial, taken: Import | None) -> list[Judged]:
    keys = await _load(services, trial.library, taken)
    await embed_behind(services.ground.database, services.ground.embeddings, _EVERYTHING)
    matching = services[Matching]
    return [judged(trial, one, await _found(matching, one.text, keys)) for one in trial.requests]


async def _load(services: Services, library: Mapping[str, Known], taken: Import | None) -> dict[str, str]:
    """The keys of assets by the ids of their templates: two may have one name."""
    keys: dict[str, str] = {}
    for key, one in library.items():
        if one.workflow is None:
            values = {"name": one.name, "source": SOURCE, "source_key": key, "trigger_phrases": list(one.phrases)}
            said = {"description": one.description} if one.description else {}
            keys[(await services[Records].save(_JUDGE, "Template", values | said)).result["id"]] = key
    files = {key: one.workflow for key, one in library.items() if one.workflow is not None}
    return keys | (await taken(services, _JUDGE, files) if files and taken else {})


async def _found(matching: Matching, text: str, keys: Mapping[str, str]) -> Found:
    try:
        answer = found(await matching.match(_JUDGE, "Template", MatchRequest(text)))
    except (RequestTooLong, RequestInvalid):
        return REFUSED
    return Found([keys[one] for one in answer.ranked], answer.outcome, answer.confidence, answer.fits)


async def _beside(services: Services, trial: Trial) -> tuple[Beside, Beside]:
    texts = {key: one.texts for key, one in trial.library.items()}
    asked = [one for one in trial.requests if one.fits]
    wanted = [*dict.fromkeys(text for one in texts.values() for text in one), *(one.text for one in asked)]
    made = await services.ground.embeddings.embed_texts(wanted)
    vectors = dict(zip(wanted, made, strict=True))

    def embed(several: Sequence[str]) -> Vectors:
        return np.stack([vectors[text] for text in several])

    return _placed(trial, bm25(texts)), _placed(trial, vector(texts, embed))


def _placed(trial: Trial, rank: Rank) -> Beside:
    asked = [one for one in trial.requests if one.fits]
    found_ = [placed(trial, one, rank(one.text)) for one in asked]
    count = max(1, len(asked))
    return Beside(sum(first for first, _ in found_) / count, sum(five for _, five in found_) / count)


def _mean(several: Sequence[Beside]) -> Beside:
    count = max(1, len(several))
    return Beside(sum(one.first for one in several) / count, sum(one.five for one in several) / count)
