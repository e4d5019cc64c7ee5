"""How like a request an asset is, from the two alone and constants frozen in this version.

Two numbers are made of the same likeness. `rank` orders assets. `evidence` says how good the likeness is for this
asset: an asset whose phrases are all alike must be met closely, one whose phrases range widely need not.
Whoever changes a constant here, or fits anew, gives the ranker a new version.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from service.matching.calibration import Calibration, Shape
from service.matching.records import Likeness

NAME = "tasklore.matching"
VERSION = "1"

Number = TypeVar("Number", float, NDArray[np.float64])

NEAREST = 0.4
LEVEL_IN_RANK = 0.3
LEVEL_IN_EVIDENCE = 1.1
USUAL_COHESION_COUNTS = 2
RIVALS = 5


@dataclass(frozen=True, slots=True)
class Closeness:
    """`logit` orders assets; `evidence` and `thin` go into probabilities. `guessed`: there was no current vector."""

    logit: float
    evidence: float
    thin: float
    guessed: bool

    @property
    def semantic(self) -> float:
        return logistic(self.logit)


def closeness(likeness: Likeness, fitted: Calibration) -> Closeness:
    cosine, nearest, guessed = _cosines(likeness, fitted)
    usual = level(likeness.members, likeness.cohesion, fitted.usual_cohesion)
    thin = 1 / max(1, likeness.members)
    rank = rank_of(cosine, nearest, likeness.lexical, usual, fitted.shape)
    evidence = evidence_of(cosine, nearest, likeness.lexical, usual, fitted.shape)
    return Closeness(fitted.semantic.at(rank, thin), evidence, thin, guessed)


def rank_of(cosine: Number, nearest: Number, lexical: Number, usual: Number, shape: Shape) -> Number:
    return cosine + NEAREST * nearest + shape.lexical_rank * lexical - LEVEL_IN_RANK * usual


def evidence_of(cosine: Number, nearest: Number, lexical: Number, usual: Number, shape: Shape) -> Number:
    return cosine + NEAREST * nearest + shape.lexical_evidence * lexical - LEVEL_IN_EVIDENCE * usual


def level(members: int, cohesion: float | None, usual: float) -> float:
    """The cosine that a text of the same kind has with the mean of so many members.

    With r the mean cosine of two such texts, the mean of n has length sqrt((1 + (n - 1) r) / n). What is known of r
    from few members is mixed with what is usual.
    """
    pairs = min(members, members * (members - 1) // 2)
    known = cohesion if cohesion is not None else usual
    r = max(0.0, (known * pairs + usual * USUAL_COHESION_COUNTS) / (pairs + USUAL_COHESION_COUNTS))
    n = max(1, members)
    return r * math.sqrt(n / (1 + (n - 1) * r))


def alone(close: Closeness, fitted: Calibration, adjusted: float = 0.0) -> float:
    """The probability that the asset is what was asked for, as far as it can be told without looking at others."""
    return logistic(fitted.alone.at(close.evidence, close.thin, close.evidence * close.thin) + adjusted)


def confidence(best: Closeness, lead: float, fitted: Calibration, adjusted: float = 0.0) -> float:
    """The probability that the best asset is what was asked for. `lead` says how far the others are behind."""
    at = fitted.decision.at(best.evidence, lead, best.thin, best.evidence * best.thin)
    return logistic(at + adjusted)


def lead(logits: Sequence[float], fitted: Calibration) -> float:
    """0 when the first leads by far, below 0 the closer the next ones come. Those far behind change nothing."""
    first, *others = sorted(logits, reverse=True)[: RIVALS + 1]
    heat = fitted.shape.temperature * fitted.semantic.weights[0]
    return -math.log1p(sum(math.exp((other - first) / heat) for other in others))


def logistic(logit: float) -> float:
    if logit >= 0:
        return 1 / (1 + math.exp(-min(logit, 700)))
    return 1 - 1 / (1 + math.exp(max(logit, -700)))


def _cosines(likeness: Likeness, fitted: Calibration) -> tuple[float, float, bool]:
    if likeness.cosine is not None:
        nearest = likeness.nearest if likeness.nearest is not None else likeness.cosine
        return likeness.cosine, nearest, False
    guess = fitted.guess.at(likeness.lexical)
    return guess, guess, True
