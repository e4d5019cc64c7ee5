"""Phrases: what people say of an asset, each text a node of its own with a vector of its own."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.library.words import DirectiveKind, PhraseKind
from graph_schema.model.fields import KEY_LENGTH, NAME_LENGTH
from service.commands.card_text import text_hash
from service.words import spoken

FIELDS = {
    "trigger_phrases": PhraseKind.trigger_phrase,
    "semantic_lookup_phrases": PhraseKind.semantic_lookup_phrase,
    "use_conditions": PhraseKind.use_condition,
    "non_use_conditions": PhraseKind.non_use_condition,
}
"""The fields of a record whose texts are phrases."""

TAUGHT = "phrase_or_condition"
"""The field of a directive whose text is a phrase, where it is taught about what people say."""

_BY_PHRASE = (
    DirectiveKind.prefer_when_phrase,
    DirectiveKind.avoid_when_phrase,
    DirectiveKind.require_user_confirmation,
)
INVOKES, REPELS = "INVOKES", "REPELS"


@dataclass(frozen=True, slots=True)
class PhraseText:
    kind: PhraseKind
    text: str

    @property
    def properties(self) -> dict[str, Any]:
        return {
            "name": self.text[:NAME_LENGTH],
            "phrase_kind": self.kind.value,
            "text": self.text,
            "text_hash": text_hash(self.text),
        }


def of_record(record_id: str, values: Mapping[str, Any]) -> dict[str, PhraseText]:
    """The phrases of a record by their ids. The same text said twice is one phrase; a blank one is none."""
    found: dict[str, PhraseText] = {}
    taught = [values.get(TAUGHT) or ""] if values.get("directive_kind") in _BY_PHRASE else ()
    said = [(kind, values.get(field) or ()) for field, kind in FIELDS.items()]
    for kind, texts in (*said, (PhraseKind.trigger_phrase, taught)):
        for text in texts:
            words = " ".join(text.split())
            if words:
                found[_id(record_id, kind, words)] = PhraseText(kind, words)
    return found


def members_hash(card_text: str, values: Mapping[str, Any]) -> str:
    """Hash of all texts that an asset's prototype is made from: its card's, and those of what invokes it."""
    invoking = [one for one in of_record("", values).values() if relation_of(one.kind) == INVOKES]
    return hash_of_members(text_hash(card_text), (text_hash(one.text) for one in invoking))


def hash_of_members(card: str, phrases: Iterable[str]) -> str:
    return text_hash("\n".join([card, *sorted(phrases)]))


def relation_of(kind: str) -> str:
    """A condition against the use of an asset repels it; all others invoke it."""
    return REPELS if kind == PhraseKind.non_use_condition else INVOKES


def sought(label: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Whose phrase it is; and what was taught to be said for it, as requests are looked through for that."""
    words = spoken(values["text"])
    taught = values["phrase_kind"] == PhraseKind.trigger_phrase
    whole = {"spoken": words} if taught and 0 < len(words) <= KEY_LENGTH else {}
    return {"phrase_of": label, **whole}


def _id(record_id: str, kind: PhraseKind, text: str) -> str:
    digest = hashlib.sha256(f"{kind.value}\n{text}".encode()).hexdigest()
    return f"phr_{record_id}_{digest[:16]}"
