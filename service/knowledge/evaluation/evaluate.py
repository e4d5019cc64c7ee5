"""Scoring proposals against the suite. Pure: the same proposals and the same catalogue give the same."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.model.fields import TEXT_LENGTH
from service.knowledge.evaluation.proposals import EvalProposal, Scored
from service.knowledge.evaluation.scorers import SCORERS, TAUGHT, Scorer
from service.knowledge.evaluation.suite import Example, Suite

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCheck:
    """A check of the suite: one thing that an example expects."""

    example: Annotated[str, "The example."]
    scorer: Annotated[Scorer, "What was looked at."]
    met: Annotated[bool, "Whether it is as expected."]
    why: Annotated[str, "What is not; empty where all is."]

    @property
    def name(self) -> str:
        return f"{self.example} {self.scorer.value}"

    def told(self) -> str:
        return f"{self.name}: {self.why}"[:TEXT_LENGTH]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalReport:
    """What the suite says of proposals."""

    suite: Annotated[str, "Name and version of the suite."]
    checks: Annotated[tuple[EvalCheck, ...], "All checks, example by example."]

    @property
    def passed(self) -> Annotated[bool, "Whether every check is met."]:
        return bool(self.checks) and all(one.met for one in self.checks)

    @property
    def met(self) -> Annotated[int, "Checks that are met."]:
        return sum(one.met for one in self.checks)

    @property
    def failures(self) -> tuple[str, ...]:
        return tuple(one.told() for one in self.checks if not one.met)

    def scores(self) -> dict[str, list[int]]:
        """Checks met and made, of each scorer."""
        made, met = Counter(one.scorer for one in self.checks), Counter(one.scorer for one in self.checks if one.met)
        return {one.value: [met[one], made[one]] for one in Scorer if made[one]}


def evaluate(suite: Suite, proposals: Iterable[EvalProposal], types: Sequence[Row]) -> EvalReport:
    """Every example of the suite: one that nothing was proposed for meets nothing."""
    given = {one.example: one for one in proposals}
    checks: list[EvalCheck] = []
    for example in suite.examples:
        told = given.get(example.key)
        checks += _checks(example, Scored(told, types), SCORERS) if told else _none(example)
    return EvalReport(suite=suite.name, checks=tuple(checks))


def taught(suite: Suite, graphs: Mapping[str, EvalProposal], types: Sequence[Row]) -> EvalReport:
    """What the worked examples of a pack teach, held to the examples that they answer."""
    checks: list[EvalCheck] = []
    for example in suite.examples:
        if example.taught_by is not None and example.taught_by in graphs:
            checks += _checks(example, Scored(graphs[example.taught_by], types), TAUGHT)
    return EvalReport(suite=suite.name, checks=tuple(checks))


def regressions(before: Collection[str], now: EvalReport, known: Collection[str]) -> tuple[str, ...]:
    """Checks that were met and are not now. `before`: the names of those that were not; `known`: of all there were."""
    return tuple(one.told() for one in now.checks if not one.met and one.name in known and one.name not in before)


def _checks(example: Example, given: Scored, scorers: Iterable[Scorer]) -> list[EvalCheck]:
    found: list[EvalCheck] = []
    for scorer in (one for one in Scorer if one in scorers):
        why = SCORERS[scorer](example.expect, given)
        if why is not None:
            found.append(EvalCheck(example=example.key, scorer=scorer, met=not why, why=why))
    return found


_SCORED = {
    "template": Scorer.template_reuse,
    "modules": Scorer.module_choice,
    "cables": Scorer.port_routing,
    "context": Scorer.context_routing,
    "capabilities": Scorer.capability_binding,
    "artifact_level": Scorer.artifact_policy,
    "gated": Scorer.side_effect_safety,
    "preflight": Scorer.preflight_quality,
    "questions": Scorer.question_quality,
    "prefers": Scorer.preference_alignment,
    "explanation": Scorer.explanation_clarity,
    "behaviour": Scorer.behaviour,
}


def _none(example: Example) -> list[EvalCheck]:
    return [
        EvalCheck(example=example.key, scorer=_SCORED[one], met=False, why="nothing was proposed")
        for one in example.expect
    ]
