"""A document as sections: by its headings, each with its place, its anchor and its hash. Pure."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH, TEXT_LENGTH
from service.words import fold

_HEADING = re.compile(r"^(#{1,6})\s+(\S.*?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_NO_WORD = re.compile(r"[^\w.]+")
OWN = "docs"
"""The source of our own documents."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with what it is called, whose it is, and its text in Markdown."""

    key: str
    title: str
    text: str
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section: the heading, and all that stands below it before the next one."""

    document: Document
    heading: str
    path: str
    anchor: str
    body: str
    place: int

    @property
    def body_hash(self) -> str:
        return hashlib.sha256(f"{self.path}\n{self.body}".encode()).hexdigest()

    @property
    def citation(self) -> str:
        return f"{self.document.key}#{self.anchor}"


def sections(document: Document) -> list[Section]:
    """In their order. What stands before the first heading is a section of the document's title; a section without text
    is none. A section that is longer than a record can hold goes on in parts."""
    found: list[Section] = []
    taken: dict[str, int] = {}
    for headings, body in _split(document.text):
        path = " > ".join(headings) or document.title
        heading = headings[-1] if headings else document.title
        for part in _parts(body):
            anchor = _anchor(heading, taken)
            found.append(
                Section(document, heading[:NAME_LENGTH], path[:TEXT_LENGTH], anchor, part, len(found) + 1)
            )  # fmt: skip
    return found


def _split(text: str) -> Iterator[tuple[list[str], str]]:
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        told = None if fenced else _HEADING.match(line)
        if told is None:
            lines.append(line)
            continue
        yield [one for _, one in headings], "\n".join(lines).strip()
        level = len(told[1])
        headings = [*(one for one in headings if one[0] < level), (level, told[2])]
        lines = []
    yield [one for _, one in headings], "\n".join(lines).strip()


def _parts(body: str) -> Iterator[str]:
    while len(body) > LONG_TEXT_LENGTH:
        cut = body.rfind("\n", 1, LONG_TEXT_LENGTH)
        end = cut if cut > 0 else LONG_TEXT_LENGTH
        yield body[:end]
        body = body[end:].lstrip("\n")
    if body:
        yield body


def _anchor(heading: str, taken: dict[str, int]) -> str:
    """As people link to headings: in small letters with dashes; the second of a name has a number."""
    base = _NO_WORD.sub("-", fold(heading)).strip("-.")[:NAME_LENGTH] or "section"
    taken[base] = taken.get(base, 0) + 1
    return base if taken[base] == 1 else f"{base}-{taken[base]}"


@cache
def own_sections(folder: Path | None = None) -> tuple[Section, ...]:
    """Our own docs, which everybody may read. None where they were not installed with the code."""
    place = folder or Path(__file__).parents[3] / "docs"
    files = sorted(place.glob("*.md")) if place.is_dir() else []
    return tuple(one for file in files for one in sections(_document(file)))


def _document(file: Path) -> Document:
    text = file.read_text("utf-8")
    first = next((told[2] for line in text.splitlines() if (told := _HEADING.match(line))), file.stem)
    return Document(f"{OWN}/{file.name}", first[:NAME_LENGTH], text, file.stem)
