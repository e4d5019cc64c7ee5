"""Semantic cards and phrases: the texts by which an asset is found, with their vectors."""

from graph_schema.fields import Key, Layer, LongText, Text, Timestamp, field
from graph_schema.library_words import PhraseKind
from graph_schema.record import Record


class Card(Record):
    """The findable side of another record, made from it whenever it changes. It carries the record's vector."""

    label = "Card"
    plural = "cards"
    prefix = "card"
    layer = Layer.memory
    colour = "#c990c0"

    describes_kind: Key = field("Label of the record that it describes.", indexed=True, authored=False)
    text: LongText = field("What is embedded and searched.", fulltext=True, authored=False)
    text_hash: Key = field("Hash of that text.", authored=False, indexed=True)
    embedded_hash: Key | None = field("Hash of the text that the vector was made from.", default=None, authored=False)
    embedding_model: Key | None = field("Model that made the vector.", default=None, indexed=True, authored=False)
    embedded_at: Timestamp | None = field("When the vector was made.", default=None, authored=False)


class Phrase(Record):
    """A text that invokes an asset or repels it: what people say, or when to use it and when not."""

    label = "Phrase"
    plural = "phrases"
    prefix = "phr"
    layer = Layer.memory
    colour = "#dcb5d6"

    phrase_kind: PhraseKind = field("What it says about its asset.", indexed=True, authored=False)
    text: Text = field("The words.", fulltext=True, authored=False)
    text_hash: Key = field("Hash of the words.", authored=False, indexed=True)
    embedded_hash: Key | None = field("Hash of the text that the vector was made from.", default=None, authored=False)
    embedding_model: Key | None = field("Model that made the vector.", default=None, indexed=True, authored=False)
    embedded_at: Timestamp | None = field("When the vector was made.", default=None, authored=False)
