"""Search: everything that has a card, found by name, key, words and meaning, with reasons."""

from service.search.answer import Answer, Empty, EmptyReason, Hit, SearchWarning, Timing, WarningCode
from service.search.ranker import Part
from service.search.read import Search
from service.search.request import SearchRequest, searchable_kinds

__all__ = [
    "Answer",
    "Empty",
    "EmptyReason",
    "Hit",
    "Part",
    "Search",
    "SearchRequest",
    "SearchWarning",
    "Timing",
    "WarningCode",
    "searchable_kinds",
]
