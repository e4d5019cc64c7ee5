"""A trial as matrices: how every request compares with every asset, computed once for many fits.

The formulas are the ranker's. Lead and share are written a second time, for matrices; a test holds the two together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from embeddings import Vectors
from graph_schema.library.words import MatchOutcome as Outcome
from service.cards.prototype import prototype
from service.lexical import words_of
from service.matching.calibration import Bounds, Calibration, Judgement, KnownBy, Line, Shape
from service.matching.evaluation.evaluate import FIVE, Trial
from service.matching.evaluation.figures import Judged
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
    together,
    words_told,
    words_weight,
)
from service.rarity import weight
from service.words import stems

Matrix = NDArray[np.float64]
Value = TypeVar("Value", np.float64, np.bool_)
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True)
class Compared:
    """Each request (rows) with each asset (columns). `fits` says which assets are right for a request."""

    known_by: KnownBy
    cosine: Matrix
    nearest: Matrix
    lexical: Matrix
    cohesion: list[float | None]
    members: int
    fits: NDArray[np.bool_]
    names: list[str]
    scopes: list[str]
    second: Matrix | None = None
    """The cosines with the cards by the second model, where they count."""


@dataclass(frozen=True)
class Table:
    """Rank and evidence of each request with each asset, and the asset that comes first with its rivals."""

    known_by: KnownBy
    rank: Matrix
    evidence: Matrix
    words: Matrix
    thin: float
    fits: NDArray[np.bool_]
    names: list[str]
    scopes: list[str]
    best: NDArray[np.intp]
    lead: Matrix
    behind: Matrix
    """How far the rivals, and the first itself, are behind the first."""

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether the first asset is right."""
        return _at(self.fits, self.best)

    def closeness(self) -> list[Closeness]:
        """That of the first asset of each request."""
        pairs = zip(_at(self.evidence, self.best).tolist(), _at(self.words, self.best).tolist(), strict=True)
        return [Closeness(0.0, evidence, self.thin, False, words, self.known_by) for evidence, words in pairs]

    def features(self, *, with_lead: bool) -> Matrix:
        evidence, thin = _at(self.evidence, self.best), np.full(len(self.best), self.thin)
        ahead = [self.lead] if with_lead else []
        return np.column_stack([evidence, *ahead, thin, evidence * thin, _at(self.words, self.best)])


def compared(trial: Trial, phrases: int, embed: Embed, second: Embed | None = None) -> Compared:
    keys = list(trial.library)
    texts = [[trial.library[key].card, *trial.library[key].phrases[:phrases]] for key in keys]
    vectors = [embed(one) for one in texts]
    made = [prototype(one) for one in vectors]
    asked = embed([one.text for one in trial.requests]).astype(np.float64)
    cosine = asked @ np.stack([one.vector for one in made]).T
    return Compared(
        known_by=trial.known_by or KnownBy.description,
        cosine=cosine,
        nearest=np.stack([(asked @ one.T).max(axis=1) for one in vectors], axis=1) if phrases else cosine,
        lexical=_lexical([stems(one.text) for one in trial.requests], [words_of(one) for one in texts]),
        cohesion=[one.cohesion for one in made],
        members=max(len(one) for one in texts),
        fits=np.array([[key in one.fits for key in keys] for one in trial.requests]),
        names=[trial.library[key].name for key in keys],
        scopes=[one.scope for one in trial.requests],
        second=_by_second(trial, second) if second and not phrases else None,
    )


def _by_second(trial: Trial, embed: Embed) -> Matrix:
    asked = embed([one.text for one in trial.requests]).astype(np.float64)
    return asked @ embed([one.card for one in trial.library.values()]).T


def only(of: Compared, kept: NDArray[np.bool_]) -> Compared:
    """The same library, asked some of the requests."""
    return replace(
        of,
        cosine=of.cosine[kept],
        nearest=of.nearest[kept],
        lexical=of.lexical[kept],
        fits=of.fits[kept],
        scopes=[scope for scope, one in zip(of.scopes, kept.tolist(), strict=True) if one],
        second=None if of.second is None else of.second[kept],
    )


