"""A trial as matrices: how every request compares with every asset, computed once for many fits.

The formulas are the ranker's. Lead and share are written a second time, for matrices; a test holds the two together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.cards.lexical import words_of
from service.cards.prototype import prototype
from service.matching.calibration import Calibration, Line, Shape
from service.matching.evaluation.evaluate import Trial, card_of
from service.matching.evaluation.figures import Judged
from service.matching.evaluation.vectors import VectorStore
from service.matching.ranker import (
    EVEN,
    PLAUSIBLE,
    RIVALS,
    SPLIT,
    Closeness,
    Rivals,
    alone,
    chances,
    evidence_of,
    level,
    rank_of,
)
from service.words import stems

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Compared:
    """Each request (rows) with each asset (columns). `right` is the place of the asset a request is for, or -1."""

    cosine: Matrix
    nearest: Matrix
    lexical: Matrix
    cohesion: list[float | None]
    members: int
    right: NDArray[np.intp]
    scopes: list[str]


@dataclass(frozen=True)
class Table:
    """Rank and evidence of each request with each asset, and the asset that comes first with its rivals."""

    rank: Matrix
    evidence: Matrix
    thin: float
    right: NDArray[np.intp]
    scopes: list[str]
    best: NDArray[np.intp]
    lead: Matrix
    behind: Matrix
    """How far the rivals, and the first itself, are behind the first."""

    @property
    def first(self) -> Matrix:
        """The evidence of each request's first asset."""
        return self.evidence[np.arange(len(self.best)), self.best]


def compared(trial: Trial, phrases: int, store: VectorStore) -> Compared:
    intents = sorted(trial.library)
    places = {intent: place for place, intent in enumerate(intents)}
    texts = [[card_of(intent), *trial.library[intent][:phrases]] for intent in intents]
    vectors = [store.of(one) for one in texts]
    made = [prototype(one) for one in vectors]
    asked = store.of([one.text for one in trial.requests]).astype(np.float64)
    return Compared(
        cosine=asked @ np.stack([one.vector for one in made]).T,
        nearest=np.stack([(asked @ one.T).max(axis=1) for one in vectors], axis=1),
        lexical=_lexical([stems(one.text) for one in trial.requests], [words_of(one) for one in texts]),
        cohesion=[one.cohesion for one in made],
        members=phrases + 1,
        right=np.array([-1 if one.intent is None else places[one.intent] for one in trial.requests]),
        scopes=[one.scope for one in trial.requests],
    )


def usual_cohesion(several: Sequence[Compared]) -> float:
    """The mean cohesion of assets with all their phrases."""
    most = max(one.members for one in several)
    return float(
        np.mean([value for one in several if one.members == most for value in one.cohesion if value is not None])
    )


def table(of: Compared, shape: Shape, usual: float) -> Table:
    levels = np.array([level(of.members, cohesion, usual) for cohesion in of.cohesion])
    rank = rank_of(of.cosine, of.nearest, of.lexical, levels, shape)
    evidence = evidence_of(of.cosine, of.nearest, levels)
    ordered = np.sort(rank, axis=1)[:, -(RIVALS + 1) :]
    behind = ordered[:, -1:] - ordered
    leads = -np.log(np.exp(-behind / shape.temperature).sum(axis=1))
    return Table(rank, evidence, 1 / of.members, of.right, of.scopes, rank.argmax(axis=1), leads, behind)


def unfitted(shape: Shape, usual: float) -> Calibration:
    """Constants with which everything is even."""
    flat = Line((0.0, 0.0, 0.0), 0.0)
    led = Line((0.0, 0.0, 0.0, 0.0), 0.0)
    return Calibration("", shape, usual, Line((1.0, 0.0), 0.0), flat, led, led, Line((0.0,), 0.0), 0.0, EVEN)


def judge(of: Table, fitted: Calibration) -> list[Judged]:
    """The decisions on a table's requests, as `decide` takes them when nothing but text is given."""
    count = of.behind.shape[1] - 1
    shares = (1 / np.exp(-SPLIT * fitted.semantic.weights[0] * of.behind).sum(axis=1)).tolist()
    behind = (Rivals(lead, share, count) for lead, share in zip(of.lead.tolist(), shares, strict=True))
    found: list[Judged] = []
    for scope, right, evidence, rivals in zip(of.scopes, of.right == of.best, of.first.tolist(), behind, strict=True):
        chance = chances(Closeness(0.0, evidence, of.thin, guessed=False), rivals, fitted)
        found.append(Judged(scope, bool(right), chance.first, chance.any))
    return found


def told(of: Table, fitted: Calibration) -> dict[str, list[float]]:
    """What requests of each scope are told, as `decide` would: the shares of nothing fits, asked and match."""
    counts: dict[str, list[int]] = {}
    for one, evidence in zip(judge(of, fitted), of.first.tolist(), strict=True):
        plausible = alone(Closeness(0.0, evidence, of.thin, guessed=False), fitted) >= PLAUSIBLE
        place = 0 if one.fits < fitted.nothing or not plausible else 1 if one.confidence <= fitted.match else 2
        counts.setdefault(one.scope, [0, 0, 0])[place] += 1
    return {scope: [one / sum(found) for one in found] for scope, found in counts.items()}


def _lexical(asked: Sequence[frozenset[str]], known: Sequence[Sequence[str]]) -> Matrix:
    columns: dict[str, Matrix] = {}
    for place, words in enumerate(known):
        for stem in words:
            columns.setdefault(stem, np.zeros(len(known)))[place] = 1.0
    found = np.zeros((len(asked), len(known)))
    for row, words in enumerate(asked):
        for stem in words & columns.keys():
            found[row] += columns[stem]
        found[row] /= max(1, len(words))
    return found
