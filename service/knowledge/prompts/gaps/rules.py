"""All rules, in the order in which their findings are told: what breaks something first, then what is missing."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from service.knowledge.prompts.gaps import acts, aims, clashes, forms, sources
from service.knowledge.prompts.gaps.finding import PromptFinding
from service.knowledge.prompts.gaps.reading import Reading, quote
from service.knowledge.prompts.gaps.words import VERSION
from service.knowledge.prompts.place import Place
from service.knowledge.prompts.text import plain

RULES: tuple[Callable[[Reading], Iterator[PromptFinding]], ...] = (
    acts.unsafe_side_effect,
    forms.downstream,
    forms.named_outputs,
    clashes.overconstrained,
    forms.judge,
    aims.goal,
    aims.underconstrained,
    sources.source_scope,
    forms.output_contract,
    acts.tool_policy,
    sources.evidence,
    sources.uncertainty,
    aims.success_criteria,
)


def findings(text: str, place: Place) -> tuple[PromptFinding, ...]:
    said = plain(text)
    read = Reading(said, forms.place_as_told(said, place))
    return tuple(_as_written(one, text) for rule in RULES for one in rule(read))


def _as_written(one: PromptFinding, text: str) -> PromptFinding:
    return replace(one, shown_by=tuple(quote(text, each.start, each.end) for each in one.shown_by))


__all__ = ["RULES", "VERSION", "findings"]
