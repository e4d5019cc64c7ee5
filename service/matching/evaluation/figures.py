"""How good answers are: figures over requests whose right answer is known, requests with none among them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from graph_schema.library.words import MatchOutcome as Outcome
from service.matching.calibration import KnownBy

BINS = 10
KEPT = 0.95


@dataclass(frozen=True, slots=True)
class Judged:
    """One answered request: `scope` is in, near or far; `right` says whether the first asset was the right one.

    `confidence` is how sure the matcher was of the first, `fits` how sure that anything fits; `five` says whether one
    of the first five was right.
    """

    scope: str
    right: bool
    confidence: float
    fits: float
    five: bool = False
    outcome: Outcome = Outcome.ask
    known_by: KnownBy | None = None
    """By what the assets are known that fit it."""


@dataclass(frozen=True, slots=True)
class Bin:
    confidence: float
    right: float
    count: int


@dataclass(frozen=True, slots=True)
class Figures:
    """None: there were no requests of that kind."""

    accuracy: float
    five: float
    told_nothing: float | None
    told_match: float | None
    match_right: float | None
    outside_match: float | None
    auroc_near: float | None
    auroc_far: float | None
    fits_near: float | None
    fits_far: float | None
    nothing_fits_near: float | None
    nothing_fits_far: float | None
    calibration_error: float
    calibration_error_without_far: float

    def lines(self) -> list[str]:
        return [f"{NAMES[name]:56s} {_shown(getattr(self, name))}" for name in NAMES]


NAMES = {
    "accuracy": "right one first, requests that fit something",
    "five": "right one within five",
    "told_nothing": "that fit something, called nothing fits",
    "told_match": "that fit something, called match",
    "match_right": "called match, and right",
    "outside_match": "that fit nothing, called match",
    "auroc_near": "AUROC, in against near",
    "auroc_far": "AUROC, in against far",
    "fits_near": "AUROC of any_fits, in against near",
    "fits_far": "AUROC of any_fits, in against far",
    "nothing_fits_near": "recall of nothing fits at 95 % kept, near",
    "nothing_fits_far": "recall of nothing fits at 95 % kept, far",
    "calibration_error": "expected calibration error",
    "calibration_error_without_far": "expected calibration error, without far",
}


def figures(judged: Sequence[Judged]) -> Figures:
    sure, fits = _by_scope(judged, lambda one: one.confidence), _by_scope(judged, lambda one: one.fits)
    inside = [one for one in judged if one.scope == "in"]
    outside = [one for one in judged if one.scope != "in"]
    matched = [one for one in judged if one.outcome is Outcome.match]
    return Figures(
        accuracy=_share(inside, lambda one: one.right) or 0.0,
        five=_share(inside, lambda one: one.five) or 0.0,
        told_nothing=_share(inside, lambda one: one.outcome is Outcome.nothing_fits),
        told_match=_share(inside, lambda one: one.outcome is Outcome.match),
        match_right=_share(matched, lambda one: one.right),
        outside_match=_share(outside, lambda one: one.outcome is Outcome.match),
        auroc_near=auroc(sure["in"], sure["near"]),
        auroc_far=auroc(sure["in"], sure["far"]),
        fits_near=auroc(fits["in"], fits["near"]),
        fits_far=auroc(fits["in"], fits["far"]),
        nothing_fits_near=refused(fits["in"], fits["near"]),
        nothing_fits_far=refused(fits["in"], fits["far"]),
        calibration_error=calibration_error(judged),
        calibration_error_without_far=calibration_error([one for one in judged if one.scope != "far"]),
    )


def by_kind(judged: Sequence[Judged]) -> dict[str, Figures]:
    """The figures of what fits assets of each kind, with all that fits nothing beside; none where there is one kind."""
    kinds = sorted({one.known_by for one in judged if one.known_by is not None})
    some = {kind: [one for one in judged if one.known_by in (kind, None)] for kind in kinds}
    return {kind.value: figures(each) for kind, each in some.items()} if len(kinds) > 1 else {}


def mean_of(several: Sequence[Figures]) -> Figures:
    means = {one.name: _mean([getattr(each, one.name) for each in several]) for one in fields(Figures)}
    return Figures(**means)  # pyright: ignore[reportArgumentType] - those that are always there have a mean


def auroc(inside: NDArray[np.float64], outside: NDArray[np.float64]) -> float | None:
    """The probability that a request of the first kind has a higher confidence than one of the second."""
    if not len(inside) or not len(outside):
        return None
    ordered = np.sort(outside)
    below = np.searchsorted(ordered, inside, side="left")
    upto = np.searchsorted(ordered, inside, side="right")
    return float((below + upto).mean() / 2 / len(outside))


def refused(inside: NDArray[np.float64], outside: NDArray[np.float64]) -> float | None:
    """The share of out-of-scope requests below the confidence that 95 % of the in-scope ones reach."""
    if not len(inside) or not len(outside):
        return None
    return float((outside < np.quantile(inside, 1 - KEPT)).mean())


def bins(judged: Sequence[Judged]) -> list[Bin]:
    found: list[Bin] = []
    for number in range(BINS):
        some = [one for one in judged if min(BINS - 1, int(one.confidence * BINS)) == number]
        if some:
            sure = sum(one.confidence for one in some) / len(some)
            found.append(Bin(sure, sum(one.right for one in some) / len(some), len(some)))
    return found


def calibration_error(judged: Sequence[Judged]) -> float:
    """By how much confidence and the share of right answers differ on average, in ten bins."""
    return sum(one.count * abs(one.confidence - one.right) for one in bins(judged)) / max(1, len(judged))


def _by_scope(judged: Sequence[Judged], of: Callable[[Judged], float]) -> dict[str, NDArray[np.float64]]:
    return {scope: np.array([of(one) for one in judged if one.scope == scope]) for scope in ("in", "near", "far")}


def _share(several: Sequence[Judged], is_so: Callable[[Judged], bool]) -> float | None:
    return sum(is_so(one) for one in several) / len(several) if several else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
