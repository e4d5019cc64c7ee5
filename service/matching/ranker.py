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

from service.matching.assets import Likeness
from service.matching.calibration import Calibration, KnownBy, Shape

NAME = "tasklore.matching"
VERSION = "10"

Number = TypeVar("Number", float, NDArray[np.float64])

NEAREST = 0.4
LEVEL_IN_RANK = 0.3
LEVEL_IN_EVIDENCE = 1.2
USUAL_COHESION_COUNTS = 2
RIVALS = 5
PLAUSIBLE = 0.05
"""An asset that is what was asked for with a lower probability, told from itself alone, is never offered."""

EVEN = 0.5
MOST_OF_LEAD = math.log((1 - PLAUSIBLE) / PLAUSIBLE)
"""What a lead adds to a logit at most: whatever has an even chance with it is plausible without it."""

SPLIT = 2.0
"""How fast assets that are nearly equal part: odds of two of them are at most so many times their logits apart."""


@dataclass(frozen=True, slots=True)
class Closeness:
    """`logit` orders assets; the other numbers go into probabilities. `guessed`: there was no current vector."""

    logit: float
    evidence: float
    thin: float
    guessed: bool
    words: float = 0.0
    known_by: KnownBy = KnownBy.phrases

    @property
    def semantic(self) -> float:
        return logistic(self.logit)


@dataclass(frozen=True, slots=True)
class Rivals:
    """What stands behind the first asset. `lead`: 0 when it leads by far, below 0 the closer the next ones come.

    `share` is the most that the first can claim when others are nearly equal, a half when one other is quite equal;
    `count` is how many there are.
    """

    lead: float
    share: float
    count: int


@dataclass(frozen=True, slots=True)
class Chances:
    """The probabilities that the first asset is what was asked for, and that any asset is."""

    first: float
    any: float


def closeness(likeness: Likeness, fitted: Calibration, known_by: KnownBy = KnownBy.phrases) -> Closeness:
    judgement = fitted.kinds[known_by]
    cosine, nearest = _cosines(likeness, fitted, judgement.shape)
    usual = level(likeness.members, likeness.cohesion, fitted.usual_cohesion)
    thin = 1 / max(1, likeness.members)
    rank = rank_of(cosine, nearest, likeness.lexical * words_weight(thin, judgement.shape), usual)
    evidence = evidence_of(cosine, nearest, usual)
    logit = judgement.semantic.at(rank, thin)
    guessed = likeness.cosine is None
    return Closeness(logit, evidence, thin, guessed, words_told(likeness.lexical, known_by), known_by)


def words_weight(thin: float, shape: Shape) -> float:
    """What words in common count: most where the card is all there is, little where there are phrases to be near to."""
    return shape.words_many + (shape.words_one - shape.words_many) * thin**3


def words_told(lexical: Number, known_by: KnownBy) -> Number:
    """Words in common as evidence. With phrases they tell assets apart, and little of whether any of them is meant."""
    return lexical * (known_by is not KnownBy.phrases)


def together(cosine: Number, second: Number, shape: Shape) -> Number:
    """The cosine by two models, each with its share."""
    return (1 - shape.second) * cosine + shape.second * second


def rank_of(cosine: Number, nearest: Number, words: Number, usual: Number) -> Number:
    return cosine + NEAREST * nearest + words - LEVEL_IN_RANK * usual


def evidence_of(cosine: Number, nearest: Number, usual: Number) -> Number:
    return cosine + NEAREST * nearest - LEVEL_IN_EVIDENCE * usual


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
    return logistic(_alone(close, fitted) + adjusted)


def chances(best: Closeness, rivals: Rivals, fitted: Calibration, adjusted: float = 0.0) -> Chances:
    """How sure one can be of the best asset, and that anything fits at all.

    That few rivals are far behind says little: the lines were fitted on libraries in which there are always enough. So
    what a lead adds counts by their share, and an asset that is all there is stands for itself. A tie is never won.
    """
    known = min(rivals.count, RIVALS) / RIVALS
    itself = _alone(best, fitted)
    judgement = fitted.kinds[best.known_by]
    features = (best.evidence, rivals.lead, best.thin, best.evidence * best.thin, best.words)
    gained = judgement.decision.at(*features) - itself
    first = itself + (gained if gained < 0 else min(MOST_OF_LEAD, known * gained))
    some = itself + max(0.0, known * (judgement.any.at(*features) - itself))
    return Chances(min(rivals.share, logistic(first + adjusted)), logistic(max(first, some) + adjusted))


def rivals(logits: Sequence[float], fitted: Calibration, known_by: KnownBy = KnownBy.phrases) -> Rivals:
    """Those far behind change nothing, once there are enough. `known_by` is of the first."""
    first, *others = sorted(logits, reverse=True)[: RIVALS + 1]
    judgement = fitted.kinds[known_by]
    heat = judgement.shape.temperature * judgement.semantic.weights[0]
    lead = -math.log1p(sum(math.exp((other - first) / heat) for other in others))
    share = 1 / (1 + sum(math.exp(SPLIT * (other - first)) for other in others))
    return Rivals(lead, share, len(others))


def logistic(logit: float) -> float:
    if logit >= 0:
        return 1 / (1 + math.exp(-min(logit, 700)))
    return 1 - 1 / (1 + math.exp(max(logit, -700)))


def _alone(close: Closeness, fitted: Calibration) -> float:
    line = fitted.kinds[close.known_by].alone
    return line.at(close.evidence, close.thin, close.evidence * close.thin, close.words)


def _cosines(likeness: Likeness, fitted: Calibration, shape: Shape) -> tuple[float, float]:
    """With the prototype and the nearest member. Where the card is all there is they are one, and of both models."""
    cosine = likeness.cosine if likeness.cosine is not None else fitted.guess.at(likeness.lexical)
    if shape.second:
        second = likeness.second if likeness.second is not None else fitted.second.at(cosine)
        cosine = together(cosine, second, shape)
        return cosine, cosine
    return cosine, likeness.nearest if likeness.cosine is not None and likeness.nearest is not None else cosine
