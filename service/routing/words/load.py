"""The words in force: those of this version, with what the operator adds."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from service.routing.words.errors import WordsInvalid
from service.routing.words.patterns import PatternInvalid, compiled, expression

_OURS = Path(__file__).parent / "words.yaml"
_MOST_PHRASES = 500
_LONGEST_PHRASE = 200
_PARTS = ("lists", "phrases")

Given = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True)
class Words:
    """`version` names what is in force: that of the file, and a hash of what was added."""

    version: str
    phrases: Mapping[str, re.Pattern[str]]

    def find(self, name: str, line: str) -> re.Match[str] | None:
        """The first place where one of the phrases of this name stands."""
        return self.phrases[name].search(line)

    def match(self, name: str, line: str) -> re.Match[str] | None:
        """The phrase that the line begins with."""
        return self.phrases[name].match(line, 1)


@cache
def words_of(added: Path | None = None) -> Words:
    ours = yaml.safe_load(_OURS.read_text(encoding="utf-8"))
    if added is None:
        return _words(ours["version"], ours)
    text = _text(added)
    more = _checked(added, text, ours)
    joined = {part: {name: [*ours[part][name], *more[part].get(name, ())] for name in ours[part]} for part in _PARTS}
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return _words(f"{ours['version']}+{digest}", joined)


def _words(version: str, given: Mapping[str, Any]) -> Words:
    return Words(version, {name: compiled(phrases, given["lists"]) for name, phrases in given["phrases"].items()})


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise WordsInvalid(str(path), f"it cannot be read ({error})") from None


def _checked(path: Path, text: str, ours: Given) -> dict[str, dict[str, list[str]]]:
    """What the operator adds: to lists and phrases that there are, each of them a phrase that can be read."""
    try:
        given: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise WordsInvalid(str(path), f"it is no YAML ({error})") from None
    if not isinstance(given, dict):
        raise WordsInvalid(str(path), "it has neither lists nor phrases")
    parts = cast("dict[str, Any]", given)
    if unknown := [one for one in parts if one not in _PARTS]:
        raise WordsInvalid(str(path), f"{unknown[0]!r} is neither lists nor phrases")
    found = {part: _part(path, part, parts.get(part) or {}, ours) for part in _PARTS}
    lists = {name: [*listed, *found["lists"].get(name, ())] for name, listed in ours["lists"].items()}
    for part in _PARTS:
        for name, phrases in found[part].items():
            _check_phrases(path, f"{part}.{name}", phrases, lists)
    return found


def _check_phrases(path: Path, place: str, phrases: Sequence[str], lists: Mapping[str, Sequence[str]]) -> None:
    for one in phrases:
        try:
            expression(one, lists)
        except PatternInvalid as error:
            raise WordsInvalid(str(path), f"{place}: {error}") from None


def _part(path: Path, part: str, given: Any, ours: Given) -> dict[str, list[str]]:
    if not isinstance(given, dict):
        raise WordsInvalid(str(path), f"{part} is no mapping of names to phrases")
    for name, phrases in cast("dict[str, Any]", given).items():
        if name not in ours[part]:
            raise WordsInvalid(str(path), f"{part}.{name} is unknown; there are {', '.join(sorted(ours[part]))}")
        if not isinstance(phrases, list) or not all(isinstance(one, str) for one in cast("list[Any]", phrases)):
            raise WordsInvalid(str(path), f"{part}.{name} is no list of phrases")
        if len(cast("list[str]", phrases)) > _MOST_PHRASES:
            raise WordsInvalid(str(path), f"{part}.{name} has more than {_MOST_PHRASES} phrases")
        if long := [one for one in cast("list[str]", phrases) if len(one) > _LONGEST_PHRASE]:
            raise WordsInvalid(
                str(path), f"{part}.{name}: {long[0][:40]!r}… has more than {_LONGEST_PHRASE} characters"
            )
    return cast("dict[str, list[str]]", given)
