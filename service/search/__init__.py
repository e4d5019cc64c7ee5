"""Search: everything that has a card, found by name, key, words and meaning, with reasons."""

from service.search.answer import SearchAnswer, SearchEmptyReason, SearchHit, SearchWarningCode
from service.search.read import Search
from service.search.request import SearchRequest, searchable_kinds

__all__ = [
    "Search",
    "SearchAnswer",
    "SearchEmptyReason",
    "SearchHit",
    "SearchRequest",
    "SearchWarningCode",
    "searchable_kinds",
]
