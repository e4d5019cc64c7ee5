"""The eleven ledgers: what each counts, and which of it speaks for or against. One table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import LiteralString

from graph_schema.knowledge.prompt_words import PromptGap
from graph_schema.learning.report_words import FindingFamily, LearningLedger, ReportScope
from graph_schema.learning.words import DesignSignalKind as Kind
from graph_schema.learning.words import SignalOrigin, SignalType
from service.learning.report import cypher

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


_F = FindingFamily
FAMILIES: Mapping[LearningLedger, FindingFamily] = {
    _L.task_invocation_utility: _F.invocation_findings,
    _L.task_suggestion_feedback: _F.user_feedback_findings,
    _L.task_agent_design_utility: _F.task_agent_findings,
    _L.template_preset_utility: _F.template_preset_findings,
    _L.capability_tool_utility: _F.execution_findings,
    _L.question_utility: _F.task_agent_findings,
    _L.artifact_policy_utility: _F.artifact_policy_findings,
    _L.execution: _F.execution_findings,
    _L.judge_experiment_quality: _F.judge_experiment_findings,
    _L.prompt_quality: _F.prompt_quality_findings,
    _L.user_graph_edits: _F.user_feedback_findings,
}
"""Under what a report tells each ledger."""


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
        (_signals(Kind.question_helpful, Kind.question_annoying), Source(cypher.QUESTIONS)),
        _words("question_helpful", "changed_the_design"),
        _words("question_annoying", "changed_nothing"),
    ),
    _L.artifact_policy_utility: LedgerRule(
        "What of outputs was used, and what was kept otherwise than by default",
        (
            _signals(
                *(Kind.artifact_policy_changed, Kind.output_preference_confirmed),
                origins=(SignalOrigin.artifact_use,),
            ),
            Source(cypher.INTAKE),
        ),
        _words("output_preference_confirmed", "opened", "cited"),
        _words("artifact_policy_changed", "promoted", "rejected"),
    ),
    _L.execution: LedgerRule("How runs ended", (Source(cypher.RUNS),), _words("completed"), _words("failed")),
    _L.judge_experiment_quality: LedgerRule(
        "What judges, experiments and evaluations found",
        (
            Source(cypher.VERDICTS),
            Source(cypher.SCORES),
            _signals(types=(SignalType.outcome_evaluation, SignalType.repair_cycle)),
        ),
        _words(
            "pass", "passed", "approve", "approved", "accept", "accepted", "good", "passed_after_repair", "supported"
        ),
        _words("fail", "failed", "revise", "reject", "rejected", "poor", "still_failing", "diverged", "refuted"),
    ),
    _L.prompt_quality: LedgerRule(
        "What prompts lack, which did better, and what people made of help with them",
        (
            _signals(
                types=(SignalType.prompt_comparison,),
                origins=(SignalOrigin.prompt_edit, SignalOrigin.prompt_help, SignalOrigin.prompt_evaluation),
            ),
            Source(cypher.PROMPT_CHECKS),
        ),
        _words(
            *("first", "second", "experiment_variant_won", "rewrite_accepted", "saved_as_recipe", "prompt_promoted"),
            *("reusable_artifact_produced", "nothing_found"),
        ),
        _words(
            *("judge_found_prompt_weak", "downstream_parser_failed", "rewrite_dismissed", "prompt_rolled_back"),
            *PromptGap,
        ),
    ),
    _L.user_graph_edits: LedgerRule(
        "What people changed of what was proposed",
        (Source(cypher.EDITS), _signals(Kind.user_manual_edit_after_proposal)),
    ),
}
