"""How a run went, by what does not look right about it and by how it ended."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graph_schema.learning.assessment_words import FindingKind, FindingSeverity, FindingTone
from graph_schema.learning.words import DesignSignalKind
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Found, Rule, Shown
from service.memory.views.anomalies import AnomalyCode, RunAnomaly, find
from service.memory.views.words import counted, sentence

_S, _A = FindingSeverity, AnomalyCode


@dataclass(frozen=True, slots=True)
class Weight:
    """How much an anomaly weighs, and what would be better."""

    severity: FindingSeverity
    better: str


EXECUTION: Mapping[AnomalyCode, Weight] = {
    _A.operation_retried: Weight(_S.note, "See why the first try failed; a retry that is always needed is a delay."),
    _A.fallback_used: Weight(
        _S.minor, "Name a model that is there, or one whose results the step is known to do with."
    ),
    _A.operation_failed: Weight(_S.minor, "Let the step say what it does when this fails."),
    _A.step_failed: Weight(_S.major, "Mend what made it fail, or give the graph a way around it."),
    _A.policy_blocked: Weight(_S.minor, "Ask for the approval before the run, or leave the action out of the graph."),
    _A.delivery_failed: Weight(
        _S.major, "Say what happens when it cannot be delivered: a retry, a person, another way."
    ),
    _A.delivery_conflict: Weight(_S.major, "Give each side effect an idempotency key of its own."),
    _A.delivered_by_failed_run: Weight(_S.critical, "Put a gate before what leaves the house."),
    _A.delivered_by_failed_step: Weight(_S.critical, "Deliver after the step has done its work."),
    _A.fork_policy_broken: Weight(_S.critical, "Have the executor honour the fork's policy on side effects."),
    _A.fork_key_reused: Weight(_S.major, "Give a fork's side effects keys of their own."),
    _A.open_after_end: Weight(_S.minor, "Have the executor end its steps before the run."),
    _A.gate_overdue: Weight(_S.minor, "Tell somebody in time, or say what happens after the deadline."),
    _A.named_not_reported: Weight(_S.note, "Report the step itself, so that it can be assessed."),
}
"""What is an anomaly of a run is a finding about how it went. Others belong to other kinds, or to reports."""


def anomalies(about: Assessed) -> Iterator[Found]:
    """One finding for each kind and step, with all records that show it."""
    grouped: dict[tuple[str, str | None, int | None], list[RunAnomaly]] = {}
    for one in find(about.index):
        if one.code in EXECUTION:
            grouped.setdefault((one.code, one.module_key, one.activation_seq), []).append(one)
    for (code, module_key, seq), each in grouped.items():
        weight = EXECUTION[AnomalyCode(code)]
        more = f" And {counted(len(each) - 1, 'more of the kind', 'more of the kind')}." if len(each) > 1 else ""
        ordered = sorted(each, key=lambda one: (one.message, one.about_id))
        yield Found(
            statement=ordered[0].message + more,
            evidence=tuple(one.about_id for one in ordered),
            severity=weight.severity,
            better=weight.better,
            module_key=module_key,
            activation_seq=seq,
        )


def failed(about: Assessed) -> Iterator[Found]:
    """A run that failed or was cancelled did not do what it was for."""
    run = about.index.run
    if run.status not in {"failed", "cancelled"}:
        return
    why = sentence(run.failure_summary or run.failure_code or "No reason was reported")
    steps = sorted(one.id for one in about.index.steps if one.status == "error")
    yield Found(
        statement=f"The run {'failed' if run.status == 'failed' else 'was cancelled'}. {why}",
        evidence=(run.id, *steps),
        severity=_S.critical if run.status == "failed" else _S.major,
        better="Fork it behind the last good step once the cause is mended.",
        module_key=run.failed_module_key,
        shows=_shown(about, DesignSignalKind.graph_pattern_failure) if run.status == "failed" else None,
    )


def ended_well(about: Assessed) -> Iterator[Found]:
    run = about.index.run
    if run.status != "completed" or any(one.status == "error" for one in about.index.steps):
        return
    steps = counted(len(about.index.steps), "step")
    yield Found(
        statement=f"The run was completed; {steps}, none of which failed.",
        evidence=(run.id,),
        tone=FindingTone.strength,
        severity=_S.note,
        shows=_shown(about, DesignSignalKind.graph_pattern_success),
    )


def repeated(about: Assessed) -> Iterator[Found]:
    """A module that went round more often than others teaches what its loop is for."""
    rounds: dict[str, list[str]] = {}
    for one in about.index.steps:
        if one.loop_iteration is not None:
            rounds.setdefault(one.module_key, []).append(one.id)
    for key, ids in sorted(rounds.items()):
        if len(ids) >= LOOPED:
            yield Found(
                statement=f"{key} went round {len(ids):,} times.",
                evidence=tuple(sorted(ids)),
                better="Say when the loop is done, so that the last rounds are not for nothing.",
                module_key=key,
            )


LOOPED = 5
"""Rounds of a loop from which somebody should look whether they are all needed."""


def _shown(about: Assessed, kind: DesignSignalKind) -> Shown | None:
    on = [one for one in (about.template.id if about.template else None, about.task.id if about.task else None) if one]
    return Shown(kind, tuple(on)) if on else None


RULES = (
    Rule("run_failed", 1, FindingKind.execution, failed),
    Rule("run_ended_well", 1, FindingKind.execution, ended_well),
    Rule("run_anomalies", 1, FindingKind.execution, anomalies),
    Rule("loop_went_round", 1, FindingKind.execution, repeated),
)
