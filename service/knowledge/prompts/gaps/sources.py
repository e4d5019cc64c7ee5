"""What the work rests on: from which material, how it is shown, what happens where that is silent. Pure."""

from collections.abc import Iterator

from graph_schema.knowledge.prompt_words import GapSeverity, PromptGap, PromptSurface
from service.knowledge.prompts.gaps.acts import acts
from service.knowledge.prompts.gaps.finding import PromptFinding
from service.knowledge.prompts.gaps.reading import MATERIAL, Reading, quoted
from service.knowledge.prompts.gaps.words import pattern

_SHOWN = pattern("shown")
_PLACE = pattern("place")
_UNSURE = pattern("unsure")
_UNLIKE = pattern("unlike")
_OWN = pattern("own")
_NO_FACTS = frozenset({PromptSurface.overlay, PromptSurface.doc23_output_contract})


def source_scope(read: Reading) -> Iterator[PromptFinding]:
    """Work on facts that says nothing of its material. A mounted or named tool is a place to look in."""
    given = read.place.surface in _NO_FACTS or read.place.is_rubric or read.place.capabilities
    if given or not read.searches or read.has(MATERIAL) or any(acts(read)):
        return
    yield PromptFinding(
        finding_kind=PromptGap.missing_source_scope,
        severity=GapSeverity.high if read.place.surface.value.startswith("doc23") else GapSeverity.medium,
        explanation="Facts are asked for, and nothing says from which material: whatever comes to mind will be used.",
        shown_by=quoted([read.task]),
        missing=("which documents, records or sites it may use", "what it may not use"),
        suggested_fix="Name the material, and say whether anything else may be used.",
        rule="source_scope",
    )


def evidence(read: Reading) -> Iterator[PromptFinding]:
    relied_on = read.is_about_facts or read.place.surface is PromptSurface.red_team_prompt
    skipped = read.place.surface in _NO_FACTS or read.place.is_rubric or not read.tasks or read.has(_OWN)
    if not relied_on or skipped or _is_shown(read) or any(acts(read)):
        return
    yield PromptFinding(
        finding_kind=PromptGap.missing_evidence_policy,
        severity=GapSeverity.medium,
        explanation="Somebody will rely on what it finds, and cannot see what it rests on.",
        shown_by=quoted([read.task]),
        missing=("how each finding is shown: a quotation, a page, a reference",),
        suggested_fix="Ask for the place in the material behind each finding, and for a quotation where words matter.",
        rule="evidence",
    )


def _is_shown(read: Reading) -> bool:
    """Whether it says how findings are shown: in words, or by a place in the material as a part of the result."""
    return read.has(_SHOWN) or _PLACE.search(read.bare) is not None


def _is_provided_for(read: Reading) -> bool:
    """Whether it says what happens where something is not as it should be; what the task is about is no such case."""
    return read.has(_UNSURE) or any(_UNLIKE.search(one.text) for one in read.sentences if one != read.task)


def uncertainty(read: Reading) -> Iterator[PromptFinding]:
    skipped = read.place.surface in _NO_FACTS or read.place.surface is PromptSurface.red_team_prompt
    decides = read.meets_cases or any(acts(read))
    if skipped or not decides or _is_provided_for(read):
        return
    yield PromptFinding(
        finding_kind=PromptGap.missing_uncertainty_policy,
        severity=GapSeverity.medium,
        explanation="Nothing says what to do where the material is silent or unclear, so it will guess.",
        shown_by=quoted([read.task]),
        missing=("what to write when something is not there", "what to do when it can be read in two ways"),
        suggested_fix="Say what to write where the material does not tell, and that nothing is guessed.",
        rule="uncertainty",
    )
