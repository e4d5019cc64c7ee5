"""Assessing a task without a run of its own: its preflight, what its last runs were, and what they had in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph_schema.learning.assessment_words import (
    AssessmentKind,
    FindingKind,
    FindingSeverity,
    FindingTone,
    PortfolioScope,
)
from graph_schema.learning.proposal_words import Operation, ProposalKind
from service import clock
from service.access.viewer import Viewer
from service.commands import Commands, Outcome, RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.knowledge.errors import PreflightSubject
from service.knowledge.preflight.issues import IssueSeverity, PreflightCheck, PreflightIssue
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.knowledge.preflight.read import Preflights
from service.knowledge.preflight.report import PreflightReport
from service.learning.assessments.actions import change
from service.learning.assessments.examine import Examined, told
from service.learning.assessments.found import Found, Rule, found_by, quality
from service.learning.assessments.keep import Whole
from service.learning.assessments.portfolio_facts import Portfolio, TaskFacts, load_portfolio
from service.learning.assessments.prompt_facts import Instruction, Prompts, instructions_in
from service.learning.assessments.rules import prompts
from service.learning.assessments.rules.portfolio import TASK_RULES
from service.learning.assessments.store import Asked, store
from service.learning.errors import FixNotProposable
from service.learning.proposals.fixes import steps_of_fix
from service.learning.proposals.inputs import ProposalInput
from service.memory.views.words import counted

RULES = "task_assessment 3"
_C, _K = PreflightCheck, FindingKind
KINDS: Mapping[PreflightCheck, FindingKind] = {
    **dict.fromkeys((one for one in _C if one.value.startswith("capability")), _K.capability),
    _C.tool_pack_broad: _K.capability,
    **dict.fromkeys((_C.documents_not_routed, _C.library_missing, _C.output_reused), _K.artifact),
    **dict.fromkeys((_C.output_missing, _C.final_output_kept_with_run), _K.artifact),
    **dict.fromkeys((_C.memory_blocked, _C.input_missing), _K.memory_context),
    _C.cost_high: _K.cost_latency,
    **dict.fromkeys((_C.review_missing, _C.gate_recommended, _C.second_look, _C.goal_unlinked), _K.design_learning),
}
"""What a check of the preflight is about. What is not here is about whether it can be carried out."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A task with its preflight; none where it has neither a graph nor a blueprint that the asker sees."""

    task: TaskFacts
    portfolio: Portfolio
    preflight: PreflightReport | None
    rests_on: tuple[str, ...] = ()
    """What the preflight was read from, beside the task."""
    instructions: tuple[Instruction, ...] = ()

    @property
    def prompts(self) -> Prompts:
        return Prompts(self.instructions, tuple(self.portfolio.prompts))


class TaskAssessments:
    def __init__(self, commands: Commands, database: Database, preflights: Preflights) -> None:
        self._commands = commands
        self._database = database
        self._preflights = preflights

    async def assess(
        self, viewer: Viewer, task_id: str, *, proposing: bool = True, command_id: str | None = None
    ) -> Outcome:
        about = await self.about(viewer, task_id)
        asked = Asked(
            command="assessTask",
            kind=AssessmentKind.task,
            rules=RULES,
            content={"task": task_id},
            proposing=proposing,
            command_id=command_id,
        )
        return await store(self._commands, viewer, asked, examine_task(about), _whole(about))

    async def about(self, viewer: Viewer, task_id: str) -> Reviewed:
        portfolio = await load_portfolio(self._database, viewer, PortfolioScope.selected_tasks, [task_id])
        if not portfolio.tasks:
            raise RecordMissing(RecordRef(id=task_id), "task")
        try:
            report, raw = await self._preflights.examined(viewer, Subject(task_id), PreflightRequest(), clock.now())
        except PreflightSubject:
            return Reviewed(portfolio.tasks[0], portfolio, None)
        read = [report.blueprint_id, *(one["id"] for one in raw.get("capabilities") or ())]
        rests_on = tuple(one for one in read if one)
        instructions = instructions_in(raw) if raw.get("graph") else ()
        return Reviewed(portfolio.tasks[0], portfolio, report, rests_on, instructions)


