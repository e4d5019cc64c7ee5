"""Which files the documentation has, by the address that each is served at."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
README = "README.md"
SCHEMA = "schema.graphql"

MEDIA = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
}
PLAIN = "text/plain; charset=utf-8"
SHOWN = {
    ".md",
    ".ts",
    ".mjs",
    ".graphql",
    ".svg",
    ".png",
    ".json",
    ".grass",
    ".service",
    ".conf",
    ".yaml",
    ".yml",
    ".toml",
    ".env",
    ".Containerfile",
}

_SECTION = re.compile(r"^## Where to go on$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_GROUP = re.compile(r"^### (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(docs/([^)#]+\.md)\)")
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Group:
    title: str
    pages: tuple[str, ...]


@cache
def files() -> dict[str, Path]:
    """By name, relative to the folder of the documentation. Empty when the service was installed without its clone."""
    if not DOCS.is_dir():
        return {}
    found = {
        str(PurePosixPath(file.relative_to(DOCS))): file
        for file in sorted(DOCS.rglob("*"))
        if file.is_file() and (file.suffix in SHOWN or file.name == "Containerfile")
    }
    return {README: ROOT / README, SCHEMA: ROOT / "resolvers" / SCHEMA} | found


def document_names() -> list[str]:
    return [name for name in files() if name.endswith(".md")]


@cache
def groups() -> tuple[Group, ...]:
    """As the README has them, then what it does not name."""
    if not files():
        return ()
    section = _SECTION.search(files()[README].read_text("utf-8"))
    _, *parts = _GROUP.split(section[1] if section else "")
    made = [
        Group(title, tuple(dict.fromkeys(name for name in _LINK.findall(text) if name in files())))
        for title, text in zip(parts[::2], parts[1::2], strict=True)
    ]
    named = {README, *(name for group in made for name in group.pages)}
    records = tuple(name for name in document_names() if name.startswith("adr/") and name not in named)
    return (*made, Group("Decisions", records))


@cache
def title_of(name: str) -> str:
    found = _TITLE.search(files()[name].read_text("utf-8"))
    return found[1].replace("`", "") if found else name


def media_type(name: str) -> str:
    return MEDIA.get(PurePosixPath(name).suffix, PLAIN)
