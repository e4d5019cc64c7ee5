"""What a workflow is, in words: for people who read the template, and for the card that finds it.

Each kind of words has a place of its own: what the author says, what the steps are called, which services it uses. So a
long note on the canvas does not drown what the workflow does.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from graph_schema.model.fields import LIST_LENGTH, NAME_LENGTH, TEXT_LENGTH
from service.library.n8n.workflow import Json, Need, Node
from service.words import content_words

NOTES = 800
"""So many characters of the notes on the canvas are words of the template: most of the rest tells how to set it up."""

_ENDING = "…"
_MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|</?[a-zA-Z][^>]*>|https?://\S+|\{\{.*?\}\}|[#*_`>|~]+|-{3,}")
_SILENT_NAMES = """
workflow workflows flow automation automated template untitled unnamed new copy test demo example sample draft main
if switch merge set code function filter wait noop start webhook http request manual trigger schedule cron n8n
"""
_SILENT = frozenset(_SILENT_NAMES.split())
_MOST_NAMED = 3


def shortened(text: str, most: int) -> str:
    """A bounded extract: the beginning, to the end of a word."""
    if len(text) <= most:
        return text
    head = text[: most - len(_ENDING)]
    return (head.rpartition(" ")[0] or head).rstrip() + _ENDING


def name_of(given: Any, nodes: Sequence[Node], needs: Sequence[Need]) -> str:
    """What the author calls it; where that says nothing ("If Workflow"), what it uses and does."""
    name = _plain(given) if isinstance(given, str) else ""
    said = [word for word in content_words(name) if word not in _SILENT and not word.isdigit()]
    if said or (name and not name.isascii()):
        return shortened(name, NAME_LENGTH)
    return shortened(_made_name(nodes, needs) or name or "Workflow", NAME_LENGTH)


def description_of(file: Json, nodes: Sequence[Node], stickies: Sequence[Json]) -> str | None:
    """What the author says of the whole, what single nodes say, then the beginning of the notes on its canvas."""
    notes = shortened("\n".join(dict.fromkeys(filter(None, _notes(stickies)))), NOTES)
    parts = [*_said(file), *_purposes(nodes), notes]
    return shortened("\n".join(dict.fromkeys(one for one in parts if one)), TEXT_LENGTH) or None


def steps_of(nodes: Sequence[Node]) -> tuple[str, ...]:
    """What the steps are called that are switched on. What only its type is called says what type it is."""
    names = (shortened(_plain(one.name), NAME_LENGTH) for one in nodes if not one.disabled)
    return tuple(dict.fromkeys(names))[:LIST_LENGTH]


def _made_name(nodes: Sequence[Node], needs: Sequence[Need]) -> str:
    services = _listed(one.name for one in needs)
    steps = _listed(one for one in steps_of(nodes) if any(word not in _SILENT for word in content_words(one)))
    return ": ".join(one for one in (services, steps) if one)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(list(names)[:_MOST_NAMED])


def _said(file: Json) -> Iterator[str]:
    meta = file.get("meta")
    for holder in (file, cast("Json", meta) if isinstance(meta, dict) else {}):
        for field in ("description", "notes"):
            yield _plain(holder.get(field))


def _notes(stickies: Sequence[Json]) -> Iterator[str]:
    for one in stickies:
        parameters = one.get("parameters")
        content = cast("Json", parameters).get("content") if isinstance(parameters, dict) else None
        yield _plain(_MARKUP.sub(r" \1 ", content)) if isinstance(content, str) else ""


def _purposes(nodes: Sequence[Node]) -> Iterator[str]:
    """What nodes say of themselves. A sentence that several share but for their type tells nothing of any of them."""
    told = [(one, _plain(one.purpose)) for one in nodes if one.purpose]
    patterns = Counter(_pattern(one, text) for one, text in told)
    for one, text in told:
        if patterns[_pattern(one, text)] == 1:
            yield f"{_plain(one.name)}: {text}"


def _pattern(node: Node, text: str) -> str:
    return text.replace(node.type.rpartition(".")[2], "")


def _plain(text: Any) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""
