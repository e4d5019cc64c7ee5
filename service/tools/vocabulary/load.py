"""The words in force: those of this version, with the synonyms that the operator adds."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from graph_schema.tools.words import ToolErrorClass
from service.errors import SettingsInvalid

_OURS = Path(__file__).parent / "words.yaml"
_APART = re.compile(r"[\s_\-./]+")
_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST = 500


class ToolWordsInvalid(SettingsInvalid):
    """The operator's words are read at the start, and refused there."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__("TASKLORE_TOOL_WORDS", f"{path}: {problem}")


@dataclass(frozen=True)
class Vocabulary:
    """`version` names what is in force: that of the file, and a hash of what was added."""

    version: str
    axes: Mapping[str, str]
    """Every word that is known, and the axis that it means."""
    errors: Sequence[tuple[ToolErrorClass, re.Pattern[str]]]
    phrases: Mapping[str, re.Pattern[str]]

    @property
    def names(self) -> list[str]:
        """The axes that are known."""
        return sorted({*self.axes.values()})

    def axis(self, said: str) -> str:
        """The axis that a word means. One that is not known means itself; empty when nothing is left of it."""
        word = normal(said)
        return self.axes.get(word, word)

    def knows(self, axis: str) -> bool:
        return axis in self.axes

    def axes_of(self, said: Iterable[str]) -> list[str]:
        """Each once, in an order that does not depend on how they were said."""
        return sorted({axis for one in said if (axis := self.axis(one))})

    def error_class(self, code: str | None, message: str | None = None) -> ToolErrorClass:
        """Whose fault an error is, by its code, else by what it says; unknown when neither tells."""
        for text in (code, message):
            line = f" {normal(_BEGINS.sub(' ', text or ''))} {(text or '').lower()} "
            found = next((kind for kind, pattern in self.errors if pattern.search(line)), None)
            if found is not None:
                return found
        return ToolErrorClass.unknown

    def corrections(self, text: str | None) -> list[str]:
        """The rules on phrases that would call this a correction."""
        line = f" {' '.join((text or '').lower().split())} "
        return [name for name, pattern in self.phrases.items() if pattern.search(line)]


def normal(said: str) -> str:
    """A word in lower case, without marks around it, single spaces inside."""
    return _APART.sub(" ", said).strip(" \t\n'\"!?,;:()[]{}<>*#").lower()


@cache
def vocabulary_of(added: Path | None = None) -> Vocabulary:
    ours = yaml.safe_load(_OURS.read_text(encoding="utf-8"))
    axes: dict[str, list[str]] = ours["axes"]
    version: str = ours["version"]
    if added is not None:
        text = _text(added)
        more = _checked(added, text)
        axes = {name: [*axes.get(name, ()), *more.get(name, ())] for name in {**axes, **more}}
        version = f"{version}+{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    known = {normal(word): normal(name) for name, words in axes.items() for word in (name, *words)}
    return Vocabulary(
        version,
        known,
        [(ToolErrorClass(kind), _any_of(words)) for kind, words in ours["errors"].items()],
        {name: _any_of(words) for name, words in ours["phrases"].items()},
    )


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<![a-z0-9]){re.escape(one)}" for one in words))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ToolWordsInvalid(str(path), f"it cannot be read ({error})") from None


def _checked(path: Path, text: str) -> dict[str, list[str]]:
    try:
        given: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ToolWordsInvalid(str(path), f"it is no YAML ({error})") from None
    axes: Any = cast("dict[str, Any]", given).get("axes") if isinstance(given, dict) else None
    if not isinstance(axes, dict) or {*cast("dict[str, Any]", given)} != {"axes"}:
        raise ToolWordsInvalid(str(path), "it has `axes`, a mapping of axes to their synonyms, and nothing else")
    for name, words in cast("dict[Any, Any]", axes).items():
        if not isinstance(words, list) or not all(isinstance(one, str) for one in cast("list[Any]", words)):
            raise ToolWordsInvalid(str(path), f"axes.{name} is no list of words")
        if len(cast("list[str]", words)) > _MOST:
            raise ToolWordsInvalid(str(path), f"axes.{name} has more than {_MOST} words")
    return cast("dict[str, list[str]]", axes)
