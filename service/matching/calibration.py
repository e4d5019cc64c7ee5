"""What was fitted on labelled requests, for each model: `python -m service.matching.evaluation.fit` makes the file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from service.matching.errors import ModelNotCalibrated

FILE = "calibration.json"


@dataclass(frozen=True, slots=True)
class Shape:
    """How the parts of likeness are weighed. Cosines of different models spread differently, so each has its own."""

    lexical_rank: float
    temperature: float


@dataclass(frozen=True, slots=True)
class Line:
    """A logistic line: weights of named features, and where it crosses."""

    weights: tuple[float, ...]
    offset: float

    def at(self, *features: float) -> float:
        return self.offset + sum(w * x for w, x in zip(self.weights, features, strict=True))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The constants of one model.

    Nothing fits when the probability that anything does is below `nothing`; the first is a match when it is right with
    a probability above `match`; between them the user is asked.
    """

    model: str
    shape: Shape
    usual_cohesion: float
    semantic: Line
    alone: Line
    decision: Line
    any: Line
    guess: Line
    nothing: float
    match: float


def calibration_for(model: str) -> Calibration:
    """The constants of a model, by `Embedder.key`."""
    known = _all()
    if model not in known:
        raise ModelNotCalibrated(model, sorted(known))
    return known[model]


def read(model: str, given: Mapping[str, Any]) -> Calibration:
    lines = {name: Line(tuple(given[name]["weights"]), given[name]["offset"]) for name in LINES}
    return Calibration(
        model,
        Shape(**given["shape"]),
        given["usual_cohesion"],
        nothing=given["nothing"],
        match=given["match"],
        **lines,
    )


LINES = ("semantic", "alone", "decision", "any", "guess")


@lru_cache(maxsize=1)
def _all() -> dict[str, Calibration]:
    text = resources.files("service.matching").joinpath(FILE).read_text(encoding="utf-8")
    return {model: read(model, given) for model, given in json.loads(text)["models"].items()}
