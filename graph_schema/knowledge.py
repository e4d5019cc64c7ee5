"""Semantic cards: the text by which an asset is found, with its vector."""

from graph_schema.fields import Key, Layer, LongText, Timestamp, field
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
