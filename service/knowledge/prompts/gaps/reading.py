"""A prompt as the rules read it: its sentences, what work it asks for, and where it lives. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from service.knowledge.prompts.gaps.finding import PromptQuote
from service.knowledge.prompts.gaps.words import FACTS, HANDLING, MAKING, SEARCH, pattern
from service.knowledge.prompts.place import Place
from service.knowledge.prompts.text import Sentence, sentences, words

_ASKED = pattern("asked")
_TOLD = pattern("told")
_PURPOSE = pattern("purpose")
_MANNER = pattern("manner")
_USED_TO = pattern("used_to")
_QUESTION = pattern("question")
_WANTED = pattern("wanted")
_WORLDLY = pattern("worldly")
_INQUIRY = pattern("inquiry")
_CITED = pattern("cited")
_GENRE = pattern("genre")
MATERIAL = pattern("material")
_CONDITION = re.compile(r"(?:if|where|unless|in case|should)\b", re.IGNORECASE)
OPEN = pattern("open")
_LEAD = re.compile(r"^(?:[-*•>#]+|\(?\w{1,2}[.)])\s+")
"""What stands before a line of a list, or a heading."""
_LITERAL = re.compile(r'(?<!\w)"[^"]{0,1000}"(?!\w)|“[^”]{0,1000}”|`[^`\n]*`')
_TITLE = 3
"""Words of a heading or a greeting ("Hi team!"), which ask for nothing yet."""
_BESIDE = frozenset({"look at", "list", "read"})
"""Work that serves another, where there is another."""


@dataclass(frozen=True, slots=False)
class Reading:
    """A prompt beside where it lives."""

    text: str
    place: Place

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return sentences(self.text)

    @cached_property
    def bare(self) -> str:
        """The text with blanks for what it quotes: literals, keys, texts that are pasted. As long as the text."""
        return _LITERAL.sub(lambda found: " " * len(found[0]), self.text)

    def said_in(self, one: Sentence) -> str:
        """What the author says in a sentence, without what is quoted there."""
        return self.bare[one.start : one.end]

    @cached_property
    def words(self) -> list[str]:
        return words(self.bare)

    @cached_property
    def asked(self) -> tuple[tuple[str, Sentence], ...]:
        """The work that is asked for: verbs, with their sentences."""
        found = ((one, each.search(one.text)) for one in self.sentences for each in (_ASKED, _TOLD, _USED_TO))
        return tuple((_verb(match), one) for one, match in found if match)

    @cached_property
    def work(self) -> list[str]:
        """The verbs of what is asked for in any case; what is done if something is the case says little of the work."""
        verbs = [(verb, _CONDITION.match(_LEAD.sub("", one.text))) for verb, one in self.asked]
        return [verb for verb, condition in verbs if not condition]

    @property
    def purpose(self) -> re.Match[str] | None:
        return _PURPOSE.search(self.text)

    @cached_property
    def tasks(self) -> tuple[Sentence, ...]:
        """Sentences that say what to do: those with work, and those that are more than a manner.

        There are more ways to ask for something than verbs in a table ("A toast for my sister's wedding"), but few
        ways to say how to behave: so what is no manner is taken for a task.
        """
        works = {one for _, one in self.asked}
        return tuple(one for one in self.sentences if one in works or not self._is_manner(one))

    def _is_manner(self, one: Sentence) -> bool:
        text = _LEAD.sub("", one.text)
        said = words(text)
        is_title = len(said) <= _TITLE and not text.endswith((".", "?"))
        return not said or is_title or _MANNER.search(text) is not None

    @cached_property
    def is_about_facts(self) -> bool:
        """Whether somebody will rely on what it says about the world or about documents."""
        verbs = [one for one in self.work if one not in _BESIDE] or self.work
        return self.inquires or any(one in FACTS for one in verbs) or self._takes_from

    @property
    def _takes_from(self) -> bool:
        """Whether something is taken from material, by a verb of no table and not to make a text of some kind."""
        said = self.work or not self.tasks or self.has(OPEN)
        return not said and self.has(MATERIAL) and not _GENRE.search(self.task.text)

    @property
    def meets_cases(self) -> bool:
        """Whether what it works on may turn out otherwise than its author thinks."""
        return self.is_about_facts or any(one in HANDLING for one in self.work)

    @cached_property
    def searches(self) -> bool:
        """Whether what is looked for is named, and not what it is taken from."""
        return any(one in SEARCH for one in self.work) or self.inquires or self.has(_CITED)

    @property
    def inquires(self) -> bool:
        """Whether something is to be found out that no verb of a table asks for."""
        asks = self.has(_QUESTION) or self.has(_WANTED) or _INQUIRY.search(self.task.text) is not None
        makes = self.work[:1]
        return asks or (not (makes and makes[0] in MAKING) and self.has(_WORLDLY))

    @property
    def task(self) -> Sentence:
        """The sentence that says what to do, else the first."""
        return next(iter(self.tasks), self.sentences[0])

    def has(self, pattern: re.Pattern[str]) -> bool:
        return pattern.search(self.text) is not None

    def quotes(self, pattern: re.Pattern[str]) -> tuple[PromptQuote, ...]:
        return tuple(quote(self.text, one.start(), one.end()) for one in pattern.finditer(self.text))

    def with_(self, pattern: re.Pattern[str]) -> Iterator[Sentence]:
        yield from (one for one in self.sentences if pattern.search(one.text))


def _verb(match: re.Match[str]) -> str:
    return (match["verb"] or "do").lower()


def quote(text: str, start: int, end: int) -> PromptQuote:
    return PromptQuote(text=text[start:end], start=start, end=end)


def quoted(found: Iterable[Sentence]) -> tuple[PromptQuote, ...]:
    return tuple(PromptQuote(text=one.text, start=one.start, end=one.end) for one in found)
