"""What was fitted on labelled requests, for each model: `service.matching.evaluation.cli_fit` makes the file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import Any

from service.matching.errors import ModelNotCalibrated

FILE = "calibration.json"


@dataclass(frozen=True, slots=True)
class Shape:
    """How the parts of likeness are weighed. Cosines of different models spread differently, so each has its own.

    Words in common count `words_many` where an asset has many phrases, and `words_one` where its card is all there is.
    `second` is the share that the second model has in the cosine, where there is one.
    """

    words_many: float
    words_one: float
    temperature: float
    second: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A logistic line: weights of named features, and where it crosses."""

    weights: tuple[float, ...]
    offset: float

    def at(self, *features: float) -> float:
        return self.offset + sum(w * x for w, x in zip(self.weights, features, strict=True))


class KnownBy(StrEnum):
    """By what an asset is known to people who ask for it."""

    phrases = "phrases"
    description = "description"
    imported = "imported"


@dataclass(frozen=True, slots=True)
class Bounds:
    """A bound by how thin an asset's members are (1 / their number): known at some, on straight lines between them.

    With few phrases every probability is lower, so that one bound for all would say of more requests that nothing fits.
    """

    known: tuple[tuple[float, float], ...]

    def at(self, thin: float) -> float:
        before = max((one for one in self.known if one[0] <= thin), default=self.known[0])
        after = min((one for one in self.known if one[0] >= thin), default=self.known[-1])
        if before[0] == after[0]:
            return before[1]
        return before[1] + (after[1] - before[1]) * (thin - before[0]) / (after[0] - before[0])


@dataclass(frozen=True, slots=True)
class Judgement:
    """The constants for one kind of asset.

    Nothing fits when the probability that anything does is below `nothing`, which is lower where the first has few
    phrases; the first is a match when it is right with a probability above `match`; between them the user is asked.
    """

    shape: Shape
    semantic: Line
    alone: Line
    decision: Line
    any: Line
    nothing: Bounds
    match: float


@dataclass(frozen=True, slots=True)
class Models:
    """What compares meanings, by `Embedder.key`: a model, and perhaps a second one for what has no phrases."""

    first: str
    second: str | None = None

    @property
    def key(self) -> str:
        return f"{self.first}+{self.second}" if self.second else self.first


@dataclass(frozen=True, slots=True)
class Calibration:
    """The constants of a model, or of two together.

    `means` is the cosine from which a request says the same as a phrase. `guess` is the cosine that is usual with such
    words, `second` what the second model's is beside one of the first's: they stand in for vectors that are behind.
    """

    model: str
    usual_cohesion: float
    guess: Line
    second: Line
    means: float
    kinds: Mapping[KnownBy, Judgement]


def calibration_for(model: str) -> Calibration:
    """The constants of a model, or of two, by `Models.key`."""
    known = _all()
    if model not in known:
        raise ModelNotCalibrated(model, sorted(known))
    return known[model]


def read(model: str, given: Mapping[str, Any]) -> Calibration:
    return Calibration(
        model,
        given["usual_cohesion"],
        _line(given["guess"]),
        _line(given["second"]),
        given["means"],
        {kind: _judgement(given["kinds"][kind.value]) for kind in KnownBy},
    )


LINES = ("semantic", "alone", "decision", "any")


def _judgement(given: Mapping[str, Any]) -> Judgement:
    lines = {name: _line(given[name]) for name in LINES}
    nothing = Bounds(tuple((thin, bound) for thin, bound in given["nothing"]))
    return Judgement(Shape(**given["shape"]), **lines, nothing=nothing, match=given["match"])


def _line(given: Mapping[str, Any]) -> Line:
    return Line(tuple(given["weights"]), given["offset"])


@lru_cache(maxsize=1)
def _all() -> dict[str, Calibration]:
    text = resources.files("service.matching").joinpath(FILE).read_text(encoding="utf-8")
    return {model: read(model, given) for model, given in json.loads(text)["models"].items()}
