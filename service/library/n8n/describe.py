"""What a workflow is, in words: for people who read the template, and for the card that finds it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

from graph_schema.model.fields import TEXT_LENGTH
from service.library.n8n.workflow import Json, Node

_ENDING = "…"


def shortened(text: str, most: int) -> str:
    """A bounded extract: the beginning, to the end of a word."""
    if len(text) <= most:
        return text
    head = text[: most - len(_ENDING)]
    return (head.rpartition(" ")[0] or head).rstrip() + _ENDING


def description_of(file: Json, nodes: Sequence[Node], stickies: Sequence[Json]) -> str:
    """What the author says of the whole, its steps by name, the notes on its canvas, then what single nodes say."""
    parts = [*_said(file), _steps(nodes), *_notes(stickies), *_purposes(nodes)]
    return shortened("\n".join(dict.fromkeys(one for one in parts if one)), TEXT_LENGTH)


def _said(file: Json) -> Iterator[str]:
    meta = file.get("meta")
    for holder in (file, cast("Json", meta) if isinstance(meta, dict) else {}):
        for field in ("description", "notes"):
            yield _plain(holder.get(field))


def _steps(nodes: Sequence[Node]) -> str:
    return "Steps: " + ", ".join(_plain(one.name) for one in nodes if not one.disabled) + "."


def _notes(stickies: Sequence[Json]) -> Iterator[str]:
    for one in stickies:
        parameters = one.get("parameters")
        yield _plain(cast("Json", parameters).get("content") if isinstance(parameters, dict) else None)


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
