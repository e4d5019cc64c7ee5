"""Demands that no answer meets together: by pairs that exclude each other, by numbers, by what is too much. Pure."""

import re
from collections.abc import Iterator

from graph_schema.knowledge.prompt_words import GapSeverity, OutputForm, PromptGap
from service.knowledge.prompts.gaps.finding import PromptFinding, PromptQuote
from service.knowledge.prompts.gaps.forms import forms
from service.knowledge.prompts.gaps.reading import Reading, quote, quoted
from service.knowledge.prompts.gaps.words import pattern

Sides = tuple[tuple[PromptQuote, ...], tuple[PromptQuote, ...]]

_PAIRS = tuple(
    (pattern(one), pattern(other))
    for one, other in (
        ("short_limit", "exhaustive"),
        ("nothing_else", "around"),
        ("formal", "informal"),
        ("figureless", "figures"),
        ("nameless", "names"),
        ("untouched", "revised"),
        ("alphabetical", "ranked"),
        ("uninvented", "invented"),
        ("present", "past"),
    )
)
NO_QUESTIONS = pattern("no_questions")
ASK = pattern("ask")
_CLOSED = pattern("closed")
_OUTSIDE = pattern("outside")
_UNLESS = pattern("unless")
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
    for one, other in (
        *((read.quotes(one), read.quotes(other)) for one, other in _PAIRS),
        (read.quotes(NO_QUESTIONS), _sentences_with(read, ASK, NO_QUESTIONS)),
        (read.quotes(_CLOSED), tuple(_outside(read))),
        _form_clash(read),
        _alone_clash(read),
        _number_clash(read),
        _share_clash(read),
    ):
        if one and other:
            return (*one, *other)
    return ()


_MOST = pattern("at_most")
_LEAST = pattern("at_least")
_EXACTLY = pattern("exactly")
_WITHIN = pattern("within")
_EACH = pattern("each")
_WITHIN_AFTER = pattern("within_after")
_EACH_OF = pattern("each_of")
_ALL_OF = pattern("all_of")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred"
_COUNTS = {
    **{word: number for number, word in enumerate(_ONES.split())},
    **{word: 10 * number for number, word in enumerate(_TENS.split(), start=2)},
}
_SENTENCE = 4
"""Words that a sentence has at least, and that are needed to say anything of one thing."""
_NAME = 20
"""Characters for the same."""


def _number_clash(read: Reading) -> Sides:
    """At least more than at most of the same; what holds for each of something is another measure."""
    most, least = (_bounds(read, one, _EXACTLY) for one in (_MOST, _LEAST))
    for unit, high, first in most:
        for other, low, second in least:
            if unit == other and low > high:
                return (first,), (second,)
    return (), ()


def _share_clash(read: Reading) -> Sides:
    """Each of so many gets one, and there is room for fewer."""
    bounds = _bounds(read, _WITHIN, _WITHIN_AFTER)
    for found, needed in _shares(read):
        for unit, high, shown in bounds:
            if high < needed.get(unit, 0):
                return (shown,), (quote(read.text, found.start(), found.end()),)
    return (), ()


def _shares(read: Reading) -> Iterator[tuple[re.Match[str], dict[str, int]]]:
    """Where things are counted that each need room, and how much that is."""
    for found in _EACH_OF.finditer(read.text):
        yield found, {_unit(found["unit"]): _number(found["number"])}
    for each in (_EACH_OF, _ALL_OF):
        for found in each.finditer(read.text):
            many = _number(found["number"])
            yield found, {"word": many * _SENTENCE, "character": many * _NAME}


def _bounds(read: Reading, *patterns: re.Pattern[str]) -> list[tuple[str, int, PromptQuote]]:
    """Bounds in words of the prompt: of what, and how many."""
    return [
        (
            _unit(found["unit"]),
            _number(found["number"]),
            quote(read.text, one.start + found.start(), one.start + found.end()),
        )
        for one in read.sentences
        for each in patterns
        for found in each.finditer(one.text)
        if not _EACH.search(one.text[: found.end() + _NEAR])
    ]


_NEAR = 20
"""Characters behind a bound in which `each` still speaks of it."""


def _unit(word: str) -> str:
    return word.lower().removesuffix("s")


def _number(told: str) -> int:
    plain = told.replace(",", "").lower()
    return int(plain) if plain.isdigit() else _COUNTS[plain.rpartition(" ")[2]]


def _sentences_with(read: Reading, wanted: re.Pattern[str], but: re.Pattern[str]) -> tuple[PromptQuote, ...]:
    return quoted(one for one in read.sentences if wanted.search(one.text) and not but.search(one.text))


def _outside(read: Reading) -> Iterator[PromptQuote]:
    """Demands for what is not at hand; an exception or a prohibition says so before."""
    for one in read.sentences:
        found = _OUTSIDE.search(one.text)
        if found and not _UNLESS.search(one.text[: found.start()]):
            yield quote(read.text, one.start + found.start(), one.start + found.end())


_ALONE = pattern("alone")
_BESIDE = frozenset({OutputForm.bullets, OutputForm.prose})
"""Forms that no parser reads."""


def _alone_clash(read: Reading) -> Sides:
    """One form and nothing else, and another form as well."""
    told = tuple(one for form, some in forms(read).items() if form in _BESIDE for one in some)
    return read.quotes(_ALONE), told


def _form_clash(read: Reading) -> Sides:
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
