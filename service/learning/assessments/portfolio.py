"""Assessing a portfolio: all tasks of a scope together, so that what they share can be seen."""

from collections.abc import Sequence

from graph_schema.learning.assessment_words import AssessmentKind, ObservedEffect, PortfolioScope
from service.access.viewer import Viewer
from service.commands import Commands, Outcome, RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.assessments.examine import Examined, GoalTold, told
from service.learning.assessments.found import found_by, quality
from service.learning.assessments.keep import Whole
from service.learning.assessments.portfolio_facts import MOST, GoalFacts, Portfolio, load_portfolio
from service.learning.assessments.rules.every import PORTFOLIO_RULES, PROMPTS_RULE
from service.learning.assessments.rules.portfolio import RULES
from service.learning.assessments.store import Asked, store
from service.learning.errors import PortfolioEmpty, SelectionMissing
from service.memory.views.words import counted


class PortfolioAssessments:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._database = database

    async def assess(
        self,
        viewer: Viewer,
        scope: PortfolioScope,
        selected: Sequence[str] = (),
        *,
        command_id: str | None = None,
    ) -> Outcome:
        about = await self.about(viewer, scope, selected)
        asked = Asked(
            command="assessPortfolio",
            kind=AssessmentKind.portfolio,
            rules=RULES,
            content={"scope": scope.value, "tasks": [*selected]},
            proposing=False,
            command_id=command_id,
        )
        return await store(self._commands, viewer, asked, examine_portfolio(about), _whole(about, scope))

    async def about(self, viewer: Viewer, scope: PortfolioScope, selected: Sequence[str] = ()) -> Portfolio:
        if (scope is PortfolioScope.selected_tasks) != bool(selected):
            raise SelectionMissing(scope)
        about = await load_portfolio(self._database, viewer, scope, selected)
        unseen = {*selected} - {one.id for one in about.tasks}
        if unseen:
            raise RecordMissing(RecordRef(id=min(unseen)), "tasks")
        if not about.all:
            raise PortfolioEmpty(scope)
        return about


def examine_portfolio(about: Portfolio) -> Examined:
    findings = found_by((PROMPTS_RULE,) if about.of_prompts else PORTFOLIO_RULES, about)
    kinds = (("task", about.tasks), ("template or preset", about.assets), ("directive", about.directives))
    many = {"template or preset": "templates and presets"}
    size = sum(len(each) for _, each in kinds)
    looked = " and ".join(counted(len(each), one, many.get(one)) for one, each in kinds if each)
    missing = (f"There are more than {MOST:,}; the others were not looked at.",) if about.cut else ()
    outcome = f"{looked[:1].upper()}{looked[1:]} {'was' if size == 1 else 'were'} looked at. {told(findings)}"
    return Examined(findings, outcome, quality(findings), missing, tuple(_goal(one) for one in about.goals))


def _goal(one: GoalFacts) -> GoalTold:
    """What runs came to most often; in part where as many did as did not."""
    told = {effect: one.count(effect) for effect in ObservedEffect}
    good, bad = told[ObservedEffect.advanced_goal], told[ObservedEffect.did_not_advance_goal]
    effect = (
        ObservedEffect.unknown
        if not one.known
        else ObservedEffect.advanced_goal
        if 2 * good > one.known
        else ObservedEffect.did_not_advance_goal
        if 2 * bad > one.known
        else ObservedEffect.partially_advanced_goal
    )
    because = f"Of {counted(len(one.effects), 'assessed run')} {good} advanced it, {bad} did not."
    return GoalTold(one.id, effect, because)


def _whole(about: Portfolio, scope: PortfolioScope) -> Whole:
    """It is as closed as all that was looked at: one record of each audience says who may see it."""
    each = sorted(about.all, key=lambda one: one.id)
    return Whole(
        name=f"Portfolio: {scope.value.replace('_', ' ')}",
        values={"task_scope": scope.value, "looked_at": len(each)},
        of=[*{one.audience: one.id for one in reversed(each)}.values()][::-1],
        reviewed=[one.id for one in each],
    )
