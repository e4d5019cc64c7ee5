"""The card of a record: what of it follows from the record, so that it can be made again at any time."""

from collections.abc import Mapping
from typing import Any

from graph_schema.model.fields import DataClass
from graph_schema.model.record import RecordType
from service.commands import phrases
from service.commands.card_text import called, card_text, text_hash

Values = dict[str, Any]

NONE_OF_ITS_OWN: Mapping[str, Any] = {"own_data_class": DataClass.public.value, "own_matter_ids": []}
"""All that a card or phrase is kept from others by comes from its record, so that it moves with it on every way."""

_SHARED = ("name", "updated_at", "version", "lifecycle_state", "data_class", "matter_ids", "audience")


def card_id(record_id: str) -> str:
    """A record has one card, found without a look-up."""
    return f"card_{record_id}"


def card_properties(kind: RecordType, values: Values) -> Values:
    """All of a card that changes with its record."""
    text = card_text(kind, values)
    members = {"members_hash": phrases.members_hash(text, values)} if kind.phrased else {}
    return {
        **{name: values[name] for name in _SHARED},
        **NONE_OF_ITS_OWN,
        **members,
        "describes_kind": kind.label,
        "text": text,
        "text_hash": text_hash(text),
        "called": called(values),
    }


def new_card(kind: RecordType, values: Values, author_id: str, at: str) -> Values:
    shown = card_properties(kind, values)
    given = {"id": card_id(values["id"]), "author_id": author_id, "created_at": at, "schema_version": 1}
    return {**shown, **due(shown, {}), **given}


def due(card: Values, former: Values) -> Values:
    """The marks of a card whose texts have changed: what has no mark is never looked at for its vectors."""
    marks = {"vector_due": "text_hash", "prototype_due": "members_hash"}
    return {mark: True for mark, digest in marks.items() if card.get(digest) != former.get(digest)}
