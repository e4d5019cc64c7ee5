"""Semantic cards and phrases: the texts by which an asset is found, with their vectors."""

from typing import Annotated, Any

from pydantic import Field as PydanticField
from pydantic import StringConstraints

from graph_schema.library.words import PhraseKind
from graph_schema.model.fields import (
    LIST_LENGTH,
    LONG_TEXT_LENGTH,
    EvidenceLayer,
    Key,
    LongText,
    Text,
    Timestamp,
    field,
)
from graph_schema.model.record import Record

# A card of many phrases has many words; each has at least one letter and a space.
Stems = Annotated[
    list[Annotated[str, StringConstraints(max_length=LONG_TEXT_LENGTH)]], PydanticField(max_length=LONG_TEXT_LENGTH)
]
Called = Annotated[list[Key], PydanticField(max_length=2 * LIST_LENGTH + 1)]
"""A name, aliases and keys."""


class Card(Record):
    """The findable side of another record, made from it whenever it changes. It carries the record's vector.

    The vector of an asset with phrases is its prototype: the mean of what its card and its phrases say.
    """

    label = "Card"
    plural = "cards"
    prefix = "card"
    layer = EvidenceLayer.memory
    colour = "#c990c0"
    indexed_together = (("describes_kind", "audience"),)

    describes_kind: Key = field("Label of the record that it describes.", indexed=True, fulltext=True, authored=False)
    text: LongText = field("What is embedded and searched.", fulltext=True, authored=False)
    text_hash: Key = field("Hash of that text.", authored=False, filtered=True)
    embedded_hash: Key | None = field("Hash of the text that the vector was made from.", default=None, authored=False)
    embedding_model: Key | None = field("Model that made the vector.", default=None, indexed=True, authored=False)
    embedded_at: Timestamp | None = field("When the vector was made.", default=None, authored=False)
    second_hash: Key | None = field(
        "Hash of the text that the second model's vector was made from.", default=None, hidden=True
    )
    second_model: Key | None = field(
        "The second model, of what can be matched: it counts where there are no phrases.", default=None, hidden=True
    )
    called: Called = field(
        "Every name, alias and key of the record as it is compared, to be found whole.", make=list, hidden=True
    )
    vector_due: bool | None = field(
        "Set while its text may have no vector of its own.", default=None, indexed=True, hidden=True
    )
    vector_bulk: bool | None = field(
        "Set where many came at once: the others are embedded before them.", default=None, hidden=True
    )
    prototype_due: bool | None = field(
        "Set while its prototype may be that of other texts.", default=None, indexed=True, hidden=True
    )
    author_id: Key | None = field("Who made the record that it describes.", default=None, hidden=True)
    members_hash: Key | None = field("Hash of its text and of the phrases that invoke it.", default=None, hidden=True)
    prototype_hash: Key | None = field("Hash of the texts that the prototype was made from.", default=None, hidden=True)
    prototype_model: Key | None = field("Model that made the prototype.", default=None, hidden=True)
    members: int | None = field("From how many texts the prototype was made.", default=None, hidden=True)
    cohesion: float | None = field("Mean cosine of two of these texts.", default=None, hidden=True)
    words_version: int | None = field("How those words were counted.", default=None, hidden=True)
    word_stems: Stems | None = field("The words of these texts.", default=None, fulltext=True, hidden=True)


class Phrase(Record):
    """A text that invokes an asset or repels it: what people say, or when to use it and when not."""

    label = "Phrase"
    plural = "phrases"
    prefix = "phr"
    layer = EvidenceLayer.memory
    colour = "#dcb5d6"
    second_labels = ("InvocationPhrase",)

    phrase_kind: PhraseKind = field("What it says about its asset.", filtered=True, authored=False)
    text: Text = field("The words.", fulltext=True, authored=False)
    text_hash: Key = field("Hash of the words.", authored=False, filtered=True)
    embedded_hash: Key | None = field("Hash of the text that the vector was made from.", default=None, authored=False)
    embedding_model: Key | None = field("Model that made the vector.", default=None, indexed=True, authored=False)
    embedded_at: Timestamp | None = field("When the vector was made.", default=None, authored=False)
    vector_due: bool | None = field(
        "Set while its text may have no vector of its own.", default=None, indexed=True, hidden=True
    )
    vector_bulk: bool | None = field(
        "Set where many came at once: the others are embedded before them.", default=None, hidden=True
    )
    spoken: Key | None = field(
        "The words as they are compared, where requests are looked through for them.",
        default=None,
        indexed=True,
        hidden=True,
    )
    phrase_of: Key | None = field("Label of the record that it speaks of.", default=None, hidden=True)

    @classmethod
    def labels(cls, values: dict[str, Any]) -> list[str]:
        """What invokes directives has a label, and so a vector index, of its own: other phrases are many more."""
        directive = values.get("phrase_of") == "InvocationDirective"
        return [*super().labels(values), *(cls.second_labels if directive else ())]
