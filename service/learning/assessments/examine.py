"""An assessment of a run, from its facts. Pure: the same facts, in any order, give the same assessment."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.learning.assessment_words import FindingSeverity, FindingTone, ObservedEffect
from graph_schema.model.fields import TEXT_LENGTH
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Finding, evidence_hash, found_by, quality
from service.learning.assessments.rules.every import RUN_RULES
from service.memory.views.evidence import (
    MissingEvidence,
    costs_missing,
    evidence,
    memory_missing,
    outputs_missing,
    spans_missing,
    steps_missing,
)
from service.memory.views.words import counted, listed

ENDS = {"completed": "Completed.", "failed": "Failed.", "cancelled": "Cancelled."}
LISTS = ("activations", "spans", "artifacts", "deliveries", "snapshots", "packets")


@dataclass(frozen=True, slots=True)
class GoalTold:
    """What became of a goal, and how that is known."""

    goal_id: str
    effect: ObservedEffect
    because: str


@dataclass(frozen=True, slots=True)
class Examined:
    """What came out of an assessment, before anything of it is kept."""

    findings: Sequence[Finding]
    outcome: str
    score: float | None
    missing: tuple[str, ...]
    goals: tuple[GoalTold, ...] = ()

    @property
    def hash(self) -> str:
        return evidence_hash(self.findings, self.outcome)

    def count(self, tone: FindingTone) -> int:
        return sum(one.found.tone is tone for one in self.findings)


def examine_run(about: Assessed) -> Examined:
    findings = found_by(RUN_RULES, about)
    score = quality(findings) if about.index.has_ended else None
    return Examined(findings, _outcome(about, findings), score, _missing(about), tuple(_goals(about, findings)))


def told(findings: Sequence[Finding]) -> str:
    """How much was found, in a sentence."""
    problems = [one.found for one in findings if one.found.tone is FindingTone.problem]
    strengths = sum(one.found.tone is FindingTone.strength for one in findings)
    if not problems:
        return f"Nothing was found against it; {counted(strengths, 'thing')} went well."
    worst = min((one.severity for one in problems), key=[*FindingSeverity].index)
    return f"{counted(len(problems), 'problem')}, the worst {worst.value}; {counted(strengths, 'thing')} went well."


def _outcome(about: Assessed, findings: Sequence[Finding]) -> str:
    """It names what a finding rests on, and nothing that may be closed to who sees the run; the rest it counts."""
    ended = ENDS.get(str(about.index.run.status), f"Still {about.index.run.status}.")
    shown = {each for one in findings for each in one.found.evidence}
    named = [one.name for one in about.finals if one.id in shown]
    what = listed(named) if len(named) == len(about.finals) else counted(len(about.finals), "final output")
    made = f"{what} made." if about.finals else "No final output is known."
    return f"{ended} {made} {told(findings)}"[:TEXT_LENGTH]


def _missing(about: Assessed) -> tuple[str, ...]:
    index = about.index
    gaps: list[MissingEvidence | None] = [
        steps_missing(index), spans_missing(index), outputs_missing(index), memory_missing(index), costs_missing(index),
    ]  # fmt: skip
    return tuple(one.message for one in evidence(index, LISTS, *gaps).missing)


def _goals(about: Assessed, findings: Sequence[Finding]) -> list[GoalTold]:
    serious = [one for one in findings if one.found.tone is FindingTone.problem and _weighs(one)]
    return [
        _goal(about, one.id, one.effect, serious) for one in sorted(about.index.facts.goals, key=lambda one: one.id)
    ]


def _weighs(one: Finding) -> bool:
    return one.found.severity in {FindingSeverity.critical, FindingSeverity.major}


def _goal(about: Assessed, goal_id: str, effect: str | None, serious: Sequence[Finding]) -> GoalTold:
    """Advanced is what the executor says so of; with serious problems, in part. What failed advanced nothing."""
    status, problems = about.index.run.status, counted(len(serious), "serious problem")
    if status == "failed":
        return GoalTold(goal_id, ObservedEffect.did_not_advance_goal, "The run failed.")
    if status != "completed" or effect is None:
        return GoalTold(goal_id, ObservedEffect.unknown, "Nobody reported what the run did for it.")
    if serious:
        because = f"The run is said to have {effect} it, with {problems}."
        return GoalTold(goal_id, ObservedEffect.partially_advanced_goal, because)
    return GoalTold(goal_id, ObservedEffect.advanced_goal, f"The run is said to have {effect} it.")
