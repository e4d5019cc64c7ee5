"""From evidence to mode: one table, read from the top. The first row that holds and is not ruled out decides.

`level` says where the level comes from. `explicit`: somebody asked for it outright. `fit`: the calibrated task fit, and
the row holds only where that reaches `least`. `quiet`: nothing is offered, whatever the fit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from graph_schema.routing.decision_words import ExecutionMode as Mode
from graph_schema.routing.decision_words import OpportunityLevel as Level
from graph_schema.routing.words import InvocationPolicy as Policy
from service.routing.decision.grounds import Grounds
from service.routing.decision.vetoes import helper, job, structured, watcher
from service.routing.evidence.kinds import EvidenceKind as Kind


class LevelFrom(StrEnum):
    explicit = "explicit"
    fit = "fit"
    quiet = "quiet"
    chip = "chip"
    """From the fit, but never above medium: the answer comes first."""


@dataclass(frozen=True, slots=True)
class Row:
    mode: Mode
    because: str
    holds: Callable[[Grounds], bool]
    level: LevelFrom
    least: Level = Level.none


def _one_meant(grounds: Grounds) -> bool:
    return len(grounds.meant) == 1


def _tied(grounds: Grounds) -> bool:
    """Whether what was said fits several equally, and nothing was said beside that could tell them apart."""
    return len(grounds.meant) > 1 and all(one.bare for one in grounds.meant)


def _runs_target(grounds: Grounds) -> bool:
    if grounds.has(Kind.run_again, Kind.run_it) and grounds.work_open:
        return True
    return _commands_run(grounds) and (_one_meant(grounds) or (not grounds.meant and grounds.task_open))


def _commands_run(grounds: Grounds) -> bool:
    return grounds.has(Kind.run_command, Kind.run_again, Kind.run_it)


def _it_without(grounds: Grounds) -> bool:
    return grounds.has(Kind.inspect_it, Kind.output_it) and not grounds.work_open


def _recurring_work(grounds: Grounds) -> bool:
    if grounds.has(Kind.watch_stream):
        return True
    return grounds.has(Kind.recurrence, Kind.trigger) and structured(grounds)


def _needs_process(grounds: Grounds) -> bool:
    """What a scheduled job has not: gates, a trail, outputs, several steps."""
    return grounds.formal > 0 or grounds.has(Kind.multi_step)


def _independent_work(grounds: Grounds) -> bool:
    return grounds.has(Kind.background) and grounds.formal > 0


def _about_tasks(grounds: Grounds) -> bool:
    return grounds.has(*_ABOUT_TASKS) or (grounds.has(Kind.run_command) and _one_meant(grounds))


_ABOUT_TASKS = (Kind.output_request, Kind.output_it, Kind.inspect_question, Kind.review_command, Kind.adapt_command)

R, F, Q, C = LevelFrom.explicit, LevelFrom.fit, LevelFrom.quiet, LevelFrom.chip

TABLE: tuple[Row, ...] = (
    Row(Mode.direct_chat, "It tells the assistant to break its rules, which is no request.",
        lambda g: g.has(Kind.broken_order), Q),
    Row(Mode.direct_chat, "Nothing was said that could be compared.", lambda g: g.has(Kind.nothing_said), Q),
    Row(Mode.direct_chat, "The user wants no task.", lambda g: g.has(Kind.no_task), Q),
    Row(Mode.direct_chat, "It asks what tasks are, not for one.", lambda g: g.has(Kind.concept_question), Q),
    Row(Mode.direct_tool_or_procedure, "It asks which saved tasks there are.", lambda g: g.has(Kind.list_question), R),
    Row(Mode.ec_scheduled_job, "Upkeep by the calendar needs no steps, gates or outputs.",
        lambda g: job(g) and not g.has(Kind.run_command), Q),
    Row(Mode.openclaw_background_subagent, "It asks after a session or helper that was started on the side.",
        lambda g: g.has(Kind.session_status), Q),
    Row(Mode.direct_tool_or_procedure, "It is one action with a tool.",
        lambda g: g.has(Kind.single_tool) and not g.recurs and not g.formal and not _about_tasks(g), Q),
    Row(Mode.ask_clarifying_question, "It asks about one run or its output, and runs of several tasks are called so.",
        lambda g: g.contested, R),
    Row(Mode.retrieve_saved_task_output, "It asks for what a run has made.",
        lambda g: g.has(Kind.output_request) or (g.has(Kind.output_it) and g.work_open), R),
    Row(Mode.ask_clarifying_question, "It asks for a saved task to be changed, and several are called so.",
        lambda g: g.has(Kind.adapt_command) and not g.work_open and _tied(g), R),
    Row(Mode.invoke_task_agent_for_design, "It asks for a task to be adapted.", lambda g: g.has(Kind.adapt_command), R),
    Row(Mode.invoke_task_agent_for_review, "It asks for a prompt to be improved or tested.",
        lambda g: g.has(Kind.prompt_command), R),
    Row(Mode.invoke_task_agent_for_design, "It asks for a process to be set up.",
        lambda g: g.has(Kind.design_command), R),
    Row(Mode.suggest_existing_saved_task, "It asks whether a saved task fits, and one does.",
        lambda g: g.has(Kind.fit_question) and g.template > 0, R),
    Row(Mode.direct_chat, "It asks whether a saved task fits, and none does.",
        lambda g: g.has(Kind.fit_question), C),
    Row(Mode.background_or_recurring_saved_task, "A saved task is to run again and again, or by itself.",
        lambda g: g.has(Kind.run_command) and g.recurs and _one_meant(g), R),
    Row(Mode.inspect_saved_task_run, "It asks how a run stands.",
        lambda g: g.has(Kind.inspect_question) or (g.has(Kind.inspect_it) and g.work_open), R),
    Row(Mode.invoke_task_agent_for_review, "It asks for tasks to be explained, judged or improved.",
        lambda g: g.has(Kind.review_command), R),
    Row(Mode.ask_clarifying_question, "It asks for a saved task to be run, and what that works on is missing.",
        lambda g: _runs_target(g) and g.has(Kind.input_missing), R),
    Row(Mode.run_existing_saved_task, "It asks for a saved task to be run, and says which.", _runs_target, R),
    Row(Mode.ask_clarifying_question, "It asks for a saved task to be run, and several are called so.",
        lambda g: _commands_run(g) and len(g.meant) > 1, R),
    Row(Mode.ask_clarifying_question, "It asks for a saved task to be run, and does not say which.",
        _commands_run, R),
    Row(Mode.ask_clarifying_question, "It asks about a run or its output, and none is open or named.", _it_without, R),
    Row(Mode.run_existing_saved_task, "A taught phrase means this task.",
        lambda g: g.policy is Policy.run_existing_task_after_confirmation and bool(g.directed), R),
    Row(Mode.invoke_task_agent_for_design, "A taught phrase means that a task is to be designed.",
        lambda g: g.policy is Policy.invoke_task_agent_for_design, R),
    Row(Mode.invoke_task_agent_for_review, "A taught phrase means that a task is to be reviewed.",
        lambda g: g.policy is Policy.invoke_task_agent_for_review, R),
    Row(Mode.suggest_existing_saved_task, "A taught phrase means this task.",
        lambda g: g.policy is Policy.suggest_task and bool(g.directed), R),
    Row(Mode.openclaw_background_subagent, "One thing is to be watched for, and told.",
        lambda g: watcher(g) or helper(g), Q),
    Row(Mode.background_or_recurring_saved_task, "Work that comes again, with steps and outputs.",
        _recurring_work, F, Level.medium),
    Row(Mode.background_or_recurring_saved_task, "Work that goes on by itself and leaves outputs.",
        _independent_work, F, Level.medium),
    Row(Mode.ec_scheduled_job, "It comes again, and needs no steps, gates or outputs.",
        lambda g: g.has(Kind.recurrence) and not _needs_process(g), Q),
    Row(Mode.openclaw_background_subagent, "It is to happen on the side, and leaves no more than an answer.",
        lambda g: g.has(Kind.background) and not g.formal, Q),
    Row(Mode.suggest_existing_saved_task, "A saved task fits, and a process with its outputs is worth it.",
        lambda g: g.template > 0 and g.formal > 0, F, Level.high),
    Row(Mode.invoke_task_agent_for_design, "A process is worth it, and no saved task fits.",
        lambda g: g.has(Kind.gates, Kind.audit, Kind.going_forward) and g.formal > 1, F, Level.high),
    Row(Mode.direct_chat, "A process would be worth it, but nothing is to be suggested here now.",
        lambda g: g.formal > 0 and g.has(Kind.refused_before, Kind.asked_often, Kind.directive_against), C),
    Row(Mode.direct_chat, "An answer is enough.", lambda _: True, C),
)  # fmt: skip
"""The last row always holds, and nothing rules it out."""
