"""The words of the rules: read once from `words.yaml`, as patterns."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

_TOLD: Mapping[str, Any] = yaml.safe_load((Path(__file__).parent / "words.yaml").read_text())
VERSION: str = _TOLD["version"]


def _listed(told: str) -> list[str]:
    return told.split("; ")


FACTS: frozenset[str] = frozenset(_listed(_TOLD["verbs"]["facts"]))
"""Work whose result says something about the world or about documents."""
SEARCH: frozenset[str] = frozenset(_listed(_TOLD["verbs"]["search"]))
"""Work whose object is what is looked for, not what it is taken from."""
HANDLING: frozenset[str] = frozenset(_listed(_TOLD["verbs"]["handling"]))
"""Work that meets cases, and states nothing of them."""
MAKING: frozenset[str] = frozenset(_listed(_TOLD["verbs"]["making"]))
"""Work whose result is a text, a plan or a change, and no statement that somebody relies on."""
WORK: frozenset[str] = FACTS | SEARCH | HANDLING | MAKING
_VERBS = sorted(WORK, key=len, reverse=True)
_PARTS = {**{part: _listed(told) for part, told in _TOLD["parts"].items()}, "verbs": _VERBS}


def pattern(name: str) -> re.Pattern[str]:
    text = "|".join(_alternative(one) for one in _TOLD["patterns"][name])
    for part, words in _PARTS.items():
        text = text.replace(f"%{part}%", f"(?:{'|'.join(words)})")
    return re.compile(text, re.IGNORECASE | re.MULTILINE)


def _alternative(one: str | Mapping[str, str]) -> str:
    return one if isinstance(one, str) else rf"\b(?:{'|'.join(_listed(one['words']))})\b"
