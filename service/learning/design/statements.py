"""Statements about how tasks are to be designed, found in what the user said. Rules that quote; nothing is made up.

A statement is a sentence that says how it is usually, always or never to be done. A wish for this one task ("add a red
team") is none: it is an answer.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph_schema.learning.design_words import StatementKind as Kind
from graph_schema.learning.design_words import StatementPolarity as Polarity
from service.words import spoken, stems

VERSION = 1
_NEGATED = re.compile(
    r"\b(?:never|don't|do not|hate|dislike|no need for|without)\b(?!\s+(?:skip|forget|leave))", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n+")
_HABIT = (
    r"\b(i|we) (usually|always|generally|normally|typically|often|never|mostly)\b"
    r"|\b(i|we) (?:\w+ )?(like|prefer|love|hate|dislike|don't like|do not like)\b"
    r"|\b(always|never|usually|by default|from now on|in (the )?future|going forward|as a rule|every time)\b"
)
_CONDITION = re.compile(
    r"^(?:for|when|whenever|if|with|in|on)\s+(?P<condition>[^,]{3,120}),\s*(?P<rest>.+)$", re.IGNORECASE
)
_UNLESS = re.compile(
    r"\b(?P<word>unless|except when|except|only when|only if)\s+(?P<condition>.{3,200}?)[.!]?$", re.IGNORECASE
)
_BECAUSE = re.compile(r"\b(?:because|since|so that)\s+(?P<because>.{3,300}?)[.!]?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rule:
    """A named pattern: what a sentence says, which way, and what it is a candidate for."""

    name: str
    pattern: re.Pattern[str]
    kind: Kind
    polarity: Polarity


def _rule(name: str, pattern: str, kind: Kind, polarity: Polarity) -> Rule:
    return Rule(f"{name} {VERSION}", re.compile(pattern, re.IGNORECASE), kind, polarity)


RULES: tuple[Rule, ...] = (
    _rule(
        "do_not_use_unless",
        r"\b(?:don't|do not|never|avoid)\b\s+(?:use|using|call|calling|touch|touching|run|running)\b",
        Kind.preference_candidate,
        Polarity.forbid,
    ),
    _rule(
        "do_not_ask",
        r"\b(?:don't|do not|never|stop)\s+(?:ask|asking|bother|bothering)\b"
        r"|\b(?:fewer|no more|not so many|too many) questions\b",
        Kind.task_agent_instruction_candidate,
        Polarity.avoid,
    ),
    _rule(
        "always_ask",
        r"\b(?:always|please)\s+(?:ask|check with|confirm with)\b.{0,20}\b(?:me|us)\b",
        Kind.task_agent_instruction_candidate,
        Polarity.require,
    ),
    _rule(
        "keep_results",
        r"\b(?:make|keep|save|store|file)\b.{1,60}\b(?:findable|searchable|work products?|library|for later)\b",
        Kind.artifact_policy_candidate,
        Polarity.prefer,
    ),
    _rule(
        "keep_nothing",
        r"\b(?:don't|do not|never)\s+(?:keep|save|store|file|remember)\b",
        Kind.artifact_policy_candidate,
        Polarity.avoid,
    ),
    _rule(
        "use_this_template",
        r"\b(?:use|take|start (?:from|with))\b.{1,80}\b(?:template|task|workflow)\b.{0,40}\b(?:for|when|whenever)\b",
        Kind.template_routing_directive,
        Polarity.prefer,
    ),
    _rule(
        "further_step",
        r"\b(?:second[- ]pass|look deeper|go deeper|deepen(?:ing)?|red[- ]?team(?:ing)?|double[- ]check)\b",
        Kind.pattern_card_update,
        Polarity.prefer,
    ),
    _rule(
        "goal_stated",
        r"\b(?:what matters (?:most )?is|the (?:goal|point|aim) is|it matters (?:most )?that)\b",
        Kind.goal_link,
        Polarity.prefer,
    ),
    _rule(
        "dislike",
        r"\b(?:hate|dislike|don't like|do not like|don't want|do not want|never)\b",
        Kind.preference_candidate,
        Polarity.avoid,
    ),
    _rule("liking", _HABIT, Kind.preference_candidate, Polarity.prefer),
)
"""The first that fits counts."""

_STANDING = re.compile(_HABIT, re.IGNORECASE)
_ALONE = frozenset({"do_not_use_unless 1", "do_not_ask 1", "always_ask 1", "goal_stated 1", "use_this_template 1"})
"""What is standing by itself. The others say it once unless the sentence tells of a habit, a condition or a reason."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A statement, in the user's words."""

    quote: str
    kind: Kind
    polarity: Polarity
    subject: str
    condition: str | None
    because: str | None
    rule: str


