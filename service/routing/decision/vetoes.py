"""What speaks against a saved task (§3C.7), and which modes each of it rules out. It always holds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import TaskVeto as Veto
from graph_schema.routing.words import InvocationPolicy as Policy
from service.routing.decision.grounds import Grounds
from service.routing.evidence.kinds import EXPLICIT, ModeEvidence
from service.routing.evidence.kinds import EvidenceKind as Kind

COMMANDS = frozenset({
    Policy.suggest_task, Policy.run_existing_task_after_confirmation, Policy.invoke_task_agent_for_design,
    Policy.invoke_task_agent_for_review,
})  # fmt: skip
"""What a taught phrase can ask for outright."""

_SUGGEST = frozenset({Mode.suggest_existing_saved_task})
_NEW = frozenset({Mode.invoke_task_agent_for_design, Mode.background_or_recurring_saved_task})
_BESIDE = frozenset({Mode.openclaw_background_subagent, Mode.ec_scheduled_job})
_RUN = frozenset({Mode.run_existing_saved_task})
_REVIEW = frozenset({Mode.invoke_task_agent_for_review})

RULES_OUT: dict[Veto, frozenset[Mode]] = {
    Veto.simple_single_turn_answer: _SUGGEST | _NEW | _BESIDE | _RUN | _REVIEW,
    Veto.single_tool_action: _SUGGEST | _NEW | _BESIDE | _RUN | _REVIEW,
    Veto.user_requested_quick_response: _SUGGEST | frozenset({Mode.openclaw_background_subagent}),
    Veto.primary_conversation_should_remain_direct: _SUGGEST | _NEW | _BESIDE | _RUN,
    Veto.task_overhead_exceeds_value: _SUGGEST | _NEW,
    Veto.user_recently_rejected_task_suggestion: _SUGGEST,
    Veto.low_stakes_non_repeatable: _SUGGEST | _NEW | _REVIEW,
    Veto.ambiguous_but_direct_answer_safe: _SUGGEST | frozenset({Mode.ask_clarifying_question}),
    Veto.native_openclaw_monitoring_sufficient: _SUGGEST | _NEW | _RUN,
    Veto.ec_scheduled_job_sufficient: _SUGGEST | _NEW | _RUN,
    Veto.no_matching_template: _SUGGEST,
    Veto.weak_template_match_only: _SUGGEST,
}


@dataclass(frozen=True, slots=True)
class Held:
    """A veto that holds, with the evidence for it."""

    veto: Veto
    evidence: tuple[ModeEvidence, ...]


TOLD: dict[Veto, str] = {
    Veto.simple_single_turn_answer: "an answer in one turn is all that is asked for",
    Veto.single_tool_action: "it is one action with a tool",
    Veto.user_requested_quick_response: "a quick answer is wanted",
    Veto.primary_conversation_should_remain_direct: "the conversation is to go on here",
    Veto.task_overhead_exceeds_value: "it would cost more than it gives",
    Veto.user_recently_rejected_task_suggestion: "such suggestions were refused before",
    Veto.low_stakes_non_repeatable: "little hangs on it, and it does not come again",
    Veto.ambiguous_but_direct_answer_safe: "what is wanted is open, and a direct answer does no harm",
    Veto.native_openclaw_monitoring_sufficient: "a helper on the side is enough",
    Veto.ec_scheduled_job_sufficient: "a scheduled job is enough",
    Veto.no_matching_template: "no saved template fits",
    Veto.weak_template_match_only: "the saved templates are only a little like it",
}
"""Each veto as it is said in a sentence."""


def vetoes(grounds: Grounds) -> tuple[Held, ...]:
    return tuple(Held(veto, found) for veto, holds in _HOLDS.items() if (found := (*holds(grounds),)))


def ruled_out(held: tuple[Held, ...]) -> dict[Mode, Veto]:
    """The modes that cannot be, each with the first veto against it."""
    found: dict[Mode, Veto] = {}
    for one in held:
        for mode in RULES_OUT[one.veto]:
            found.setdefault(mode, one.veto)
    return found


def asked(grounds: Grounds) -> bool:
    """Whether somebody asked for a task, or for work that goes on without them."""
    return _commanded(grounds) or grounds.recurs or grounds.has(Kind.background, Kind.watch_once, Kind.session_status)


def watcher(grounds: Grounds) -> bool:
    """One thing that is to happen, and then somebody is told: nothing that needs steps, outputs or gates (§4C.5)."""
    if grounds.has(Kind.session_status):
        return True
    return (
        grounds.has(Kind.watch_once) and not grounds.has(Kind.watch_stream, Kind.recurrence) and not structured(grounds)
    )


def job(grounds: Grounds) -> bool:
    """Upkeep by the calendar, or a nudge that comes again (§4C.5)."""
    if grounds.has(Kind.infrastructure) and (grounds.recurs or grounds.has(Kind.background)):
        return not grounds.has(Kind.gates, Kind.audit)
    return (
        grounds.has_all(Kind.recurrence, Kind.light_recurring)
        and not grounds.formal
        and not grounds.has(Kind.multi_step)
    )


def structured(grounds: Grounds) -> bool:
    return grounds.formal > 0 or grounds.has(Kind.multi_step, Kind.work)


def helper(grounds: Grounds) -> bool:
    """A look on the side while the conversation goes on."""
    heavy = grounds.has(Kind.many_outputs, Kind.output_alone, Kind.long_running, Kind.gates, Kind.audit)
    return grounds.has_all(Kind.background, Kind.side_job) and not heavy and not grounds.recurs


def _simple(grounds: Grounds) -> Iterator[ModeEvidence]:
    if asked(grounds) or grounds.formal:
        return
    yield from grounds.of(
        Kind.nothing_said, Kind.plain_question, Kind.simple_ask, Kind.concept_question, Kind.broken_order
    )


def _one_action(grounds: Grounds) -> Iterator[ModeEvidence]:
    if not grounds.recurs and not grounds.formal and not _commanded(grounds):
        yield from grounds.of(Kind.single_tool)


def _quick(grounds: Grounds) -> Iterator[ModeEvidence]:
    yield from grounds.of(Kind.quick, Kind.no_task)


def _direct(grounds: Grounds) -> Iterator[ModeEvidence]:
    if not _commanded(grounds):
        yield from grounds.of(Kind.no_task, Kind.conversation)


def _commanded(grounds: Grounds) -> bool:
    """Outright, or by a phrase that was taught to mean so."""
    return bool(grounds.kinds & EXPLICIT) or grounds.policy in COMMANDS


def _overhead(grounds: Grounds) -> Iterator[ModeEvidence]:
    """Several steps, and nothing that a process would add to them."""
    if grounds.has(Kind.multi_step) and not grounds.formal and not asked(grounds):
        yield from grounds.of(Kind.multi_step)


def _refused(grounds: Grounds) -> Iterator[ModeEvidence]:
    """That enough was suggested today is no refusal: it lowers the level of what nobody asked for."""
    if not _commanded(grounds):
        yield from grounds.of(Kind.refused_before)


def _low_stakes(grounds: Grounds) -> Iterator[ModeEvidence]:
    if not asked(grounds) and not grounds.formal:
        yield from grounds.of(Kind.creative)


def _vague(grounds: Grounds) -> Iterator[ModeEvidence]:
    if not asked(grounds) and not grounds.formal:
        yield from grounds.of(Kind.vague)


def _native(grounds: Grounds) -> Iterator[ModeEvidence]:
    if not _commanded(grounds) and (watcher(grounds) or helper(grounds)):
        yield from grounds.of(Kind.watch_once, Kind.session_status, Kind.background)


def _scheduler(grounds: Grounds) -> Iterator[ModeEvidence]:
    if job(grounds) and not _commanded(grounds):
        yield from grounds.of(Kind.infrastructure, Kind.light_recurring)


def _no_template(grounds: Grounds) -> Iterator[ModeEvidence]:
    if not grounds.directed:
        yield from grounds.of(Kind.template_none)


def _weak_template(grounds: Grounds) -> Iterator[ModeEvidence]:
    if not grounds.has(Kind.template_match) and not grounds.directed:
        yield from grounds.of(Kind.template_close)


_HOLDS: dict[Veto, Callable[[Grounds], Iterator[ModeEvidence]]] = {
    Veto.simple_single_turn_answer: _simple,
    Veto.single_tool_action: _one_action,
    Veto.user_requested_quick_response: _quick,
    Veto.primary_conversation_should_remain_direct: _direct,
    Veto.task_overhead_exceeds_value: _overhead,
    Veto.user_recently_rejected_task_suggestion: _refused,
    Veto.low_stakes_non_repeatable: _low_stakes,
    Veto.ambiguous_but_direct_answer_safe: _vague,
    Veto.native_openclaw_monitoring_sufficient: _native,
    Veto.ec_scheduled_job_sufficient: _scheduler,
    Veto.no_matching_template: _no_template,
    Veto.weak_template_match_only: _weak_template,
}
