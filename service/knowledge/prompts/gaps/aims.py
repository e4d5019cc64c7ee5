"""What is to be achieved: whether it is said, said enough, said in words that can be checked. Pure."""

import re
from collections.abc import Iterator

from graph_schema.knowledge.prompt_words import GapSeverity, PromptGap
from service.knowledge.prompts.gaps.finding import PromptFinding, PromptQuote
from service.knowledge.prompts.gaps.forms import says_form
from service.knowledge.prompts.gaps.reading import OPEN, Reading, quoted
from service.knowledge.prompts.gaps.words import pattern

_MEASURED = pattern("measured")
_PERSONA = re.compile(r"you(?: are|'re)\b", re.IGNORECASE)
_COURTESY = pattern("courtesy")
_WIDE = pattern("wide")
_LEAST = 5
"""Words of a call ("Make this better"): what it lacks is more than a measure."""
_FEW = 9
"""Words that say too little, unless they point at something."""
_SHORT = 30
"""Words beyond which something is said, however loosely."""
_NAMED = pattern("named")


def goal(read: Reading) -> Iterator[PromptFinding]:
    if read.place.is_contract or read.place.is_rubric or read.tasks or read.purpose:
        return
    yield PromptFinding(
        finding_kind=PromptGap.missing_goal,
        severity=GapSeverity.high,
        explanation="It says how to behave, not what to achieve.",
        shown_by=quoted(read.sentences[:1]),
        missing=("the task", "what its result is for, or who decides what with it"),
        suggested_fix="Begin with one sentence that says what to do, and for whom or what.",
        rule="goal",
    )


def underconstrained(read: Reading) -> Iterator[PromptFinding]:
    if read.place.is_contract or read.place.is_rubric or not is_open(read):
        return
    yield PromptFinding(
        finding_kind=PromptGap.underconstrained,
        severity=GapSeverity.high,
        explanation="It is so open that quite different answers would do.",
        shown_by=read.quotes(OPEN) or quoted([read.task]),
        missing=("what exactly is wanted", "what belongs to it and what does not"),
        suggested_fix="Say what the result has to contain, for whom, and where to stop.",
        rule="underconstrained",
    )


def is_open(read: Reading) -> bool:
    if len(read.words) <= _SHORT and read.has(_WIDE):
        return True
    if len(read.words) > _SHORT or says_form(read):
        return False
    return (len(read.words) <= _FEW and not read.has(_NAMED) and not read.purpose) or read.has(OPEN)


def _blank(found: re.Match[str]) -> str:
    """As many characters, so that places stay."""
    return " " * len(found[0])


def success_criteria(read: Reading) -> Iterator[PromptFinding]:
    if read.place.is_rubric or len(read.words) <= _LEAST:
        return
    vague = tuple(
        PromptQuote(text=found["vague"], start=one.start + found.start("vague"), end=one.start + found.end("vague"))
        for one in read.sentences
        if not _PERSONA.match(one.text)
        for found in _MEASURED.finditer(_COURTESY.sub(_blank, read.said_in(one)))
    )
    if not vague:
        return
    yield PromptFinding(
        finding_kind=PromptGap.ambiguous_success_criteria,
        severity=GapSeverity.medium,
        explanation="What counts as good is said in words that everybody reads in another way.",
        shown_by=vague,
        missing=("a test that a reader could apply to the result",),
        suggested_fix="Say instead what can be checked: what has to be in it, how long, for whom, by which measure.",
        rule="success_criteria",
    )
