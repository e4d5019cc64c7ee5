"""The text of a card, made from its record. The same record always gives the same text."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from graph_schema.model.fields import LONG_TEXT_LENGTH, Field
from graph_schema.model.record import RecordType
from service.titles import apart
from service.words import fold, spoken


def card_text(record_type: RecordType, values: Mapping[str, Any]) -> str:
    """One line for each field that is searched: sentences first, then lists of names.

    Lists come last because they alone can be long, and a model sees only the beginning of a text. What would not fit
    into a card is left out from the end of a list: the record itself keeps it all.
    """
    lines = dict.fromkeys(_lines(record_type, values))
    return _bounded("\n".join(lines))


def called(values: Mapping[str, Any]) -> list[str]:
    """What a record is called, as names are compared: names and aliases as they are spoken, keys letter by letter."""
    names = (spoken(one) for one in (values["name"], *(values.get("aliases") or ())))
    keys = (fold(one).strip() for one in values.get("keys") or ())
    return [one for one in dict.fromkeys((*names, *keys)) if one]


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _lines(record_type: RecordType, values: Mapping[str, Any]) -> Iterator[str]:
    searched = [one for one in record_type.fields.values() if one.fulltext]
    for one in sorted(searched, key=lambda one: one.many):
        line = _line(one, values.get(one.name))
        if line:
            yield line
        if one.name == "name" and (words := file_words(record_type.label, values)):
            yield words


def file_words(label: str, values: Mapping[str, Any]) -> str | None:
    """The words of a name that is a file's, each by itself. What a run makes, and a document, is a file."""
    return apart(values["name"], is_file=label == "Artifact" or values.get("kind") == "document")


def _line(one: Field, value: Any) -> str:
    if value is None:
        return ""
    parts: list[str] = value if one.many else [value]
    return ", ".join(" ".join(part.split()) for part in parts)


def _bounded(text: str) -> str:
    if len(text) <= LONG_TEXT_LENGTH:
        return text
    return text[:LONG_TEXT_LENGTH].rpartition(", ")[0] or text[:LONG_TEXT_LENGTH]