def heard(said: Sequence[str]) -> tuple[Heard, ...]:
    """The statements in what was said, each once, in order."""
    found = {spoken(one.quote): one for text in said for one in _in(text)}
    return tuple(found.values())


def _in(text: str) -> Iterator[Heard]:
    for sentence in _SENTENCES.split(text.strip()):
        quote = " ".join(sentence.replace("\u2019", "'").split())
        rule = next((one for one in RULES if one.pattern.search(quote)), None)
        if rule is not None and _is_standing(rule, quote):
            yield _heard(sentence.strip(), quote, rule)


def _is_standing(rule: Rule, quote: str) -> bool:
    if rule.name in _ALONE or _STANDING.search(quote):
        return not quote.endswith("?")
    return bool(_CONDITION.match(quote) or _BECAUSE.search(quote) or _UNLESS.search(quote)) and not quote.endswith("?")


def _heard(quote: str, plain: str, rule: Rule) -> Heard:
    because, condition, rest = _BECAUSE.search(plain), _CONDITION.match(plain), plain
    unless = _UNLESS.search(plain)
    if condition:
        rest = condition["rest"]
    if because:
        rest = rest.replace(because[0], "")
    if unless:
        rest = rest.replace(unless[0], "")
    told = unless[0].rstrip(".!") if unless else condition["condition"] if condition else None
    return Heard(
        quote=quote[:2_000],
        kind=rule.kind,
        polarity=Polarity.avoid if rule.polarity is Polarity.prefer and _NEGATED.search(rest) else rule.polarity,
        subject=rest.strip(" .,!") or plain,
        condition=told,
        because=because["because"] if because else None,
        rule=rule.name,
    )


_NO_QUESTIONS = re.compile(
    r"\b(?:don't|do not|never|stop|no need to)\s+(?:\w+\s+){0,2}?(?:ask|asking|bother|bothering|question|questioning)\b"
    r"|\b(?:fewer|less|no more|not so many|too many) questions\b",
    re.IGNORECASE,
)
_ABOUT_SLOT = re.compile(r"\b(?:about|for|which|what|whether|how|where|who)\b(?P<rest>.*)$", re.IGNORECASE)
_OF_NOTHING = frozenset(
    {"me", "us", "question", "anything", "everything", "every", "thing", "all", "so", "many", "much"}
)


def asks_less(quote: str) -> tuple[bool, str]:
    """Whether a statement wishes for fewer questions, and what it would not be asked about; nothing for all of them."""
    plain = " ".join(quote.replace("\u2019", "'").split())
    if not _NO_QUESTIONS.search(plain) or _UNLESS.search(plain):
        return False, ""
    about = _ABOUT_SLOT.search(_NO_QUESTIONS.split(plain, 1)[-1])
    rest = about["rest"].strip(" .!,") if about else ""
    return True, rest if stems(rest) - _OF_NOTHING else ""


def names_in(quote: str, name: str) -> bool:
    """Whether a statement speaks of something by its name, or by most of it."""
    said, called = f" {spoken(quote)} ", spoken(name)
    return bool(called) and f" {called} " in said
