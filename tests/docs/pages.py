"""The fenced blocks of the pages, and which of them belong together: an example, its variables, what it answers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "docs/browser/queries.md"]
"""Decision records are not among them: they tell of the past."""

RUN = ("graphql", "sh", "console", "python", "cypher")
SHOWN = ("json", "text")
PICTURES = ("mermaid",)
VARIABLES = "variables"
NOT_RUN = re.compile(r"not-run: (\S.*)")

_MARKDOWN = MarkdownIt()


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    mark: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def reason(self) -> str | None:
        """Why it is not run."""
        found = NOT_RUN.fullmatch(self.mark)
        return found[1] if found else None


@dataclass(frozen=True)
class Example:
    block: Block
    variables: Block | None = None
    shown: Block | None = None
    """What it answers, as the page tells it."""


@dataclass
class Page:
    name: str
    examples: list[Example] = field(default_factory=list[Example])
    others: list[Block] = field(default_factory=list[Block])
    """Blocks that are not run, and say why."""
    wrong: list[str] = field(default_factory=list[str])
    """What does not follow the rules of docs/contributing.md."""


def read_page(file: Path) -> Page:
    page = Page(str(file.relative_to(ROOT)))
    for token in _code(file.read_text()):
        if token.type == "code_block":
            page.wrong.append(f"{page.name}:{_line(token)}: an indented block; write it fenced, with its language")
            continue
        language, _, mark = token.info.strip().partition(" ")
        _place(page, Block(page.name, _line(token), language, mark.strip(), token.content))
    return page


def _place(page: Page, block: Block) -> None:
    last = page.examples[-1] if page.examples else None
    if block.reason or block.language in PICTURES:
        page.others.append(block)
    elif block.language in RUN and not block.mark:
        page.examples.append(Example(block))
    elif block.language == "json" and block.mark == VARIABLES and last and not last.variables and not last.shown:
        page.examples[-1] = replace(last, variables=block)
    elif block.language in SHOWN and not block.mark and last and not last.shown:
        page.examples[-1] = replace(last, shown=block)
    else:
        page.wrong.append(f"{block.place}: is neither run, nor what a block before it answers, nor says why not")


def _code(text: str) -> Iterator[Token]:
    for token in _MARKDOWN.parse(text):
        if token.type in {"fence", "code_block"}:
            yield token


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0
