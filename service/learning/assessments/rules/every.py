"""All rules of a run's assessment, in one list. Findings about prompts join here, as a module of their own."""

from service.learning.assessments.facts import Assessed
from service.learning.assessments.found import Rule
from service.learning.assessments.rules import artifacts, capability, context, costs, design, execution, people, quality

RUN_RULES: tuple[Rule[Assessed], ...] = (
    *execution.RULES,
    *quality.RULES,
    *capability.RULES,
    *context.RULES,
    *artifacts.RULES,
    *costs.RULES,
    *people.RULES,
    *design.RULES,
)
RULES = "run_assessment 1"
"""The set of rules. It gets another version with any of them."""
