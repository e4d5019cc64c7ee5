"""How good answers are: figures over requests whose right answer is known, requests with none among them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 10
KEPT = 0.95


@dataclass(frozen=True, slots=True)
class Judged:
    """One answered request: `scope` is in, near or far; `right` says whether the first asset was the right one.

    `confidence` is how sure the matcher was of the first, `fits` how sure that anything fits.
    """

    scope: str
    right: bool
    confidence: float
    fits: float


@dataclass(frozen=True, slots=True)
class Bin:
    confidence: float
    right: float
    count: int


@dataclass(frozen=True, slots=True)
class Figures:
    """None: there were no requests of that kind."""

    accuracy: float
    auroc_near: float | None
    auroc_far: float | None
    fits_near: float | None
    fits_far: float | None
    nothing_fits_near: float | None
    nothing_fits_far: float | None
    calibration_error: float
    calibration_error_without_far: float

    def lines(self) -> list[str]:
        shown = (
            ("accuracy, in-scope requests", self.accuracy),
            ("AUROC, in against near", self.auroc_near),
            ("AUROC, in against far", self.auroc_far),
            ("AUROC of any_fits, in against near", self.fits_near),
            ("AUROC of any_fits, in against far", self.fits_far),
            ("recall of nothing fits at 95 % kept, near", self.nothing_fits_near),
            ("recall of nothing fits at 95 % kept, far", self.nothing_fits_far),
            ("expected calibration error", self.calibration_error),
            ("expected calibration error, without far", self.calibration_error_without_far),
        )
        return [f"{name:44s} {'-' if value is None else f'{value:.3f}'}" for name, value in shown]


def figures(judged: Sequence[Judged]) -> Figures:
    sure, fits = _by_scope(judged, lambda one: one.confidence), _by_scope(judged, lambda one: one.fits)
    inside = [one.right for one in judged if one.scope == "in"]
    return Figures(
        accuracy=float(np.mean(inside)) if inside else 0.0,
        auroc_near=auroc(sure["in"], sure["near"]),
        auroc_far=auroc(sure["in"], sure["far"]),
        fits_near=auroc(fits["in"], fits["near"]),
        fits_far=auroc(fits["in"], fits["far"]),
        nothing_fits_near=refused(fits["in"], fits["near"]),
        nothing_fits_far=refused(fits["in"], fits["far"]),
        calibration_error=calibration_error(judged),
        calibration_error_without_far=calibration_error([one for one in judged if one.scope != "far"]),
    )


def mean_of(several: Sequence[Figures]) -> Figures:
    return Figures(
        accuracy=_mean([one.accuracy for one in several]) or 0.0,
        auroc_near=_mean([one.auroc_near for one in several]),
        auroc_far=_mean([one.auroc_far for one in several]),
        fits_near=_mean([one.fits_near for one in several]),
        fits_far=_mean([one.fits_far for one in several]),
        nothing_fits_near=_mean([one.nothing_fits_near for one in several]),
        nothing_fits_far=_mean([one.nothing_fits_far for one in several]),
        calibration_error=_mean([one.calibration_error for one in several]) or 0.0,
        calibration_error_without_far=_mean([one.calibration_error_without_far for one in several]) or 0.0,
    )


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


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
