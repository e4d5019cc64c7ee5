"""A request for search, checked, and turned into what the indexes understand."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from graph_schema.model.registry import Registry
from service.search.errors import SearchKindUnknown, SearchSizeInvalid, SearchTextInvalid, SearchTextTooLong
from service.search.ranker import Asked

LONGEST_TEXT = 2_000
MOST_HITS = 100
DEFAULT_HITS = 20

# Lucene refuses a query of more than 1,024 clauses, and each word makes two.
MOST_LUCENE_WORDS = 64

HIDDEN_STATES = ("archived", "deprecated", "suppressed", "rejected", "expired", "deleted")
_SPACES = frozenset("\t\n\r")
_KEY_MARKS = frozenset("@:/#._-")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked for. No kinds means all of them that do not tell of others."""

    text: str
    kinds: Sequence[str] = ()
    first: int = DEFAULT_HITS
    include_archived: bool = False


@dataclass(frozen=True, slots=True)
class Filters:
    """Which cards take part."""

    kinds: tuple[str, ...]
    hidden_states: tuple[str, ...]


def searchable_kinds(registry: Registry) -> tuple[str, ...]:
    """The kinds of record that have cards, and so can be found."""
    return tuple(one.label for one in registry.types.values() if one.carded)


def check(request: SearchRequest, registry: Registry) -> Filters:
    """The filters of a request that can be answered; an error that names the field for one that cannot."""
    check_text(request.text)
    if not 1 <= request.first <= MOST_HITS:
        raise SearchSizeInvalid(request.first, MOST_HITS)
    known = searchable_kinds(registry)
    for kind in request.kinds:
        if kind not in known:
            raise SearchKindUnknown(kind, known)
    kinds = tuple(dict.fromkeys(request.kinds)) or tuple(one for one in known if not registry.types[one].aside)
    return Filters(kinds, () if request.include_archived else HIDDEN_STATES)


def everything(registry: Registry) -> Filters:
    return Filters(searchable_kinds(registry), ())


def lucene(words: Asked, kinds: Sequence[str]) -> str:
    """A query for cards with these words, those in the name first. Nothing in it has a meaning to Lucene but its words.

    Only cards have the field `describes_kind`, so its clause keeps the records themselves, and their phrases, out.
    """
    phrase = f'"{words.spoken}"'
    cards = f"+describes_kind:({' '.join(kinds)})^0"
    if not words.stems:
        return f"{cards} +text:{phrase} name:{phrase}^4"
    return f"{cards} +text:({listed(words)}) name:({listed(words)})^2 text:{phrase}^2 name:{phrase}^4"


def listed(words: Asked) -> str:
    """The words that carry meaning, each as a phrase of its own, so that Lucene reads nothing into them."""
    return " ".join(f'"{word}"' for word in list(words.stems.values())[:MOST_LUCENE_WORDS])


def keyed(words: Asked) -> str | None:
    """The text to look for keys in, when it looks as if it held one: an address, a docket, an account."""
    marked = any(char.isdigit() or char in _KEY_MARKS for char in words.folded)
    return words.lowered if marked else None


def check_text(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise SearchTextTooLong(LONGEST_TEXT, len(text))
    for position, char in enumerate(text):
        if unicodedata.category(char) == "Cs":
            raise SearchTextInvalid(position, "half of a surrogate pair")
        if unicodedata.category(char) == "Cc" and char not in _SPACES:
            raise SearchTextInvalid(position, f"the control character {ord(char):#04x}")
