"""How well a saved task, and a direct answer, fit: calibrated probabilities, made from the evidence alone.

Weights come from `fits.json`, which `python -m service.routing.evaluation.cli_fit` writes. What speaks for a task never
has a weight below zero, and what speaks against one never above: so more of it never turns the answer round.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graph_schema.routing.decision_words import OpportunityLevel as Level
from service.routing.decision.grounds import Grounds
from service.routing.evidence.kinds import EXPLICIT
from service.routing.evidence.kinds import EvidenceKind as Kind

NAME = "tasklore.routing"
VERSION = "3"
DECIMALS = 6
FILE = Path(__file__).with_name("fits.json")

FOR: tuple[Kind, ...] = (
    Kind.recurrence, Kind.going_forward, Kind.trigger, Kind.watch_stream, Kind.background, Kind.gates, Kind.audit,
    Kind.depth, Kind.sources, Kind.red_team, Kind.many_outputs, Kind.output_alone, Kind.long_running, Kind.work,
    Kind.directive, Kind.accepted_before,
)  # fmt: skip
AGAINST: tuple[Kind, ...] = (
    Kind.quick, Kind.no_task, Kind.conversation, Kind.single_tool, Kind.creative, Kind.vague, Kind.plain_question,
    Kind.simple_ask, Kind.concept_question, Kind.watch_once, Kind.infrastructure, Kind.light_recurring,
    Kind.broken_order, Kind.other_language, Kind.refused_before, Kind.directive_against,
)  # fmt: skip
EXPLICITLY, TEMPLATE, BOTH = "explicit", "template", "template_and_process"


@dataclass(frozen=True, slots=True)
class Fits:
    task: float
    direct: float


@dataclass(frozen=True)
class Line:
    intercept: float
    weights: Mapping[str, float]

    def at(self, features: Mapping[str, float]) -> float:
        logit = self.intercept + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, logit)))), DECIMALS)


@dataclass(frozen=True)
class Calibration:
    """`high`, `medium` and `low` are the task fits from which a level begins."""

    task: Line
    direct: Line
    high: float
    medium: float
    low: float

    def level(self, task_fit: float) -> Level:
        if task_fit >= self.high:
            return Level.high
        if task_fit >= self.medium:
            return Level.medium
        return Level.low if task_fit >= self.low else Level.none


@cache
def calibration() -> Calibration:
    given = json.loads(FILE.read_text())
    return Calibration(Line(**given["task"]), Line(**given["direct"]), **given["levels"])


def features(grounds: Grounds) -> dict[str, float]:
    found = {kind.value: float(kind in grounds.kinds) for kind in (*FOR, *AGAINST)}
    found[EXPLICITLY] = float(bool(grounds.kinds & EXPLICIT))
    found[TEMPLATE] = grounds.template
    found[BOTH] = grounds.template * float(grounds.formal > 0)
    return found


def fits(grounds: Grounds, fitted: Calibration) -> Fits:
    known = features(grounds)
    return Fits(fitted.task.at(known), fitted.direct.at(known))
