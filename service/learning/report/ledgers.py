"""The eleven ledgers: what each counts, and which of it speaks for or against. One table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import LiteralString

from graph_schema.learning.words import DesignSignalKind as Kind
from graph_schema.learning.words import SignalOrigin, SignalType
from service.learning.report import cypher


class LearningLedger(StrEnum):
    """A family of evidence. None is ever added to another."""

    task_invocation_utility = "task_invocation_utility"
    task_suggestion_feedback = "task_suggestion_feedback"
    task_agent_design_utility = "task_agent_design_utility"
    template_preset_utility = "template_preset_utility"
    capability_tool_utility = "capability_tool_utility"
    question_utility = "question_utility"
    artifact_policy_utility = "artifact_policy_utility"
    execution = "execution"
    judge_experiment_quality = "judge_experiment_quality"
    prompt_quality = "prompt_quality"
    user_graph_edits = "user_graph_edits"


class ReportScope(StrEnum):
    """Which ledgers a report tells."""

    task_invocation = "task_invocation"
    task_agent_design = "task_agent_design"
    task_execution = "task_execution"
    template_library = "template_library"
    prompt_quality = "prompt_quality"
    portfolio = "portfolio"
    all = "all"


_L = LearningLedger
SCOPES: Mapping[ReportScope, Sequence[LearningLedger]] = {
    ReportScope.task_invocation: (_L.task_invocation_utility, _L.task_suggestion_feedback),
    ReportScope.task_agent_design: (_L.task_agent_design_utility, _L.question_utility, _L.user_graph_edits),
    ReportScope.task_execution: (_L.execution, _L.capability_tool_utility, _L.judge_experiment_quality),
    ReportScope.template_library: (_L.template_preset_utility, _L.artifact_policy_utility),
    ReportScope.prompt_quality: (_L.prompt_quality,),
    ReportScope.portfolio: (
        *(_L.execution, _L.template_preset_utility, _L.capability_tool_utility, _L.artifact_policy_utility),
        _L.judge_experiment_quality,
    ),
    ReportScope.all: tuple(_L),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A statement, and what of the signals it counts, if it counts signals."""

    statement: LiteralString
    kinds: tuple[Kind, ...] = ()
    types: tuple[SignalType, ...] = ()
    origins: tuple[SignalOrigin, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerRule:
    """What a ledger counts, and the words in it that speak for and against."""

    title: str
    sources: tuple[Source, ...]
    good: frozenset[str] = field(default_factory=frozenset[str])
    bad: frozenset[str] = field(default_factory=frozenset[str])


def _words(*words: str) -> frozenset[str]:
    return frozenset(words)


def _signals(*kinds: Kind, types: tuple[SignalType, ...] = (), origins: tuple[SignalOrigin, ...] = ()) -> Source:
    return Source(cypher.SIGNALS, kinds, types, origins)


LEDGERS: Mapping[LearningLedger, LedgerRule] = {
    _L.task_invocation_utility: LedgerRule(
        "Whether tasks were what was wanted",
        (Source(cypher.INVOCATION),),
        _words(
            "task_suggestion_accepted", "task_chip_accepted", "task_used_successfully", "task_agent_consult_helpful"
        ),
        _words(
            *("task_suggestion_rejected", "task_chip_ignored", "task_overused", "task_used_unsuccessfully"),
            *("wrong_template_suggested", "existing_template_missed", "task_agent_consult_unhelpful"),
        ),
    ),
    _L.task_suggestion_feedback: LedgerRule(
        "What people made of suggestions",
        (Source(cypher.SUGGESTIONS),),
        _words("accepted", "later_requested_task"),
        _words("rejected", "asked_direct_answer_instead", "complained_task_was_overused"),
    ),
    _L.task_agent_design_utility: LedgerRule(
        "How designs ended, and what of them people kept",
        (
            Source(cypher.DESIGNS),
            _signals(
                *(Kind.second_pass_deepening_accepted, Kind.second_pass_deepening_rejected),
                *(Kind.red_team_default_accepted, Kind.red_team_default_rejected),
            ),
        ),
        _words("saved_as_is", "saved_with_user_edits", "second_pass_deepening_accepted", "red_team_default_accepted"),
        _words("abandoned", "rejected", "second_pass_deepening_rejected", "red_team_default_rejected"),
    ),
    _L.template_preset_utility: LedgerRule(
        "Which templates and presets people choose, and which work",
        (
            _signals(
                *(Kind.template_selected, Kind.template_rejected, Kind.preset_added, Kind.preset_removed),
                *(Kind.graph_pattern_success, Kind.graph_pattern_failure),
            ),
        ),
        _words("template_selected", "preset_added", "graph_pattern_success"),
        _words("template_rejected", "preset_removed", "graph_pattern_failure"),
    ),
    _L.capability_tool_utility: LedgerRule(
        "Which capabilities were needed, and how tools did",
        (_signals(Kind.capability_needed, Kind.capability_unused), Source(cypher.TOOLS)),
        _words("capability_needed", "success"),
        _words("capability_unused", "tool_error", "boundary_failure", "user_correction"),
    ),
    _L.question_utility: LedgerRule(
        "Which questions helped",
        (_signals(Kind.question_helpful, Kind.question_annoying),),
        _words("question_helpful"),
        _words("question_annoying"),
    ),
    _L.artifact_policy_utility: LedgerRule(
        "What of outputs was used, and what was kept otherwise than by default",
        (
            _signals(
                *(Kind.artifact_policy_changed, Kind.output_preference_confirmed),
                origins=(SignalOrigin.artifact_use,),
            ),
        ),
        _words("output_preference_confirmed", "opened", "cited"),
        _words("artifact_policy_changed"),
    ),
    _L.execution: LedgerRule("How runs ended", (Source(cypher.RUNS),), _words("completed"), _words("failed")),
    _L.judge_experiment_quality: LedgerRule(
        "What judges, experiments and evaluations found",
        (
            Source(cypher.VERDICTS),
            _signals(types=(SignalType.outcome_evaluation, SignalType.repair_cycle)),
        ),
        _words(
            "pass", "passed", "approve", "approved", "accept", "accepted", "good", "passed_after_repair", "supported"
        ),
        _words("fail", "failed", "revise", "reject", "rejected", "poor", "still_failing", "diverged", "refuted"),
    ),
    _L.prompt_quality: LedgerRule(
        "Which of two prompts did better", (_signals(types=(SignalType.prompt_comparison,)),), _words("first", "second")
    ),
    _L.user_graph_edits: LedgerRule(
        "What people changed of what was proposed",
        (Source(cypher.EDITS), _signals(Kind.user_manual_edit_after_proposal)),
    ),
}
