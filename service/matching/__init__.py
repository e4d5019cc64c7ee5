"""Which asset of the library fits a request, why, and why not the others. Pure: no database, no GraphQL."""

from service.cards.lexical import words_of
from service.cards.prototype import Prototype, prototype
from service.matching.calibration import Calibration, calibration_for
from service.matching.decide import decide
from service.matching.ranker import NAME, VERSION
from service.matching.records import Answer, Asset, Candidate, Directive, Likeness, Request
from service.matching.request import understood

__all__ = [
    "NAME",
    "VERSION",
    "Answer",
    "Asset",
    "Calibration",
    "Candidate",
    "Directive",
    "Likeness",
    "Prototype",
    "Request",
    "calibration_for",
    "decide",
    "prototype",
    "understood",
    "words_of",
]
