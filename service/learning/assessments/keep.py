"""Keeping an assessment: the record, its findings with what shows them, the changes and signals that they give."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graph_schema.learning.assessment_words import FindingTone
from graph_schema.learning.proposal_words import ProposalOrigin
from graph_schema.learning.words import SignalOrigin
from graph_schema.memory.extraction import ExtractionReason
from graph_schema.model.fields import NAME_LENGTH, DataClass
from service.access.audience import Access, strictest
from service.commands import RecordRef, State, Work
from service.errors import TaskloreError
from service.learning.assessments.actions import keep_action
from service.learning.assessments.cases import keep_case
from service.learning.assessments.examine import Examined
from service.learning.assessments.found import Finding, Found, Shown
from service.learning.assessments.names import SOURCE, case_ref
from service.learning.errors import ChangesNothing, FindingUnsupported, NotWanted, ProposedAlready, RejectedBefore
from service.learning.proposals.inputs import ProposalInput
from service.learning.proposals.propose import origin_of, propose, refs_of
from service.learning.signals.emit import emit
from service.memory.extraction.commands import queue_once

STARTED, COMPLETED = "task.assessment.started", "task.assessment.completed"


@dataclass(frozen=True, slots=True)
class Whole:
    """What is kept of an assessment beside its findings. `signals`: what each of its signals says beside its kind."""

    name: str
    values: Mapping[str, Any]
    of: Sequence[str]
    """What it is of, or as much of that as says who may see it."""
    reviewed: Sequence[str] = ()
    """All that it is of, where that is more."""
    signal_values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    rests_on: Sequence[str] = ()
    """What it was read from beside what shows its findings: it is as closed as that, too."""
    case: Mapping[str, Any] | None = None
    """What a case of design made of it would say, where enough is known for one."""
    signal_key: str = ""
    """What the keys of its signals begin with: the same is signalled once, however often it is assessed."""

    def with_values(self, more: Mapping[str, Any]) -> "Whole":
        return replace(self, values={**self.values, **more})


def reads(examined: Examined, whole: Whole) -> list[RecordRef]:
    """All records that keeping it asks for."""
    found = [one.found for one in examined.findings]
    shown = [record for one in found if one.shows for record in one.shows.on]
    ids = [
        *whole.of,
        *whole.rests_on,
        *(each for one in found for each in one.evidence),
        *shown,
        *(one.goal_id for one in examined.goals),
    ]
    cases = [case_ref(whole.case["key"])] if whole.case else []
    named = [ref for one in found for action in one.actions for ref in refs_of(action)]
    signals = [signal_ref(whole, one, one.shows) for one in found if one.shows and whole.signal_key]
    return [*(RecordRef(id=one) for one in dict.fromkeys(ids)), *dict.fromkeys(named), *dict.fromkeys(signals), *cases]


def signal_ref(whole: Whole, one: Found, shown: Shown) -> RecordRef:
    where = f"{one.module_key or ''}/{one.activation_seq or ''}/{shown.subject or ''}/{','.join(shown.on)}"
    return RecordRef(kind="Signal", source=SOURCE, key=f"{whole.signal_key}/{shown.kind.value}/{where}"[:500])


async def keep(work: Work, examined: Examined, whole: Whole, *, proposing: bool) -> tuple[State, list[str]]:
    """The assessment, and what kept a suggested change from being proposed."""
    known = _states(work, examined)
    heads = [work.existing(RecordRef(id=one), "of") for one in whole.of]
    sources = [*{Access.of(one.properties): one for one in (*heads, *known.values())}.values()]
    values = {
        **whole.values,
        **_own_access(work, whole.rests_on),
        "name": whole.name[:NAME_LENGTH],
        "outcome_summary": examined.outcome,
        "quality_score": examined.score,
        "finding_count": len(examined.findings),
        "strength_count": examined.count(FindingTone.strength),
        "problem_count": examined.count(FindingTone.problem),
        "missing": [*examined.missing],
        "evidence_hash": examined.hash,
        "assessed_at": work.at,
        "assessed_by": work.viewer.principal_id,
    }
    made = work.create(work.registry.types["Assessment"], _present(values), sources)
    work.fan(made, "ASSESSES", [(one, {}) for one in whole.reviewed or [head.id for head in heads]])
    for goal in examined.goals:
        if goal.goal_id in known:
            work.link(made, "EVALUATED_GOAL", known[goal.goal_id], {"effect": goal.effect, "because": goal.because})
    work.event(STARTED, made)
    refused: list[str] = []
    place = 0
    for position, one in enumerate(examined.findings, 1):
        shown = [known[each] for each in one.found.evidence if each in known]
        finding = _finding(work, one, position, shown, sources)
        work.link(made, "FOUND", finding)
        for action in one.found.actions:
            place += 1
            kept = keep_action(work, finding, place, action)
            refused += await _suggest(work, finding, kept, one, action) if proposing else []
        _signal(work, whole, one)
    if proposing and whole.case:
        keep_case(
            work,
            whole.case,
            made,
            heads,
            [one for one in known.values() if one.type.label == "Artifact"],
            taught=[(one.found.teaches, one.found.evidence) for one in examined.findings if one.found.teaches],
            goals=[known[one.goal_id] for one in examined.goals if one.goal_id in known],
        )
    await _queue(work, examined, heads)
    work.event(COMPLETED, made, problems=values["problem_count"], findings=values["finding_count"])
    return made, refused


async def _queue(work: Work, examined: Examined, heads: Sequence[State]) -> None:
    """Runs of which something can be learned are worth a closer look, once for each reason."""
    found = {
        ExtractionReason.flagged_high_value: any(one.found.teaches for one in examined.findings),
        ExtractionReason.failure_or_learning_signal: any(one.found.shows for one in examined.findings),
    }
    for head in (one for one in heads if one.type.label == "Run"):
        for reason in (reason for reason, holds in found.items() if holds):
            await queue_once(work, head, reason)


def _own_access(work: Work, ids: Sequence[str]) -> dict[str, Any]:
    """Its own, not inherited: no link leads to these, and findings may tell of them."""
    read = [state.properties for one in ids if (state := work.find(RecordRef(id=one), "of")) is not None]
    data_class = strictest([DataClass.internal, *(one["data_class"] for one in read)]).value
    return {"data_class": data_class, "matter_ids": sorted({matter for one in read for matter in one["matter_ids"]})}


def _states(work: Work, examined: Examined) -> dict[str, State]:
    """What shows the findings, as far as it is still there."""
    ids = [each for one in examined.findings for each in one.found.evidence]
    found = {
        one: work.find(RecordRef(id=one), "evidence") for one in (*ids, *(goal.goal_id for goal in examined.goals))
    }
    return {key: state for key, state in found.items() if state is not None}


def _finding(work: Work, one: Finding, position: int, shown: Sequence[State], sources: Iterable[State]) -> State:
    if not shown:
        raise FindingUnsupported(one.found.statement)
    values = {
        "name": f"{one.kind.value.replace('_', ' ')}: {one.found.statement}"[:NAME_LENGTH],
        "position": position,
        "finding_kind": one.kind.value,
        "portfolio_issue": one.found.issue.value if one.found.issue else None,
        "tone": one.found.tone.value,
        "severity": one.found.severity.value,
        "rule": one.rule,
        "statement": one.found.statement,
        "better": one.found.better,
        "code": one.found.code,
        "module_key": one.found.module_key,
        "activation_seq": one.found.activation_seq,
    }
    made = work.create(work.registry.types["AssessmentFinding"], _present(values), sources)
    for state in shown:
        work.link(made, "EVIDENCED_BY", state)
    return made


async def _suggest(work: Work, finding: State, kept: State | None, one: Finding, action: ProposalInput) -> list[str]:
    """A recommended change as a proposal that waits. A known one is linked; what cannot be proposed is told."""
    try:
        rule = None if origin_of(work) is ProposalOrigin.agent else one.rule
        origin = ProposalOrigin.rule if rule else ProposalOrigin.agent
        made = await propose(work, action, origin, rule, found=[finding])
    except ProposedAlready as error:
        work.link_id(finding, "SUGGESTS", str(error.facts["proposal_id"]))
        return []
    except (RejectedBefore, NotWanted, ChangesNothing):
        return []
    except TaskloreError as error:
        return [f"{one.found.statement} {error.one_line()}"]
    work.link(finding, "SUGGESTS", made)
    if kept is not None:
        work.link(kept, "PROPOSED_AS", made)
    return []


def _signal(work: Work, whole: Whole, one: Finding) -> None:
    shown = one.found.shows
    if shown is None or not whole.signal_key:
        return
    ref = signal_ref(whole, one.found, shown)
    if work.find(ref, "signal") is not None:
        return
    on = [state for each in (*whole.of[:1], *shown.on) if (state := work.find(RecordRef(id=each), "about")) is not None]
    values = {
        **whole.signal_values,
        "source": ref.source,
        "source_key": ref.key,
        "subject_key": shown.subject,
        "summary": one.found.statement,
        "source_module_id": one.found.module_key,
    }
    emit(work, SignalOrigin.assessment, {state.id: state for state in on}.values(), values, kind=shown.kind)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