def usual_cohesion(several: Sequence[Compared]) -> float:
    """The mean cohesion of assets with all their phrases."""
    most = max(one.members for one in several)
    return float(
        np.mean([value for one in several if one.members == most for value in one.cohesion if value is not None])
    )


def table(of: Compared, shape: Shape, usual: float) -> Table:
    levels = np.array([level(of.members, cohesion, usual) for cohesion in of.cohesion])
    cosine, nearest = of.cosine, of.nearest
    if of.second is not None and shape.second:
        cosine = nearest = together(of.cosine, of.second, shape)
    rank = rank_of(cosine, nearest, of.lexical * words_weight(1 / of.members, shape), levels)
    evidence = evidence_of(cosine, nearest, levels)
    best = rank.argmax(axis=1)
    # Assets of one name are one: what is called as the first is no rival of it.
    names = np.array(of.names)
    others = np.where((names[None, :] == names[best][:, None]) & (np.arange(len(names)) != best[:, None]), -9.0, rank)
    ordered = np.sort(others, axis=1)[:, -(RIVALS + 1) :]
    behind = ordered[:, -1:] - ordered
    leads = -np.log(np.exp(-behind / shape.temperature).sum(axis=1))
    words = words_told(of.lexical, of.known_by)
    return Table(of.known_by, rank, evidence, words, 1 / of.members, of.fits, of.names, of.scopes, best, leads, behind)


def unfitted(shape: Shape, usual: float) -> Calibration:
    """Constants with which everything is even."""
    led = Line((0.0,) * 5, 0.0)
    flat = Judgement(shape, Line((1.0, 0.0), 0.0), Line((0.0,) * 4, 0.0), led, led, Bounds(((1.0, 0.0),)), EVEN)
    kinds: Mapping[KnownBy, Judgement] = dict.fromkeys(KnownBy, flat)
    return Calibration("", usual, Line((0.0,), 0.0), Line((1.0,), 0.0), 1.0, kinds)


def judge(of: Table, fitted: Calibration) -> list[Judged]:
    """The decisions on a table's requests, as `decide` takes them when nothing but text is given."""
    judgement, count = fitted.kinds[of.known_by], of.behind.shape[1] - 1
    shares = (1 / np.exp(-SPLIT * judgement.semantic.weights[0] * of.behind).sum(axis=1)).tolist()
    behind = (Rivals(lead, share, count) for lead, share in zip(of.lead.tolist(), shares, strict=True))
    found: list[Judged] = []
    rows = zip(of.scopes, of.right.tolist(), _within_five(of), of.closeness(), behind, strict=True)
    for scope, right, five, close, rivals in rows:
        chance = chances(close, rivals, fitted)
        plausible = alone(close, fitted) >= PLAUSIBLE
        outcome = _told(chance.any >= judgement.nothing.at(of.thin) and plausible, chance.first > judgement.match)
        found.append(Judged(scope, right, chance.first, chance.any, five, outcome))
    return found


def _told(fits: bool, matches: bool) -> Outcome:
    return Outcome.nothing_fits if not fits else Outcome.match if matches else Outcome.ask


def _within_five(of: Table) -> list[bool]:
    found: list[bool] = []
    for row, fits in zip(of.rank, of.fits, strict=True):
        places: list[int] = np.argsort(-row, kind="stable")[: 8 * FIVE].tolist()
        names = list(dict.fromkeys(of.names[place] for place in places))[:FIVE]
        right = {of.names[place] for place in np.flatnonzero(fits).tolist()}
        found.append(any(name in right for name in names))
    return found


def _at(matrix: NDArray[Value], places: NDArray[np.intp]) -> NDArray[Value]:
    return matrix[np.arange(len(places)), places]


def _lexical(asked: Sequence[frozenset[str]], known: Sequence[Sequence[str]]) -> Matrix:
    columns: dict[str, Matrix] = {}
    for place, words in enumerate(known):
        for stem in words:
            columns.setdefault(stem, np.zeros(len(known)))[place] = 1.0
    found = np.zeros((len(asked), len(known)))
    for row, words in enumerate(asked):
        for stem in words & columns.keys():
            found[row] += weight(stem) * columns[stem]
        found[row] /= sum(map(weight, words)) or 1
    return found
