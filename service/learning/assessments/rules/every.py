"""All rules of a run's assessment, and of a portfolio's, each in one list."""

from collections.abc import Iterator

from graph_schema.learning.assessment_words import FindingKind
from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Found, Rule
from service.learning.assessments.portfolio_facts import Portfolio
from service.learning.assessments.prompt_facts import Prompts
from service.learning.assessments.rules import (
    artifacts,
    capability,
    context,
    costs,
    design,
    execution,
    people,
    portfolio,
    prompts,
    quality,
)


def _of_run(rule: Rule[Prompts]) -> Rule[Assessed]:
    return Rule(rule.name, rule.version, rule.kind, lambda about: rule.find(about.prompts))


def _lacking(about: Assessed) -> Iterator[Found]:
    return prompts.lacking(about.prompts, about.graph.id if about.graph else about.id, about.named)


RUN_RULES: tuple[Rule[Assessed], ...] = (
    *execution.RULES,
    *quality.RULES,
    *capability.RULES,
    *context.RULES,
    *artifacts.RULES,
    *costs.RULES,
    *people.RULES,
    *design.RULES,
    Rule("instruction_has_gaps", 1, FindingKind.prompt_quality, _lacking),
    *(_of_run(one) for one in prompts.KEPT),
)
PROMPTS_RULE: Rule[Portfolio] = Rule("prompts_to_mend", 1, FindingKind.prompt_quality, prompts.across)
PORTFOLIO_RULES: tuple[Rule[Portfolio], ...] = (*portfolio.ACROSS_RULES, PROMPTS_RULE)
RULES = "run_assessment 3"
"""The set of rules. It gets another version with any of them."""
