"""Cards and phrases: the texts by which records are found."""

from graph_schema.cards.records import Card, Phrase
from graph_schema.cards.relations import describes

RECORDS = (Card, Phrase)

__all__ = ["RECORDS", "describes"]
