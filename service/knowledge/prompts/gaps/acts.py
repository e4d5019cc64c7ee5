"""What is done to the world, with whose word; and which tools may be used, when. Pure."""

import re
from collections.abc import Iterable, Iterator

from graph_schema.knowledge.prompt_words import GapSeverity, PromptGap, PromptSurface
from service.knowledge.prompts.gaps.finding import PromptFinding, PromptQuote
from service.knowledge.prompts.gaps.reading import Reading, quote, quoted
from service.knowledge.prompts.gaps.words import pattern

_ACT = pattern("act")
_DELETE = pattern("delete")
_DONE = pattern("done")
_NOT = pattern("not")
_OTHERS = re.compile(r"\b(?:who|which|that)(?: \w+){0,3}? (?:and |then |also )*$", re.IGNORECASE)
"""What somebody else does."""
_TALK = re.compile(r"post|message|reply|inform|notify|text", re.IGNORECASE)
_WITH_A_WORD = pattern("with_a_word")
_AT_ONCE = pattern("at_once")
_WAIVED = pattern("waived")
_UNASKED = pattern("unasked")
_DENIED = re.compile(r"\b(?:not|never|no|nothing|nobody)\b|n't\b", re.IGNORECASE)
TOOLS = pattern("tools")
_LIMIT = pattern("limit")
_USING = pattern("using")
_BOUNDED = pattern("bounded")
_TOOL = re.compile(r"\btools?\b", re.IGNORECASE)


def acts(read: Reading) -> Iterator[PromptQuote]:
    """Where the prompt has something sent, deleted, paid or published."""
    for one in read.sentences:
        said = read.said_in(one)
        of_it = {found.start("act"): found for each in (_ACT, _DELETE, _DONE) for found in each.finditer(said)}
        for start, found in sorted(of_it.items()):
            by_others = found.re is not _DONE and _OTHERS.search(said[:start])
            if not by_others and not _NOT.search(said[:start]) and not _is_talk(read, found["act"]):
                yield quote(read.text, one.start + found.start("act"), one.start + found.end("act"))


def _is_talk(read: Reading, act: str) -> bool:
    """In a room, to post is to speak."""
    return read.place.surface is PromptSurface.room_role_prompt and _TALK.match(act) is not None


def unsafe_side_effect(read: Reading) -> Iterator[PromptFinding]:
    waived, unasked = (tuple(_unless_denied(read, one)) for one in (_WAIVED, _UNASKED))
    found = tuple(acts(read)) or unasked
    if not found or _is_asked(read, (*waived, *unasked)):
        return
    hurried = read.quotes(_AT_ONCE)
    yield PromptFinding(
        finding_kind=PromptGap.unsafe_side_effect_instruction,
        severity=GapSeverity.high,
        explanation="It changes something outside that cannot be taken back, and nobody says yes before.",
        shown_by=(*found, *hurried),
        missing=("whose approval it needs", "what it may touch at most"),
        suggested_fix="Have it prepare a draft or a list and wait for a person's yes; bound what it may touch.",
        rule="unsafe_side_effect",
    )


def _unless_denied(read: Reading, wanted: re.Pattern[str]) -> Iterator[PromptQuote]:
    """Where it says that no yes is needed; "nothing without approval" says the opposite."""
    for one in read.sentences:
        for found in wanted.finditer(one.text):
            if not _DENIED.search(one.text[: found.start()]):
                yield quote(read.text, one.start + found.start(), one.start + found.end())


def _is_asked(read: Reading, waived: Iterable[PromptQuote]) -> bool:
    """Whether somebody says yes before, by other words than those that say that nobody has to."""
    text = read.text
    for one in waived:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return _WITH_A_WORD.search(text) is not None


def tool_policy(read: Reading) -> Iterator[PromptFinding]:
    """Tools are there, and no sentence about them says when or how far."""
    if read.place.is_rubric or read.place.is_contract:
        return
    named = tuple(read.with_(TOOLS))
    if not (named or read.place.capabilities) or _says_when(read):
        return
    mounted = ", ".join(read.place.capabilities)
    yield PromptFinding(
        finding_kind=PromptGap.missing_tool_policy,
        severity=GapSeverity.medium,
        explanation=f"It may use {mounted or 'tools'}, and nothing says when, in which order or how far.",
        shown_by=quoted(named),
        missing=("when each tool is used", "how often at most, and what it is not used for"),
        suggested_fix="Say for each tool what it is for, which comes first, and where to stop.",
        rule="tool_policy",
    )


def _says_when(read: Reading) -> bool:
    names = {word for one in read.place.capabilities for word in re.split(r"[\W_]+", one.lower()) if len(word) > 2}
    return read.has(_BOUNDED) or any(
        _LIMIT.search(one.text)
        and _USING.search(one.text)
        and (not names or names & {*re.findall(r"[a-z]+", one.text.lower())} or _TOOL.search(one.text))
        for one in read.sentences
    )
