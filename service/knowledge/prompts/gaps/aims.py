"""What is to be achieved: whether it is said, said enough, said in words that can be checked, said twice over. Pure."""

import re
from collections.abc import Iterator

from graph_schema.knowledge.prompt_words import GapSeverity, OutputForm, PromptGap
from service.knowledge.prompts.gaps.finding import PromptFinding, PromptQuote
from service.knowledge.prompts.gaps.forms import forms, says_form
from service.knowledge.prompts.gaps.reading import Reading, quote, quoted
from service.knowledge.prompts.gaps.words import pattern

_MEASURED = pattern("measured")
_OPEN = pattern("open")
_FEW = 8
_SHORT = 30
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
    if read.place.is_contract or not is_open(read):
        return
    yield PromptFinding(
        finding_kind=PromptGap.underconstrained,
        severity=GapSeverity.high,
        explanation="It is so open that quite different answers would do.",
        shown_by=read.quotes(_OPEN) or quoted([read.task]),
        missing=("what exactly is wanted", "what belongs to it and what does not"),
        suggested_fix="Say what the result has to contain, for whom, and where to stop.",
        rule="underconstrained",
    )


def is_open(read: Reading) -> bool:
    if len(read.words) > _SHORT or says_form(read):
        return False
    bare = len(read.words) <= _FEW and not read.has(_NAMED) and not read.purpose
    return bare or read.has(_OPEN)


def success_criteria(read: Reading) -> Iterator[PromptFinding]:
    if read.place.is_rubric or is_open(read):
        return
    vague = tuple(
        PromptQuote(text=found["vague"], start=one.start + found.start("vague"), end=one.start + found.end("vague"))
        for one in read.sentences
        for found in _MEASURED.finditer(one.text)
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


_SHORT_LIMIT = pattern("short_limit")
_EXHAUSTIVE = pattern("exhaustive")
_NOTHING_ELSE = pattern("nothing_else")
_AROUND = pattern("around")
NO_QUESTIONS = pattern("no_questions")
ASK = pattern("ask")
_NO_FORM = pattern("no_form")
_NAMES = {
    "table": OutputForm.table,
    "bullet": OutputForm.bullets,
    "list": OutputForm.bullets,
    "markdow": OutputForm.markdown,
    "json": OutputForm.json,
}
_DEMAND = pattern("demand")
_MANY = 25


def overconstrained(read: Reading) -> Iterator[PromptFinding]:
    """Demands that no answer meets together, by pairs that exclude each other; or too many to hold in mind."""
    shown = _clash(read)
    many = read.quotes(_DEMAND)
    if not shown and len(many) <= _MANY:
        return
    yield PromptFinding(
        finding_kind=PromptGap.overconstrained,
        severity=GapSeverity.high if shown else GapSeverity.low,
        explanation="These demands exclude each other: no answer can meet them all."
        if shown
        else f"It has {len(many)} absolute demands; some of them will be forgotten.",
        shown_by=shown or many,
        missing=("which of them comes first",),
        suggested_fix="Keep the one that matters, or say which gives way." if shown else "Keep the few that matter.",
        rule="overconstrained",
    )


def _clash(read: Reading) -> tuple[PromptQuote, ...]:
    asks = _sentences_with(read, ASK, NO_QUESTIONS)
    for one, other in (
        (read.quotes(_SHORT_LIMIT), read.quotes(_EXHAUSTIVE)),
        (read.quotes(_NOTHING_ELSE), read.quotes(_AROUND)),
        (read.quotes(NO_QUESTIONS), asks),
        _form_clash(read),
        _number_clash(read),
    ):
        if one and other:
            return (*one, *other)
    return ()


_MOST = pattern("at_most")
_LEAST = pattern("at_least")
_EXACTLY = pattern("exactly")
_EACH = pattern("each")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTS = {
    **{word: number for number, word in enumerate(_WORDS)},
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
    "hundred": 100,
}


def _number_clash(read: Reading) -> tuple[tuple[PromptQuote, ...], tuple[PromptQuote, ...]]:
    """At least more than at most of the same; what holds for each of something is another measure."""
    most, least = (_bounds(read, one, _EXACTLY) for one in (_MOST, _LEAST))
    for unit, high, first in most:
        for other, low, second in least:
            if unit == other and low > high:
                return (first,), (second,)
    return (), ()


def _bounds(read: Reading, *patterns: re.Pattern[str]) -> list[tuple[str, int, PromptQuote]]:
    """Bounds in words of the prompt: of what, and how many."""
    return [
        (
            _unit(found["unit"]),
            _number(found["number"]),
            quote(read.text, one.start + found.start(), one.start + found.end()),
        )
        for one in read.sentences
        if not _EACH.search(one.text)
        for each in patterns
        for found in each.finditer(one.text)
    ]


def _unit(word: str) -> str:
    return word.lower().removesuffix("s")


def _number(told: str) -> int:
    plain = told.replace(",", "").lower()
    return int(plain) if plain.isdigit() else _COUNTS[plain.rpartition(" ")[2]]


def _sentences_with(read: Reading, wanted: re.Pattern[str], but: re.Pattern[str]) -> tuple[PromptQuote, ...]:
    return quoted(one for one in read.sentences if wanted.search(one.text) and not but.search(one.text))


def _form_clash(read: Reading) -> tuple[tuple[PromptQuote, ...], tuple[PromptQuote, ...]]:
    asked = forms(read)
    for one in read.quotes(_NO_FORM):
        form = next((form for name, form in _NAMES.items() if name in one.text.lower()), None)
        wanted = (
            tuple(each for each in asked.get(form, ()) if each.end <= one.start or each.start >= one.end)
            if form
            else ()
        )
        if wanted:
            return (one,), wanted
    return (), ()
