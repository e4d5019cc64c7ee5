"""The pages' own index: a section is found by the words of its heading, of its page's title and of its text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it.token import Token

from service.lexical import lexical, named
from service.web.documents.library import document_names, files, title_of
from service.web.documents.markdown import tokens_of
from service.words import spoken, stems

MOST = 20
EXCERPT = 240
HEADING, TITLE, SAID = 0.6, 0.3, 0.6
MOST_SAID = 4


@dataclass(frozen=True)
class Section:
    page: str
    title: str
    heading: str
    anchor: str
    text: str
    words: frozenset[str]
    """Those of its heading and its text."""
    named: frozenset[str]
    """Those of its heading."""
    spoken: str
    """Heading and text, folded, with one space between words."""
    titled: frozenset[str]
    """Those of its page's title."""


@dataclass(frozen=True)
class Found:
    section: Section
    score: float
    excerpt: str


def search(text: str) -> list[Found]:
    """The sections that have most of what is asked, by how rare its words are; of equals, the first in the index."""
    asked = stems(text)
    numbers = sorted({number for word in asked for number in _places().get(word, ())})
    words = spoken(text)
    found = [(_score(asked, words, sections()[number]), sections()[number]) for number in numbers]
    best = sorted(found, key=lambda one: -one[0])[:MOST]
    return [Found(section, score, _excerpt(section.text, asked)) for score, section in best]


def _score(asked: frozenset[str], words: str, section: Section) -> float:
    """Saying it in just these words, more than once, counts too."""
    share = lexical(asked, section.words)
    said = SAID * min(section.spoken.count(words), MOST_SAID) / MOST_SAID
    return said + share + HEADING * named(asked, section.named) * share + TITLE * lexical(asked, section.titled)


@cache
def _places() -> dict[str, list[int]]:
    """By word, the sections that have it."""
    places: dict[str, list[int]] = {}
    for number, section in enumerate(sections()):
        for word in section.words:
            places.setdefault(word, []).append(number)
    return places


def _excerpt(text: str, asked: frozenset[str]) -> str:
    """From the first sentence that has a word of what was asked."""
    sentences = text.replace("\n", " ").split(". ")
    start = next((at for at, one in enumerate(sentences) if asked & stems(one)), 0)
    told = ". ".join(sentences[start:])
    return told if len(told) <= EXCERPT else f"{told[:EXCERPT].rsplit(' ', 1)[0]} …"


@cache
def sections() -> tuple[Section, ...]:
    return tuple(section for name in document_names() for section in _sections_of(name))


def _sections_of(name: str) -> Iterator[Section]:
    tokens = tokens_of(files()[name].read_text("utf-8"))
    starts = [at for at, one in enumerate(tokens) if one.type == "heading_open"]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        heading, text = tokens[start + 1].content.replace("`", ""), _text(tokens[start + 3 : end])
        yield Section(
            page=name,
            title=title_of(name),
            heading=heading,
            anchor=str(tokens[start].attrs["id"]),
            text=text,
            words=stems(f"{heading} {text}"),
            named=stems(heading),
            spoken=spoken(f"{heading} {text}"),
            titled=stems(title_of(name)),
        )


def _text(tokens: Sequence[Token]) -> str:
    return "\n".join(one.content.replace("`", "") for one in tokens if one.content)