def examine_task(about: Reviewed) -> Examined:
    of_task = found_by(TASK_RULES, about.portfolio)
    of_graph = [*found_by(PREFLIGHT_RULES, about), *found_by(PROMPT_RULES, about)]
    findings = sorted([*of_task, *of_graph], key=lambda one: one.place())
    ran = counted(len(about.task.runs), "run")
    seen = "Its graph was examined" if about.preflight else "It has neither a graph nor a blueprint that was examined"
    outcome = f"{seen}, with its last {ran}. {told(findings)}"
    return Examined(findings, outcome, quality(findings), () if about.preflight else ("No graph and no blueprint.",))


def _issues(about: Reviewed, kind: FindingKind) -> Iterator[Found]:
    report = about.preflight
    if report is None:
        return
    for one in (*report.blocking_issues, *report.warnings):
        if KINDS.get(one.check, FindingKind.execution) is kind:
            yield Found(
                statement=one.message,
                evidence=tuple(each for each in (about.task.id, one.record_id) if each),
                severity=FindingSeverity.major if one.severity is IssueSeverity.blocking else FindingSeverity.minor,
                better=f"{one.fix.title}." if one.fix else None,
                code=one.code,
                module_key=one.module_key,
                actions=_actions(about.task.id, report, one),
            )


def _actions(task_id: str, report: PreflightReport, issue: PreflightIssue) -> tuple[ProposalInput, ...]:
    """The fix of an issue, where it is a change of the graph or of what the task may use."""
    if issue.fix is None:
        return ()
    try:
        steps = steps_of_fix(issue.fix)
    except FixNotProposable:
        return ()
    of_blueprint = any(one.operation in _BLUEPRINTS for one in steps)
    target = report.blueprint_id if of_blueprint else task_id
    effect = f"{issue.code} is found no more."
    return (change(ProposalKind.task_template_update, target, issue.message, effect, *steps),) if target else ()


_BLUEPRINTS = frozenset({Operation.patch_blueprint, Operation.set_value})
"""What of a fix is about the blueprint: graphs are patched, capabilities linked."""


def _rule(kind: FindingKind) -> Rule[Reviewed]:
    return Rule("preflight", 1, kind, lambda about: _issues(about, kind))


def can_run(about: Reviewed) -> Iterator[Found]:
    if about.preflight is not None and not about.preflight.blocking_issues:
        yield Found(
            statement=f"{about.task.name} can be run as it is: nothing has to be mended first.",
            evidence=(about.task.id,),
            tone=FindingTone.strength,
            severity=FindingSeverity.note,
        )


def _kinds() -> Sequence[FindingKind]:
    return sorted({*KINDS.values(), FindingKind.execution})


PREFLIGHT_RULES: tuple[Rule[Reviewed], ...] = (
    Rule("can_be_run", 1, FindingKind.execution, can_run),
    *(_rule(kind) for kind in _kinds()),
)


def _lacking(about: Reviewed) -> Iterator[Found]:
    return prompts.lacking(about.prompts, about.task.id, str)


def _of_prompts(rule: Rule[Prompts]) -> Rule[Reviewed]:
    return Rule(rule.name, rule.version, rule.kind, lambda about: rule.find(about.prompts))


PROMPT_RULES: tuple[Rule[Reviewed], ...] = (
    Rule("instruction_has_gaps", 1, FindingKind.prompt_quality, _lacking),
    *(_of_prompts(one) for one in prompts.KEPT),
)


def _whole(about: Reviewed) -> Whole:
    task, blueprint, template = about.task, about.task.blueprint, about.task.template
    return Whole(
        name=f"Review of {task.name}",
        values={
            "task_id": task.id,
            "template_id": template["id"] if template else None,
            "blueprint_id": blueprint["id"] if blueprint else None,
            "looked_at": 1 + len(task.runs),
        },
        of=[task.id],
        rests_on=about.rests_on,
    )
