"""Whether what a page shows is what was answered: word for word, but for the space between words and for `…`."""

import json
import re
from typing import Any, cast

LEFT_OUT = "…"
_STRING_OR_SPACE = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|\s+', re.DOTALL)
"""A text may be left open at the end of what is shown."""


def shows(shown: str, seen: str) -> bool:
    """Whether all that is shown stands in what was seen, in that order; `…` stands for anything."""
    at = 0
    for part in shown.split(LEFT_OUT):
        found = seen.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def shows_text(shown: str, seen: str) -> bool:
    return shows(_spaced(shown), _spaced(seen))


class Lines(list[Any]):
    """Several values, one on each line."""


def shows_json(shown: str, seen: Any) -> bool:
    values = seen if isinstance(seen, Lines) else [seen]
    return shows(_squeezed(shown), "".join(_squeezed(json.dumps(one, ensure_ascii=False)) for one in values))


def texts(value: Any) -> str:
    """All texts of an answer, one after another."""
    match value:
        case str():
            return value
        case dict():
            return "\n".join(texts(one) for one in cast("dict[str, Any]", value).values())
        case list():
            return "\n".join(texts(one) for one in cast("list[Any]", value))
        case _:
            return "" if value is None else str(value)


def _spaced(text: str) -> str:
    """A `…` swallows the space beside it."""
    return re.sub(r"\s*…\s*", LEFT_OUT, " ".join(text.split()))


def _squeezed(text: str) -> str:
    return _STRING_OR_SPACE.sub(lambda found: found[1] or "", text.strip())
